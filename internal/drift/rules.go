package drift

import (
	"maps"
	"slices"
)

// A Rule is what a code stands for.
type Rule struct {
	Grade   Grade
	Message string // what changed
	Hint    string // what to do, or what it means; "" for safe changes mostly
	Unknown bool   // the rule does not decide, and is on the safe side
}

// RuleOf returns the rule with this code.
func RuleOf(code Code) (Rule, bool) {
	r, ok := rules[code]
	return r, ok
}

// Codes lists the codes of all rules, sorted.
func Codes() []Code { return slices.Sorted(maps.Keys(rules)) }

// Codes of the tool as a whole.
const (
	toolRemoved        Code = "tool-removed"
	toolAdded          Code = "tool-added"
	readOnlyLost       Code = "read-only-lost"
	destructiveGained  Code = "destructive-gained"
	idempotentLost     Code = "idempotent-lost"
	openWorldGained    Code = "open-world-gained"
	hintSafer          Code = "hint-safer"
	taskRequired       Code = "task-required"
	executionChanged   Code = "execution-changed"
	descriptionChanged Code = "description-changed"
	defaultChanged     Code = "default-changed"
	keywordChanged     Code = "keyword-changed"
	schemaUnreadable   Code = "schema-unreadable"
	schemaTooComplex   Code = "schema-too-complex"
)

// Codes of arguments.
const (
	argumentRequiredAdded    Code = "argument-required-added"
	argumentAdded            Code = "argument-added"
	argumentExtraClash       Code = "argument-extra-clash"
	argumentRemoved          Code = "argument-removed"
	argumentUndeclared       Code = "argument-undeclared"
	argumentNowRequired      Code = "argument-now-required"
	argumentNowOptional      Code = "argument-now-optional"
	argumentTypeNarrowed     Code = "argument-type-narrowed"
	argumentTypeWidened      Code = "argument-type-widened"
	argumentEnumNarrowed     Code = "argument-enum-narrowed"
	argumentEnumWidened      Code = "argument-enum-widened"
	argumentBoundTightened   Code = "argument-bound-tightened"
	argumentBoundLoosened    Code = "argument-bound-loosened"
	argumentPatternAdded     Code = "argument-pattern-added"
	argumentPatternRemoved   Code = "argument-pattern-removed"
	argumentFormatAdded      Code = "argument-format-added"
	argumentFormatRemoved    Code = "argument-format-removed"
	argumentExtraRefused     Code = "argument-extra-refused"
	argumentExtraAccepted    Code = "argument-extra-accepted"
	argumentExtraClosed      Code = "argument-extra-closed"
	argumentVariantRemoved   Code = "argument-variant-removed"
	argumentVariantAdded     Code = "argument-variant-added"
	argumentVariantWidened   Code = "argument-variant-widened"
	argumentVariantAmbiguous Code = "argument-variant-ambiguous"
	argumentUnknownKeyword   Code = "argument-unknown-keyword"
	argumentKeywordRemoved   Code = "argument-keyword-removed"
)

// Codes of results.
const (
	resultSchemaRemoved     Code = "result-schema-removed"
	resultSchemaAdded       Code = "result-schema-added"
	resultFieldRemoved      Code = "result-field-removed"
	resultFieldAdded        Code = "result-field-added"
	resultExtraClash        Code = "result-extra-clash"
	resultFieldNowOptional  Code = "result-field-now-optional"
	resultFieldNowRequired  Code = "result-field-now-required"
	resultTypeWidened       Code = "result-type-widened"
	resultTypeNarrowed      Code = "result-type-narrowed"
	resultEnumWidened       Code = "result-enum-widened"
	resultEnumNarrowed      Code = "result-enum-narrowed"
	resultRangeWidened      Code = "result-range-widened"
	resultFormatChanged     Code = "result-format-changed"
	resultTimeLost          Code = "result-time-lost"
	resultConstraintChanged Code = "result-constraint-changed"
	resultExtraOpened       Code = "result-extra-opened"
	resultExtraClosed       Code = "result-extra-closed"
	resultVariantAdded      Code = "result-variant-added"
	resultVariantRemoved    Code = "result-variant-removed"
	resultVariantAmbiguous  Code = "result-variant-ambiguous"
	resultInvalid           Code = "result-invalid"
)

const regenerate = "regenerate, and adapt the callers"

var rules = map[Code]Rule{
	toolRemoved:        {Call, "the tool is gone", "calls fail; replace them, or ask the server's owner", false},
	toolAdded:          {Safe, "the tool is new", "regenerate to call it", false},
	readOnlyLost:       {Privilege, "the tool no longer says that it only reads", "review who may call it without asking", false},
	destructiveGained:  {Privilege, "the tool may destroy something now", "review who may call it without asking", false},
	idempotentLost:     {Privilege, "repeating a call may have a further effect now", "review who retries it", false},
	openWorldGained:    {Privilege, "the tool reaches out to an open world now", "review what may be passed to it", false},
	hintSafer:          {Safe, "the tool promises more than before", "", false},
	taskRequired:       {Call, "the tool answers only calls that are tasks now", "plain calls fail", false},
	executionChanged:   {Safe, "the tool may be called in other ways", "", false},
	descriptionChanged: {Doc, "the server describes it in other words", "read them: a description is what models act on", false},
	defaultChanged:     {Doc, "what an absent value means has changed", "callers that leave it out get another behaviour", false},
	keywordChanged:     {Doc, "a keyword that restricts nothing has changed", "", false},
	schemaUnreadable:   {Call, "the schema cannot be read", "unknown, treated as breaking: look at it", true},
	schemaTooComplex:   {Call, "the schemas are too complex to be compared", "unknown, treated as breaking: look at them", true},

	argumentRequiredAdded:    {Call, "a new argument is required", "callers that do not send it are refused; " + regenerate, false},
	argumentAdded:            {Safe, "an optional argument is new", "", false},
	argumentExtraClash:       {Call, "a key that callers may send as an extra one has a schema of its own now", regenerate, false},
	argumentRemoved:          {Call, "the argument is refused", "callers that send it fail; " + regenerate, false},
	argumentUndeclared:       {Safe, "the argument is no longer declared, but still allowed", "the server may ignore it", false},
	argumentNowRequired:      {Call, "the argument is required now", "callers that leave it out are refused", false},
	argumentNowOptional:      {Safe, "the argument may be left out now", "", false},
	argumentTypeNarrowed:     {Call, "a type that was allowed is refused", regenerate, false},
	argumentTypeWidened:      {Safe, "further types are allowed", "", false},
	argumentEnumNarrowed:     {Call, "values that were allowed are refused", "callers that send them fail", false},
	argumentEnumWidened:      {Safe, "further values are allowed", "", false},
	argumentBoundTightened:   {Call, "a bound is tighter", "callers with values outside of it are refused", false},
	argumentBoundLoosened:    {Safe, "a bound is looser", "", false},
	argumentPatternAdded:     {Call, "text must match a pattern that it need not match before", "unknown whether callers' texts do, treated as breaking", true},
	argumentPatternRemoved:   {Safe, "text need not match a pattern any more", "", false},
	argumentFormatAdded:      {Call, "text has a format that it had not before", "unknown whether the server checks it, treated as breaking", true},
	argumentFormatRemoved:    {Safe, "text need not have a format any more", "", false},
	argumentExtraRefused:     {Call, "extra keys are refused", "callers that send them fail", false},
	argumentExtraAccepted:    {Safe, "extra keys are allowed", "", false},
	argumentExtraClosed:      {Safe, "extra keys are refused, which typed callers cannot send", "", false},
	argumentVariantRemoved:   {Call, "a variant that was allowed is refused", regenerate, false},
	argumentVariantAdded:     {Safe, "a further variant is allowed", "", false},
	argumentVariantWidened:   {Safe, "a variant is part of a wider one now", "", false},
	argumentVariantAmbiguous: {Call, "a value may fit two of the variants of oneOf now", "unknown, treated as breaking: oneOf refuses what fits two", true},
	argumentUnknownKeyword:   {Call, "a keyword has changed whose effect cannot be decided", "unknown, treated as breaking: look at it", true},
	argumentKeywordRemoved:   {Safe, "a restriction is gone", "", false},

	resultSchemaRemoved:     {Call, "the tool no longer says what it returns", "typed callers find no structured result; " + regenerate, false},
	resultSchemaAdded:       {Safe, "the tool says what it returns", "regenerate to read it typed", false},
	resultFieldRemoved:      {Call, "the field is gone", "readers get its zero value; " + regenerate, false},
	resultFieldAdded:        {Safe, "a field is new", "", false},
	resultExtraClash:        {Call, "a new field does not fit the type that extra keys have", "decoding fails; " + regenerate, false},
	resultFieldNowOptional:  {Call, "the field may be absent now", "readers cannot tell its absence from a zero value; " + regenerate, false},
	resultFieldNowRequired:  {Safe, "the field is always present now", "", false},
	resultTypeWidened:       {Call, "a value may have a type that readers do not expect", "decoding fails, or gives a zero value for null; " + regenerate, false},
	resultTypeNarrowed:      {Safe, "some types are no longer returned", "", false},
	resultEnumWidened:       {Call, "a value may be none of those that readers know", "callers that switch on it meet a new case; " + regenerate, false},
	resultEnumNarrowed:      {Safe, "some values are no longer returned", "", false},
	resultRangeWidened:      {Call, "a number may be beyond its Go type", "decoding fails; " + regenerate, false},
	resultFormatChanged:     {Doc, "the format of a text has changed", "callers that parse it may fail", false},
	resultTimeLost:          {Call, "text that decodes to time.Time need not be a time any more", "decoding fails; " + regenerate, false},
	resultConstraintChanged: {Safe, "what is promised about a value has changed, but not its type", "", false},
	resultExtraOpened:       {Safe, "there may be extra keys now", "", false},
	resultExtraClosed:       {Safe, "there are no extra keys any more", "", false},
	resultVariantAdded:      {Call, "a value may be of a variant that readers do not know", "it decodes as raw JSON; " + regenerate, false},
	resultVariantRemoved:    {Safe, "a variant is no longer returned", "", false},
	resultVariantAmbiguous:  {Call, "a variant has a new key by which another one may be taken for it", "unknown, treated as breaking: look at it", true},
	resultInvalid:           {Call, "a value may not be valid by the schema that results are checked against", "checking fails; " + regenerate, false},
}

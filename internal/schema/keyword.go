package schema

import "strconv"

// A Position says what a keyword's value holds.
type Position uint8

const (
	// NoSchema is data, a name, a bound, or a keyword the dialect does not know.
	NoSchema Position = iota
	// OneSchema is one schema, like not.
	OneSchema
	// SchemaList is an array of schemas, like allOf.
	SchemaList
	// SchemaOrList is one schema or an array of them, like items.
	SchemaOrList
	// SchemaMap is an object whose values are schemas, like properties. The lists
	// of names among the values of dependencies are no schemas.
	SchemaMap
)

type keyword struct {
	position Position
	from, to Dialect // first and last dialect that knows it
}

// keywords holds every keyword with schemas in it. It is a little wider than
// the drafts, as real servers are: $defs and definitions are read in all of
// them, and so is items with an array.
var keywords = map[string]keyword{
	"not":                   {OneSchema, Draft4, Draft2020},
	"additionalProperties":  {OneSchema, Draft4, Draft2020},
	"additionalItems":       {OneSchema, Draft4, Draft2019},
	"contains":              {OneSchema, Draft6, Draft2020},
	"propertyNames":         {OneSchema, Draft6, Draft2020},
	"if":                    {OneSchema, Draft7, Draft2020},
	"then":                  {OneSchema, Draft7, Draft2020},
	"else":                  {OneSchema, Draft7, Draft2020},
	"unevaluatedItems":      {OneSchema, Draft2019, Draft2020},
	"unevaluatedProperties": {OneSchema, Draft2019, Draft2020},
	"contentSchema":         {OneSchema, Draft2019, Draft2020},
	"allOf":                 {SchemaList, Draft4, Draft2020},
	"anyOf":                 {SchemaList, Draft4, Draft2020},
	"oneOf":                 {SchemaList, Draft4, Draft2020},
	"prefixItems":           {SchemaList, Draft2020, Draft2020},
	"items":                 {SchemaOrList, Draft4, Draft2020},
	"properties":            {SchemaMap, Draft4, Draft2020},
	"patternProperties":     {SchemaMap, Draft4, Draft2020},
	"definitions":           {SchemaMap, Draft4, Draft2020},
	"$defs":                 {SchemaMap, Draft4, Draft2020},
	"dependencies":          {SchemaMap, Draft4, Draft2020},
	"dependentSchemas":      {SchemaMap, Draft2019, Draft2020},
}

// Position returns what keyword holds in dialect d. The zero Dialect knows the
// keywords of every version.
func (d Dialect) Position(name string) Position {
	k, ok := keywords[name]
	if !ok || d != 0 && (d < k.from || d > k.to) {
		return NoSchema
	}
	return k.position
}

// A step is where one subschema stands in its parent: below a keyword, and
// there, for lists and maps, at an index or name.
type step struct {
	keyword string
	token   string
	nested  bool // token counts
}

// subschemas calls yield for every schema that stands directly in v, in
// document order, until yield returns false. Values that can be no schema
// (neither object nor boolean) are passed over.
func (d Dialect) subschemas(v *Value, yield func(step, *Value) bool) {
	if v == nil || v.Kind != Object {
		return
	}
	for _, m := range v.Members {
		position := d.Position(m.Name)
		switch {
		case position == NoSchema:
		case position == SchemaMap && m.Value.Kind == Object:
			for _, p := range m.Value.Members {
				if p.Value.isSchema() && !yield(step{m.Name, p.Name, true}, p.Value) {
					return
				}
			}
		case (position == SchemaList || position == SchemaOrList) && m.Value.Kind == Array:
			for i, item := range m.Value.Items {
				if item.isSchema() && !yield(step{m.Name, strconv.Itoa(i), true}, item) {
					return
				}
			}
		case (position == OneSchema || position == SchemaOrList) && m.Value.isSchema():
			if !yield(step{keyword: m.Name}, m.Value) {
				return
			}
		}
	}
}

func (v *Value) isSchema() bool { return v.Kind == Object || v.Kind == Bool }

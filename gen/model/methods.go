package model

// JSONMethods tells what MarshalJSON and UnmarshalJSON of a declared type do.
type JSONMethods uint8

const (
	// NoJSONMethods is for a type that has none, because encoding/json does what the
	// codec does (strings, booleans, float64), or because Go allows no methods
	// (interfaces and pointers).
	NoJSONMethods JSONMethods = iota
	// CodecMethods give the value itself to the codec. Integers have them too:
	// encoding/json refuses 1.0.
	CodecMethods
	// ConvertedMethods give the value to the codec as a value of the underlying
	// type: of a type over json.Number reflection sees a string only.
	ConvertedMethods
	// UnderlyingMethods call the underlying type's own: json.RawMessage,
	// time.Time, bindings.
	UnderlyingMethods
)

// MethodsOf returns the kind of JSON methods of d.
func MethodsOf(d Decl) JSONMethods {
	switch d := d.(type) {
	case *Enum:
		return methodsOver(d.Base)
	case *Named:
		return methodsOver(d.Underlying)
	default:
		return CodecMethods
	}
}

func methodsOver(t Type) JSONMethods {
	switch t := t.(type) {
	case Basic:
		if t == Int || t == Uint64 {
			return CodecMethods
		}
		return NoJSONMethods
	case Qualified:
		if t == Number {
			return ConvertedMethods
		}
		return UnderlyingMethods
	case Pointer:
		return NoJSONMethods
	case Ref:
		if !allowsMethods(t) {
			return NoJSONMethods
		}
		return ConvertedMethods
	default:
		return CodecMethods
	}
}

// maxChain is more defined types over one another than any schema needs.
const maxChain = 100

// allowsMethods reports whether a type over t may have methods: whether no
// interface and no pointer is at the bottom.
func allowsMethods(t Type) bool {
	for range maxChain {
		ref, ok := t.(Ref)
		if !ok {
			break
		}
		named, ok := ref.Decl.(*Named)
		if !ok {
			return true
		}
		t = named.Underlying
	}
	_, pointer := t.(Pointer)
	return !pointer && t != Any
}

package model

// A SchemaConst is a string constant that holds a part of a tool as canonical JSON.
type SchemaConst struct {
	Name  string // of the constant
	Field string // of runtime.ToolSpec that refers to it
	JSON  string
}

// Schemas lists the constants that hold what t's digest is made of: those parts
// that the snapshot has.
func (t *Tool) Schemas() []SchemaConst {
	var out []SchemaConst
	for _, c := range []SchemaConst{
		{t.Var + "Input", "InputSchema", t.InputSchema},
		{t.Var + "Output", "OutputSchema", t.OutputSchema},
		{t.Var + "Annotations", "Annotations", t.Annotations},
	} {
		if c.JSON != "" {
			out = append(out, c)
		}
	}
	return out
}

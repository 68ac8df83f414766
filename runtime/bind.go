package runtime

// A ToolSpec describes a tool to the calls of a generated package. Write it
// keyed: fields may be added.
type ToolSpec struct {
	Name   string // wire name
	Digest string // "s1:..." of the schemas that the package was generated from

	// The annotations as the server gave them: hints, never promises.
	ReadOnly, Idempotent, Destructive bool

	// What Digest was made of, in canonical form; "" where there was none. It is
	// read only when the live tool has another digest.
	InputSchema, OutputSchema, Annotations string
}

// A Binding is a server as a generated client calls it: through a [Caller], under
// a configured name. It is a value and safe for concurrent use.
type Binding struct {
	caller Caller
	server string
	watch  *watch // nil: tools are not compared with the live ones
}

// A BindOption changes a [Binding] as it is made.
type BindOption interface{ applyBinding(*Binding) }

type bindOption func(*Binding)

func (f bindOption) applyBinding(b *Binding) { f(b) }

// Bind returns the binding of a generated client to the server called server.
func Bind(caller Caller, server string, opts ...BindOption) Binding {
	if isNil(caller) {
		caller = nil // an error of each call, not a panic
	}
	b := Binding{caller: caller, server: server}
	for _, opt := range opts {
		if opt != nil {
			opt.applyBinding(&b)
		}
	}
	return b
}

// BindTools is [Bind] for a client that knows its tools: where caller is a
// [*Registry], they are compared with the live ones as soon as their server is
// connected (see [WithDrift]).
func BindTools(caller Caller, server string, tools []ToolSpec, opts ...BindOption) Binding {
	b := Bind(caller, server, opts...)
	w := b.watching()
	w.server, w.specs = b.server, tools
	if r, ok := b.caller.(*Registry); ok && w.policy != DriftIgnore {
		r.expect(w)
	}
	return b
}

// watching returns the watch of b, made on first use.
func (b *Binding) watching() *watch {
	if b.watch == nil {
		b.watch = &watch{}
	}
	return b.watch
}

// OnServer binds a generated package to another instance of its server, such as
// "github-prod".
func OnServer(name string) BindOption {
	return bindOption(func(b *Binding) { b.server = name })
}

package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpbind/mcpbind/runtime/internal/wire"
)

// An Elicitation is a question of a server to its user, in the middle of a call.
// All of it is server text, untrusted: say who asks, and never answer with a
// password or a key.
type Elicitation struct {
	Server  string          // configured name
	Tool    string          // wire name of the tool that asks; "" before 2026-07-28, where nothing says which
	Message string          // what to show
	Schema  json.RawMessage // of the answer's content: a flat object; nil when there is nothing to fill in
	URL     string          // to be opened with the user's consent, instead of a form; "" for a form
}

// An ElicitationAction is what the user did about an [Elicitation].
type ElicitationAction string

// Actions of a user.
const (
	ElicitAccept  ElicitationAction = "accept"  // answered, or consented to the URL
	ElicitDecline ElicitationAction = "decline" // said no
	ElicitCancel  ElicitationAction = "cancel"  // went away without an answer
)

// An ElicitationAnswer is the user's answer.
type ElicitationAnswer struct {
	Action ElicitationAction
	// Content is a JSON object that fits the schema, for ElicitAccept of a form. A
	// property that is missing gets the schema's default, where it has one.
	Content json.RawMessage
}

// An ElicitationHandler asks the user. An error fails the call that led to the
// question. It may be called concurrently; ctx ends with the call or the session.
type ElicitationHandler func(ctx context.Context, ask Elicitation) (ElicitationAnswer, error)

// WithElicitation lets servers ask the user during a call. Without it they are told
// that nobody can be asked, and a tool that insists fails.
func WithElicitation(handler ElicitationHandler) Option {
	return clientOption(func(o *options) { o.elicit = handler })
}

const methodElicit = "elicitation/create"

var (
	errBadElicitation = errors.New("the server's question is malformed")
	errBadAnswer      = errors.New("the answer to the server's question is malformed: an action of accept, decline or cancel, and content that is a JSON object")
)

// offerElicitation makes the SDK's client offer what the handler can do.
func (e *endpoint) offerElicitation(c *mcp.ClientCapabilities) {
	if e.o.elicit != nil {
		c.Elicitation = &mcp.ElicitationCapabilities{
			Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{},
		}
	}
}

// askUser calls the handler and completes its answer.
func (e *endpoint) askUser(ctx context.Context, ask Elicitation) (*mcp.ElicitResult, error) {
	answer, err := guarded(e, "the elicitation handler panicked", func() (ElicitationAnswer, error) { return e.o.elicit(ctx, ask) })
	if err != nil {
		return nil, &callersError{err.Error(), err}
	}
	switch answer.Action {
	case ElicitDecline, ElicitCancel:
		return &mcp.ElicitResult{Action: string(answer.Action)}, nil
	case ElicitAccept:
	default:
		return nil, errBadAnswer
	}
	if ask.URL != "" {
		return &mcp.ElicitResult{Action: string(answer.Action)}, nil
	}
	content, err := withDefaults(answer.Content, ask.Schema)
	if err != nil {
		return nil, err
	}
	return &mcp.ElicitResult{Action: string(answer.Action), Content: content}, nil
}

// withDefaults returns content with the defaults of schema for what it lacks.
// Numbers stay as they are spelled.
func withDefaults(content, schema json.RawMessage) (map[string]any, error) {
	all := map[string]any{}
	if len(content) > 0 {
		if err := exactly(content, &all); err != nil || all == nil {
			return nil, errBadAnswer
		}
	}
	err := eachProperty(schema, func(name string, property json.RawMessage) error {
		if _, given := all[name]; given {
			return nil
		}
		return wire.Members(property, func(keyword string, value json.RawMessage) error {
			if keyword != "default" {
				return nil
			}
			var v any
			if err := exactly(value, &v); err != nil {
				return err
			}
			all[name] = v
			return nil
		})
	})
	if err != nil {
		return nil, errBadElicitation
	}
	return all, nil
}

// eachProperty calls visit for every member of schema's properties.
func eachProperty(schema json.RawMessage, visit func(name string, property json.RawMessage) error) error {
	if len(schema) == 0 || string(schema) == "null" {
		return nil
	}
	return wire.Members(schema, func(keyword string, value json.RawMessage) error {
		if keyword != "properties" || string(value) == "null" {
			return nil
		}
		return wire.Members(value, visit)
	})
}

// exactly decodes data and keeps the spelling of numbers.
func exactly(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return d.Decode(v)
}

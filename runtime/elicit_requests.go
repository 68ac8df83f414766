package runtime

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// questions are those of one connection to a server before 2026-07-28, which asks
// by requests of its own. Nothing ties them to a call: they are bounded, and end
// with the connection.
type questions struct {
	open chan struct{} // holds one token for each that is being asked
	ctx  context.Context
	end  context.CancelCauseFunc
}

func newQuestions() *questions {
	q := &questions{open: make(chan struct{}, maxQuestions)}
	q.ctx, q.end = context.WithCancelCause(context.Background())
	return q
}

// endWith ends the questions when the session does, whose context ctx is.
func (q *questions) endWith(ctx context.Context) {
	context.AfterFunc(ctx, func() { q.end(context.Cause(ctx)) })
}

// begin returns the context of one more question, unless there are too many. end
// must be called if it is asked.
func (q *questions) begin(ctx context.Context) (asked context.Context, end func(), ok bool) {
	select {
	case q.open <- struct{}{}:
	default:
		return nil, nil, false
	}
	asked, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(q.ctx, func() { cancel(context.Cause(q.ctx)) })
	return asked, func() { stop(); cancel(nil); <-q.open }, true
}

// elicited answers the request by which servers before 2026-07-28 ask. It stands
// before the SDK's own handling, which knows no exact numbers.
func (e *endpoint) elicited(q *questions) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method != methodElicit || e.o.elicit == nil {
				return next(ctx, method, req)
			}
			ask, err := e.askedBy(req)
			if err != nil {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
			}
			ctx, end, ok := q.begin(ctx)
			if !ok {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "too many questions at once"}
			}
			defer end()
			answer, err := e.askUser(ctx, ask)
			if err != nil {
				// The error is the caller's and may hold anything: not for the server.
				e.logger.Warn("a question of the server was not answered", "error", e.clean(err))
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the question could not be answered"}
			}
			return answer, nil
		}
	}
}

// askedBy reads a request of the server as a question to the user.
func (e *endpoint) askedBy(req mcp.Request) (Elicitation, error) {
	params, ok := req.GetParams().(*mcp.ElicitParams)
	if !ok || params == nil {
		return Elicitation{}, errBadElicitation
	}
	ask := Elicitation{Server: e.cfg.Name, Message: params.Message, URL: params.URL}
	if params.RequestedSchema != nil {
		schema, err := json.Marshal(params.RequestedSchema)
		if err != nil || ask.URL != "" {
			return Elicitation{}, errBadElicitation
		}
		ask.Schema = schema
	}
	return ask, nil
}

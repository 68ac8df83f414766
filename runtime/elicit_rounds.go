package runtime

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpbind/mcpbind/runtime/internal/wire"
)

// Bounds of the round trips of one call.
const (
	maxRounds    = 10                     // requests, questions answered in between
	maxQuestions = 32                     // of one round; at once, where they are requests
	roundPause   = 100 * time.Millisecond // before a round without questions: the server is busy
)

var (
	errTooManyRounds = fmt.Errorf("the tool asks for input again and again: %d times", maxRounds)
	errHalfAsked     = errors.New("the server's result asks for input and does not say that it is input_required")
)

// A round is what one result of a tool call asks its caller for, since 2026-07-28.
type round struct {
	questions []question // sorted by key
	state     string     // to be sent back as it is
}

// askedIn returns what a result of a session with protocol asks for, nil when it is
// a result to be kept. The SDK's reading of it is not used: it can panic.
func askedIn(result json.RawMessage, protocol string) (*round, error) {
	var kind, state, requests json.RawMessage
	err := wire.Members(result, func(name string, value json.RawMessage) error {
		switch name {
		case "resultType":
			kind = unlessNull(value)
		case "requestState":
			state = unlessNull(value)
		case "inputRequests":
			requests = unlessNull(value)
		}
		return nil
	})
	if err != nil {
		return nil, errBadResult
	}
	said := ""
	if kind != nil && json.Unmarshal(kind, &said) != nil && protocol >= statelessProtocol {
		return nil, errBadResult // before that it is a member like any other
	}
	switch {
	case said == resultAsks:
		return newRound(state, requests)
	case said == "" && requests != nil && !isEmptyObject(requests):
		return nil, errHalfAsked
	}
	return nil, nil
}

// resultAsks is the resultType of a result that asks for input.
const resultAsks = "input_required"

// newRound reads what stands in a result that says it asks for input.
func newRound(state, requests json.RawMessage) (*round, error) {
	r := &round{}
	if state != nil && json.Unmarshal(state, &r.state) != nil {
		return nil, errBadElicitation
	}
	if requests != nil && wire.Members(requests, r.add) != nil {
		return nil, errBadElicitation
	}
	slices.SortFunc(r.questions, func(a, b question) int { return cmp.Compare(a.key, b.key) })
	return r, nil
}

func isEmptyObject(value json.RawMessage) bool {
	members := 0
	err := wire.Members(value, func(string, json.RawMessage) error { members++; return nil })
	return err == nil && members == 0
}

func (r *round) add(key string, value json.RawMessage) error {
	if len(r.questions) == maxQuestions {
		return errBadElicitation
	}
	q := question{key: key}
	err := wire.Members(value, func(name string, value json.RawMessage) error {
		switch name {
		case "method":
			return json.Unmarshal(value, &q.method)
		case "params":
			q.params = value
		}
		return nil
	})
	if err != nil || q.method == "" {
		return errBadElicitation
	}
	r.questions = append(r.questions, q)
	return nil
}

// A question is one entry of a result's inputRequests.
type question struct {
	key    string
	method string
	params json.RawMessage
}

// elicitation reads q as a question to the user.
func (q question) elicitation(server, tool string) (Elicitation, error) {
	if q.method != methodElicit {
		return Elicitation{}, fmt.Errorf("the tool asks its caller for %s, which this client does not offer", quoted(q.method))
	}
	ask := Elicitation{Server: server, Tool: tool}
	err := wire.Members(q.params, func(name string, value json.RawMessage) error {
		switch name {
		case "message":
			return json.Unmarshal(value, &ask.Message)
		case "url":
			return json.Unmarshal(value, &ask.URL)
		case "requestedSchema":
			ask.Schema = unlessNull(value)
		}
		return nil
	})
	if err != nil || ask.URL != "" && ask.Schema != nil {
		return Elicitation{}, errBadElicitation
	}
	return ask, nil
}

// answer has the caller's handler answer every question, one after the other.
func (e *endpoint) answer(ctx context.Context, tool string, r *round) (mcp.InputResponseMap, error) {
	if e.o.elicit == nil {
		return nil, errNeedsInput
	}
	if len(r.questions) == 0 {
		if !pause(ctx, roundPause) {
			return nil, timedOut(ctx)
		}
		return nil, nil
	}
	answers := mcp.InputResponseMap{}
	for _, q := range r.questions {
		ask, err := q.elicitation(e.cfg.Name, tool)
		if err != nil {
			return nil, err
		}
		res, err := e.askWithin(ctx, ask)
		if err != nil {
			if ctx.Err() != nil {
				err = timedOut(ctx)
			}
			return nil, fmt.Errorf("answering the tool's question: %w", err)
		}
		answers[q.key] = res
	}
	return answers, nil
}

// askWithin is askUser for a call. A handler that reads a terminal minds no context:
// the call ends within its own all the same.
func (e *endpoint) askWithin(ctx context.Context, ask Elicitation) (*mcp.ElicitResult, error) {
	var (
		res   *mcp.ElicitResult
		err   error
		asked = make(chan struct{})
	)
	go func() {
		defer close(asked)
		res, err = e.askUser(ctx, ask)
	}()
	select {
	case <-asked:
		return res, err
	case <-ctx.Done():
		return nil, timedOut(ctx)
	}
}

// A dialogue is one call with its round trips. It outlives a request that has to be
// sent again, so that nobody is asked twice.
type dialogue struct {
	tool      string
	arguments json.RawMessage
	responses mcp.InputResponseMap // to the last questions, nil before any
	state     string
	answered  int // requests
}

// params are those of the next request: new for each, as the SDK writes into them.
func (d *dialogue) params() *mcp.CallToolParams {
	return &mcp.CallToolParams{Name: d.tool, Arguments: d.arguments, InputResponses: d.responses, RequestState: d.state}
}

// rounds goes on with a call, with as many requests as it takes. once sends one and
// returns its raw result.
func (s *session) rounds(ctx context.Context, d *dialogue,
	once func(*mcp.CallToolParams) (json.RawMessage, fate, error),
) (json.RawMessage, fate, error) {
	for d.answered < maxRounds {
		raw, f, err := once(d.params())
		if err != nil {
			return nil, f, err
		}
		d.answered++
		r, err := askedIn(raw, s.sdk.InitializeResult().ProtocolVersion)
		switch {
		case errors.Is(err, errBadResult), errors.Is(err, errHalfAsked):
			return nil, fateUnknown, err // it is a result: the tool may well have run
		case err != nil:
			return nil, fateAnswered, err
		}
		if r == nil {
			return raw, fateAnswered, nil
		}
		responses, err := s.e.answer(ctx, d.tool, r)
		if err != nil {
			return nil, fateAnswered, err
		}
		d.responses, d.state = responses, r.state
	}
	return nil, fateAnswered, errTooManyRounds
}

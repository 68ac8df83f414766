package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Methods whose results this package keeps raw.
const (
	methodCallTool  = "tools/call"
	methodListTools = "tools/list"
)

// CodeBadAnswer is the JSON-RPC code under which the SDK learns that an answer
// could not be used. What was wrong stands in the slot.
const CodeBadAnswer = -32098

// An exchange is one request that waits for its response.
type exchange struct {
	id     json.RawMessage
	method string
	slot   *Slot // nil: nobody wants the raw result

	answered atomic.Bool // the response arrived, in a stream
}

// takeBack notes that req, which may carry x, was not taken up. A request that only
// resumes the stream of an answer says nothing about the call: that was sent before.
func (x *exchange) takeBack(req *http.Request, err error) {
	if x != nil && x.slot != nil && req.Method == http.MethodPost {
		x.slot.takeBack(err)
	}
}

// accept takes one message that came where x waits for its response, and returns
// what to hand on to the SDK. done: it was the response. An error means that the
// message is unusable; out is nil then.
func (x *exchange) accept(data []byte) (out []byte, done bool, err error) {
	m, err := parse(data)
	if err != nil {
		return nil, false, err
	}
	if m.hasMethod {
		return passOn(data)
	}
	if m.err != nil && (m.id == nil || string(m.id) == "null") {
		m.id = x.id // a server that could not read the id answers null
	}
	if !sameID(m.id, x.id) {
		out, _, err = passOn(data)
		return out, false, err
	}
	out, err = x.response(m)
	return out, err == nil, err
}

// passOn hands data on as it is, unless the SDK would end the session over it.
func passOn(data []byte) ([]byte, bool, error) {
	if _, err := jsonrpc.DecodeMessage(data); err != nil {
		return nil, false, ErrNotMCP
	}
	return data, false, nil
}

// response keeps the payload of x's response and returns what the SDK gets.
func (x *exchange) response(m message) ([]byte, error) {
	switch {
	case m.err != nil:
		e := decodeError(m.err)
		if x.slot != nil {
			x.slot.setRPCError(e)
		}
		return x.failure(e), nil
	case m.result == nil:
		return nil, fmt.Errorf("%w: %w", ErrNotMCP, errNotAResponse)
	case x.slot == nil:
		return x.success(m.result), nil
	}
	brief, err := x.brief(m.result)
	if err != nil {
		return nil, err
	}
	return x.success(brief), nil
}

// brief keeps result in the slot and returns the part of it that the SDK needs.
func (x *exchange) brief(result json.RawMessage) (json.RawMessage, error) {
	var brief []byte
	var err error
	switch x.method {
	case methodCallTool:
		brief, err = briefCall(result)
	case methodListTools:
		brief, err = briefList(result)
	default:
		return result, nil
	}
	if err != nil {
		return nil, fmt.Errorf("result: %w", err)
	}
	x.slot.setResult(result)
	return brief, nil
}

// decodeError reads a JSON-RPC error object, leniently: the SDK ends the session
// over a code that is no integer.
func decodeError(raw json.RawMessage) *jsonrpc.Error {
	var e struct {
		Code    json.Number     `json:"code"`
		Message json.RawMessage `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
	out := &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the server answered with a malformed error"}
	if json.Unmarshal(raw, &e) != nil {
		return out
	}
	if code, err := e.Code.Int64(); err == nil {
		out.Code = code
	}
	if text, ok := stringValue(e.Message); ok {
		out.Message = text
	}
	out.Data = e.Data
	return out
}

// briefCall is the part of a tools/call result that the SDK needs: that there is
// one. What asks for another round trip would make the SDK panic where it is odd.
func briefCall(result json.RawMessage) ([]byte, error) {
	err := Members(result, func(string, json.RawMessage) error { return nil })
	return []byte(`{"content":[]}`), err
}

// briefList is the part of a tools/list result that the SDK needs: the cursor. No
// tool and no time to live: the SDK would answer later lists from its cache.
func briefList(result json.RawMessage) ([]byte, error) {
	brief := []byte(`{"tools":[]`)
	err := Members(result, func(name string, value json.RawMessage) error {
		if name == "nextCursor" && value[0] == '"' {
			brief = appendMember(brief, name, value)
		}
		return nil
	})
	return append(brief, '}'), err
}

func appendMember(dst []byte, name string, value json.RawMessage) []byte {
	dst = append(dst, `,"`...)
	dst = append(dst, name...)
	dst = append(dst, `":`...)
	return append(dst, value...)
}

func (x *exchange) success(result []byte) []byte {
	var b bytes.Buffer
	b.WriteString(`{"jsonrpc":"2.0","id":`)
	b.Write(x.id)
	b.WriteString(`,"result":`)
	b.Write(result)
	b.WriteByte('}')
	return b.Bytes()
}

func (x *exchange) failure(e *jsonrpc.Error) []byte {
	text, err := json.Marshal(e)
	if err != nil { // Data that is no JSON cannot get here
		text = []byte(`{"code":-32603,"message":"malformed error"}`)
	}
	var b bytes.Buffer
	b.WriteString(`{"jsonrpc":"2.0","id":`)
	b.Write(x.id)
	b.WriteString(`,"error":`)
	b.Write(text)
	b.WriteByte('}')
	return b.Bytes()
}

// fail reports err to the slot and returns the response that ends x for the SDK.
func (x *exchange) fail(err error) []byte {
	if x.slot != nil {
		x.slot.fail(err)
	}
	return x.failure(&jsonrpc.Error{Code: CodeBadAnswer, Message: err.Error()})
}

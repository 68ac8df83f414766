package runtime

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// stateless makes a fake speak 2026-07-28.
func stateless(on answers) answers {
	on[methodDiscover] = func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
		sendJSON(w, m.result(`{"resultType":"complete","supportedVersions":["`+statelessProtocol+`"],"capabilities":{"tools":{}},"ttlMs":0}`))
	}
	return on
}

// A result that cannot be told from a question is still that of a tool which may
// have run; and what says nothing about questions is a result like any other.
func TestResultsThatHardlyAsk(t *testing.T) {
	t.Parallel()
	for result, test := range map[string]struct{ says, before string }{ // "": the result is kept
		`{"content":[{"type":"text","text":"ok"}],"resultType":5}`:                         {says: "malformed"},
		`{"content":[{"type":"text","text":"ok"}],"resultType":{"a":1}}`:                   {says: "malformed"},
		`{"content":[{"type":"text","text":"ok"}],"resultType":null}`:                      {},
		`{"content":[{"type":"text","text":"ok"}],"resultType":"complete"}`:                {},
		`{"content":[{"type":"text","text":"ok"}],"requestState":{"a":1}}`:                 {},
		`{"content":[{"type":"text","text":"ok"}],"requestState":"s"}`:                     {},
		`{"content":[{"type":"text","text":"ok"}],"inputRequests":{}}`:                     {},
		`{"content":[{"type":"text","text":"ok"}],"inputRequests":null}`:                   {},
		`{"content":[{"type":"text","text":"ok"}],"inputRequests":[]}`:                     {says: "does not say", before: "does not say"},
		`{"content":[],"inputRequests":{"a":{"method":"elicitation/create","params":{}}}}`: {says: "does not say", before: "does not say"},
		`{"inputRequests":{"a":null}}`:                                                     {says: "does not say", before: "does not say"},
	} {
		for protocol, says := range map[string]string{statelessProtocol: test.says, legacyProtocol: test.before} {
			on := answers{"tools/call": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) { sendJSON(w, m.result(result)) }}
			if protocol == statelessProtocol {
				on = stateless(on)
			}
			c, server := fakeClient(t, on, quiet(), userSays(ElicitationAnswer{Action: ElicitAccept}))
			if _, _, got := c.ServerInfo(); got != protocol {
				t.Fatalf("protocol %s, want %s", got, protocol)
			}
			res, err := callT(t, c)
			switch {
			case says == "" && (err != nil || res.Text != "ok"):
				t.Errorf("%s, %s: %+v, %v", protocol, result, res, err)
			case says != "" && (err == nil || !strings.Contains(err.Error(), says) || !errors.Is(err, ErrFateUnknown)):
				t.Errorf("%s, %s: %+v, %v, want it to say %q and that the fate is unknown", protocol, result, res, err, says)
			}
			if n := server.count("tools/call"); n != 1 {
				t.Errorf("%s, %s: %d requests", protocol, result, n)
			}
		}
	}
}

// A request that was not taken up is sent again, and the user not asked again.
func TestQuestionsAreAskedOnce(t *testing.T) {
	t.Parallel()
	var requests, questions atomic.Int32
	on := asking(`{"resultType":"input_required","requestState":"s1","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"?"}}}}`)
	answer := on["tools/call"]
	on["tools/call"] = func(w http.ResponseWriter, r *http.Request, m fakeMessage) {
		if requests.Add(1) == 2 {
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		answer(w, r, m)
	}
	c, _ := fakeClient(t, stateless(on), quiet(), WithElicitation(func(context.Context, Elicitation) (ElicitationAnswer, error) {
		questions.Add(1)
		return ElicitationAnswer{Action: ElicitDecline}, nil
	}))
	res, err := callT(t, c)
	if err != nil || res.Text != `s1 {"a":{"action":"decline"}}` {
		t.Errorf("call = %+v, %v", res, err)
	}
	if requests.Load() != 3 || questions.Load() != 1 {
		t.Errorf("%d requests and %d questions, want 3 and 1", requests.Load(), questions.Load())
	}
}

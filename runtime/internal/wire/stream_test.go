package wire

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestStream(t *testing.T) {
	const answer = `{"jsonrpc":"2.0","id":1,"result":{"content":[],"n":9007199254740993}}`
	const note = `{"jsonrpc":"2.0","method":"notifications/progress","params":{}}`
	const brief = `data: {"jsonrpc":"2.0","id":1,"result":{"content":[]}}` + "\n\n"
	for name, test := range map[string]struct {
		in, out string
		err     error // in the slot
	}{
		"plain":                    {"data: " + answer + "\n\n", brief, nil},
		"no space":                 {"data:" + answer + "\n\n", brief, nil},
		"CRLF":                     {"event: message\r\ndata: " + answer + "\r\n\r\n", brief, nil},
		"BOM":                      {"\xef\xbb\xbfdata: " + answer + "\n\n", brief, nil},
		"comments, unknown fields": {": hello\n\n:\ncolour: red\nlonely\ndata: " + answer + "\n\n", brief, nil},
		"padded keep-alives":       {strings.Repeat(": "+strings.Repeat("x", 500)+"\n\n", 5) + "data: " + answer + "\n\n", brief, nil},
		"endless comments":         {strings.Repeat(": "+strings.Repeat("x", 500)+"\n", 5) + "data: " + answer + "\n\n", failed("answer is too large: more than 1000 bytes in one event"), ErrTooLarge},
		"no last blank line":       {"data: " + answer, brief, nil},
		"data in pieces":           {"data: {\"jsonrpc\":\"2.0\",\ndata: \"id\":1,\ndata: \"result\":{\"n\":9007199254740993}}\n\n", brief, nil},
		"id and retry":             {"id: 7\nretry: 100\ndata:\n\nid: 8\ndata: " + answer + "\n\n", "id: 7\nretry: 100\n\nid: 8\n" + brief, nil},
		"notification first":       {"data: " + note + "\n\ndata: " + answer + "\n\n", "data: " + note + "\n\n" + brief, nil},
		"other event":              {"event: other\ndata: junk\n\ndata: " + answer + "\n\n", brief, nil},
		"behind the answer":        {"data: " + answer + "\n\ndata: " + note + "\n\n", brief, nil},
		"resumable":                {"id: 1\ndata: " + note + "\n\n", "id: 1\ndata: " + note + "\n\n", nil},
		"empty":                    {"", failed(ErrNoResponse.Error()), ErrNoResponse},
		"junk":                     {"data: junk\n\n", failed(ErrNotJSON.Error()), ErrNotJSON},
		"too large":                {"id: 1\ndata: " + strings.Repeat("x", 2000) + "\n\n", failed("answer is too large: more than 1000 bytes in one event"), ErrTooLarge},
		"too large in pieces":      {strings.Repeat("data: "+strings.Repeat("x", 50)+"\n", 30) + "\n", failed("answer is too large: more than 1000 bytes in one event"), ErrTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			slot := &Slot{}
			x := &exchange{id: []byte("1"), method: methodCallTool, slot: slot}
			out, err := io.ReadAll(newStream(x, io.NopCloser(iotest.HalfReader(strings.NewReader(test.in))), 1000))
			if err != nil || string(out) != test.out {
				t.Errorf("read %q, %v\nwant %q", out, err, test.out)
			}
			if !errors.Is(slot.Err(), test.err) || (test.err == nil && slot.Err() != nil) {
				t.Errorf("slot has %v, want %v", slot.Err(), test.err)
			}
			if strings.Contains(test.out, `"content"`) && !strings.Contains(string(slot.Result()), "9007199254740993") {
				t.Errorf("slot has %s", slot.Result())
			}
		})
	}
}

// failed is the event that ends a call for the SDK.
func failed(text string) string {
	return `data: {"jsonrpc":"2.0","id":1,"error":{"code":-32098,"message":"` + text + `"}}` + "\n\n"
}

func FuzzStream(f *testing.F) {
	f.Add("id: 1\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n")
	f.Add("data: [\r\ndata\n\n:\n\nretry: x\n\n")
	f.Fuzz(func(t *testing.T, in string) {
		slot := &Slot{}
		x := &exchange{id: []byte("1"), method: methodCallTool, slot: slot}
		s := newStream(x, io.NopCloser(strings.NewReader(in)), 1000)
		out, err := io.ReadAll(s)
		if err != nil {
			t.Fatalf("%q: %v", in, err)
		}
		// What comes out reads the same again: the SDK sees nothing else in it.
		again := &exchange{id: []byte("1"), method: "other"}
		if twice, err := io.ReadAll(newStream(again, io.NopCloser(strings.NewReader(string(out))), 10_000)); err != nil || (!s.resumes && string(twice) != string(out)) {
			t.Fatalf("%q came out as %q and then as %q, %v", in, out, twice, err)
		}
	})
}

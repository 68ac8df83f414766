package runtime

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Tools that change while ConnectAll waits for a slower server are in the registry
// once it returns, although nobody had the server yet when they changed.
func TestChangeWhileOthersConnect(t *testing.T) {
	t.Parallel()
	var lists atomic.Int32
	noted := make(chan struct{}) // the second list has been taken up
	quick := serveHTTP(t, &fakeServer{on: answers{"tools/list": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
		switch lists.Add(1) {
		case 1:
			sendJSON(w, m.result(fakeList))
			return
		case 3:
			close(noted)
		}
		sendJSON(w, m.result(`{"tools":[{"name":"late","inputSchema":{"type":"object"}}]}`))
	}}})
	slow := serveHTTP(t, &fakeServer{on: answers{
		"initialize": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
			<-noted
			sendJSON(w, m.result(fakeInit))
		},
		"tools/list": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) { sendJSON(w, m.result(`{"tools":[]}`)) },
	}})
	quick.Name, slow.Name = "quick", "slow"
	slow.Protocol = legacyProtocol
	reg := NewRegistry(quiet())
	defer func() { _ = reg.Close() }()
	if failed := ConnectAll(t.Context(), reg, []ServerConfig{quick, slow}, WithWatch(Watch{Interval: watchPause})); failed != nil {
		t.Fatal(reg.FailedServers())
	}
	if got := namespace(reg); !slices.Equal(got, []string{"late=quick/late"}) {
		t.Errorf("the registry has %v", got)
	}
}

// Lists are told in the order in which they were compared, also when the first one
// is told slowly; and who tells may list again.
func TestListsAreToldInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEndpoint(ServerConfig{Name: "srv"}, []Option{quiet()})
		e.note(e.beginList(), toolsOfServer("t0"))
		var mu sync.Mutex
		var told []string
		slow := make(chan struct{})
		e.onRelist(func(tools []Tool) {
			if tools[0].WireName == "t1" {
				<-slow
				e.note(e.beginList(), toolsOfServer("again"))
			}
			mu.Lock()
			defer mu.Unlock()
			told = append(told, tools[0].WireName)
		})
		go e.note(e.beginList(), toolsOfServer("t1"))
		synctest.Wait()
		go e.note(e.beginList(), toolsOfServer("t2"))
		synctest.Wait()
		close(slow)
		synctest.Wait()
		if want := []string{"t1", "t2", "again"}; !slices.Equal(told, want) {
			t.Errorf("told %v, want %v", told, want)
		}
	})
}

// A list that was overtaken by one begun later takes nothing back.
func TestOvertakenList(t *testing.T) {
	e := newEndpoint(ServerConfig{Name: "srv"}, []Option{quiet()})
	e.note(e.beginList(), toolsOfServer("t0"))
	var told []string
	e.onRelist(func(tools []Tool) { told = append(told, tools[0].WireName) })
	slow := e.beginList()
	e.note(e.beginList(), toolsOfServer("t1"))
	e.note(slow, toolsOfServer("t0"))
	if !slices.Equal(told, []string{"t1"}) {
		t.Errorf("told %v, want t1 alone", told)
	}
	if err := e.listed("t1"); err != nil {
		t.Errorf("calls of the new tool: %v", err)
	}
}

// What cannot be told is bounded; the newest list is never what is left out.
func TestListsThatWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEndpoint(ServerConfig{Name: "srv"}, []Option{quiet()})
		e.note(e.beginList(), toolsOfServer("t0"))
		stuck := make(chan struct{})
		told := make(chan string, 100)
		e.onRelist(func(tools []Tool) { <-stuck; told <- tools[0].WireName })
		go e.note(e.beginList(), toolsOfServer("t1"))
		synctest.Wait()
		for i := 2; i <= 3*maxWaiting; i++ {
			e.note(e.beginList(), toolsOfServer(fmt.Sprint("t", i)))
		}
		close(stuck)
		synctest.Wait()
		close(told)
		last, n := "", 0
		for last = range told {
			n++
		}
		if want := fmt.Sprint("t", 3*maxWaiting); last != want || n != maxWaiting+1 {
			t.Errorf("told %d lists, the last was %s; want %d and %s", n, last, maxWaiting+1, want)
		}
	})
}

// The first list is no change.
func TestFirstListIsNoChange(t *testing.T) {
	c, _ := fakeClient(t, nil)
	for range 2 {
		if _, err := c.ListTools(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, changes := c.upkeep(); changes != nil {
			t.Errorf("changes %+v", changes)
		}
	}
}

// toolsOfServer are tools as a session lists them.
func toolsOfServer(names ...string) []Tool {
	tools := toolsNamed(names...)
	for i := range tools {
		tools[i].WireName = tools[i].Name
	}
	return tools
}

// A tool that a server left out once is not refused for ever: a server that has just
// started may list its tools one by one, and tell nobody.
func TestToolThatComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const both = `{"tools":[{"name":"t","inputSchema":{"type":"object"}},{"name":"late","inputSchema":{"type":"object"}}]}`
		var list atomic.Pointer[string]
		some, all := fakeList, both
		list.Store(&all)
		c, server := memoryFake(t, answers{"tools/list": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
			if text := *list.Load(); text != "" {
				sendJSON(w, m.result(text))
			} else {
				sendJSON(w, m.failure(-32603, "the list is lost"))
			}
		}})
		tools, err := c.ListTools(t.Context())
		must(t, err)
		reg := NewRegistry(quiet())
		must(t, reg.RegisterServer("srv", c, tools))
		c.onRelist(func(tools []Tool) { reg.retool("srv", c, tools) })
		call := func(want error) {
			t.Helper()
			for _, caller := range []Caller{c, reg} {
				for _, to := range []ToolCall{{Server: "srv", Name: "late"}, {Name: "late"}} {
					if _, err := caller.CallTool(t.Context(), to); !errors.Is(err, want) {
						t.Errorf("%T: %+v: %v", caller, to, err)
					}
				}
			}
		}
		list.Store(&some)
		_, err = c.ListTools(t.Context())
		must(t, err)
		call(ErrUnknownTool)
		if n := server.count("tools/list"); n != 2 {
			t.Errorf("%d lists, want none for calls so soon", n)
		}
		time.Sleep(recheck)
		call(ErrUnknownTool) // still not there
		if n := server.count("tools/list"); n != 3 {
			t.Errorf("%d lists, want one for all the calls", n)
		}
		list.Store(new(string))
		time.Sleep(recheck)
		call(ErrUnknownTool)
		if n := server.count("tools/list"); n != 4 {
			t.Errorf("%d lists, want one for all the calls, though it fails", n)
		}
		list.Store(&all)
		time.Sleep(recheck)
		call(nil)
		must(t, reg.Close())
	})
}

// A server that makes up names does not fill the memory with those that are gone.
func TestNamesOfGoneToolsAreBounded(t *testing.T) {
	e := newEndpoint(ServerConfig{Name: "srv"}, []Option{quiet()})
	s := &server{}
	for i := range 5 {
		names := make([]string, maxTools)
		for j := range names {
			names[j] = fmt.Sprint(i, "-", j)
		}
		e.note(e.beginList(), toolsOfServer(names...))
		s.gone = s.goneSince(ToolChanges{Removed: names})
		if len(e.gone) > 2*maxTools || len(s.gone) > 2*maxTools {
			t.Errorf("after list %d: %d and %d names", i, len(e.gone), len(s.gone))
		}
	}
}

// A tool that is listed again is not gone any more.
func TestToolIsGoneNoMore(t *testing.T) {
	e := newEndpoint(ServerConfig{Name: "srv"}, []Option{quiet()})
	e.note(e.beginList(), toolsOfServer("another"))
	e.note(e.beginList(), toolsOfServer("one"))
	e.note(e.beginList(), toolsOfServer("another"))
	s := &server{}
	s.gone = s.goneSince(ToolChanges{Removed: []string{"one", "another"}})
	s.gone = s.goneSince(ToolChanges{Added: []string{"another"}, Removed: []string{"one"}})
	for of, gone := range map[string]map[string]time.Time{"client": e.gone, "registry": s.gone} {
		if !gone["another"].IsZero() || gone["one"].IsZero() {
			t.Errorf("%s: another, which is there, is gone since %v, and one since %v", of, gone["another"], gone["one"])
		}
	}
}

package faultserver

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// A Ledger counts how often each call was carried out. It outlives the servers that
// write to it. It is safe for concurrent use.
type Ledger struct {
	mu   sync.Mutex
	runs map[string]int
}

func (l *Ledger) ran(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.runs == nil {
		l.runs = map[string]int{}
	}
	l.runs[id]++
}

// Runs is how often the call with that id was carried out.
func (l *Ledger) Runs(id string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.runs[id]
}

// Chaos returns a server whose every call may go wrong in a way of the seed's
// choosing. A call has its id in the argument "id", and is in the ledger when it was
// carried out, whatever the server says then.
func Chaos(seed uint64, ledger *Ledger) http.Handler {
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(seed, 0))
	dice := func(n int) int {
		mu.Lock()
		defer mu.Unlock()
		return random.IntN(n)
	}
	return &Server{on: answers{http.MethodGet: streamDropped[http.MethodGet], "tools/call": func(s *Server, w http.ResponseWriter, r *http.Request, m Message) {
		if !s.knows(r.Header.Get(headerSession)) {
			s.Sane(w, r, m)
			return
		}
		if mood := dice(100); mood < len(refusals) {
			refusals[mood](s, w, r, m)
			return
		}
		ledger.ran(m.Params.Arguments.ID)
		if dice(10) == 0 {
			select {
			case <-time.After(time.Duration(dice(1000)) * time.Millisecond):
			case <-r.Context().Done():
				return
			}
		}
		if mood := dice(100); mood < len(corruptions) {
			corruptions[mood](s, w, r, m)
			return
		}
		// Not Sane: a session that was forgotten meanwhile would have it answer 404,
		// which is a promise that the call was not carried out.
		JSON(w, m.Result(OK))
	}}}
}

// refusals do not carry the call out.
var refusals = []answer{
	func(s *Server, w http.ResponseWriter, _ *http.Request, _ Message) {
		s.Forget()
		w.WriteHeader(http.StatusNotFound)
	},
	func(s *Server, w http.ResponseWriter, _ *http.Request, _ Message) {
		s.Forget()
		http.Error(w, "Bad Request: no valid session", http.StatusBadRequest)
	},
	func(_ *Server, w http.ResponseWriter, _ *http.Request, _ Message) {
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
	},
	func(_ *Server, w http.ResponseWriter, _ *http.Request, _ Message) {
		w.WriteHeader(http.StatusBadRequest)
	},
	func(_ *Server, w http.ResponseWriter, _ *http.Request, m Message) {
		JSON(w, m.Failure(-32603, "not today"))
	},
}

// corruptions carry it out and answer badly.
var corruptions = chosen("InvalidJSON", "Batch", "HTML", "Accepted", "ServerError", "BodyCutInHalf", "SlowHeaders", "SlowBody",
	"JunkInStream", "StreamComments", "StreamWithoutIDs", "StreamDropped", "StreamLeftOpen", "DuplicateID", "WrongID", "ChangedSessionID")

func chosen(names ...string) []answer {
	var list []answer
	for _, faults := range [][]Fault{callFaults, streamFaults, sessionFaults} {
		for _, f := range faults {
			for _, name := range names {
				if f.Name == name {
					list = append(list, f.on["tools/call fault"])
				}
			}
		}
	}
	return list
}

// ChaosChild names the child that does what [Chaos] does, for [RunChild]. Its ledger
// is a file with an id per line, see [LedgerFile].
const ChaosChild = "Chaos"

// LedgerFile names the variable with the file.
const LedgerFile = "MCPBIND_FAULT_LEDGER"

func chaosChild() {
	file, err := os.OpenFile(os.Getenv(LedgerFile), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	writePids(os.Getpid())
	replies(func(m Message) string {
		if m.Method != "tools/call" {
			return ""
		}
		if rand.IntN(50) == 0 {
			return m.Failure(-32603, "not today")
		}
		_, _ = fmt.Fprintln(file, m.Params.Arguments.ID)
		switch rand.IntN(60) {
		case 0:
			os.Exit(1)
		case 1:
			fmt.Println(strings.Repeat("junk ", 1000))
		case 2:
			time.Sleep(time.Duration(rand.IntN(500)) * time.Millisecond)
		case 3:
			fmt.Fprintln(os.Stderr, strings.Repeat("e", 1<<16))
		}
		return ""
	})
}

package faultserver

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
)

// replies serves standard input by reply, "" for the sane answer.
func replies(reply func(m Message) string) {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var m Message
		_ = json.Unmarshal(lines.Bytes(), &m)
		answer := reply(m)
		if answer == "" {
			answer = saneReply(m)
		}
		if m.ID != nil {
			fmt.Println(answer)
		}
	}
}

func saneReply(m Message) string {
	switch m.Method {
	case "initialize":
		return m.Result(Init)
	case "ping":
		return m.Result(`{}`)
	case "tools/list":
		return m.Result(List)
	case "tools/call":
		return m.Result(OK)
	}
	return m.Failure(-32601, "method not found")
}

// onFault is a child that does something when the tool "fault" is called, and
// answers what that returns.
func onFault(do func(m Message) string) func() {
	return func() {
		replies(func(m Message) string {
			if m.Method == "tools/call" && m.Params.Name == "fault" {
				return do(m)
			}
			return ""
		})
	}
}

// PidFile names the variable with the file to which a child writes the process ids
// of itself and of what it started.
const PidFile = "MCPBIND_FAULT_PIDS"

func writePids(pids ...int) {
	var text []string
	for _, pid := range pids {
		text = append(text, strconv.Itoa(pid))
	}
	_ = os.WriteFile(os.Getenv(PidFile), []byte(strings.Join(text, " ")), 0o600)
}

var childFaults = []Fault{
	{Name: "StrayLines", Does: "prints banners and half messages on stdout", Sees: "the result",
		child: func() {
			fmt.Print("Server running on stdio\n\n42\n[1,2]\nnull\n{\"level\":\"info\"}\n{\"jsonrpc\":\n")
			onFault(func(Message) string { fmt.Println("working..."); return "" })()
		}},
	{Name: "StopsReading", Does: "stops reading its stdin", Sees: "a timeout of the call; Close in bounded time",
		child: onFault(func(Message) string { select {} })},
	{Name: "NeverExits", Does: "ignores the end of its stdin and signals", Sees: "Close in bounded time; the child is killed",
		child: func() {
			signal.Ignore()
			writePids(os.Getpid())
			replies(func(Message) string { return "" })
			select {}
		}},
	{Name: "Forks", Does: "starts a process that outlives it and holds its stdout", Sees: "Close in bounded time; that process is killed as well",
		child: func() {
			if os.Getenv("MCPBIND_FAULT_GRANDCHILD") != "" {
				signal.Ignore()
				select {}
			}
			again := exec.Command(os.Args[0], os.Args[1:]...)
			again.Env = append(os.Environ(), "MCPBIND_FAULT_GRANDCHILD=1")
			again.Stdout, again.Stderr = os.Stdout, os.Stderr
			_ = again.Start()
			writePids(os.Getpid(), again.Process.Pid)
			replies(func(Message) string { return "" })
		}},
	{Name: "FloodsStderr", Does: "writes to stderr without end", Sees: "the result; 8 KiB are kept",
		child: func() {
			go func() {
				line := strings.Repeat("e", 1<<16) + "\n"
				for {
					_, _ = os.Stderr.WriteString(line)
				}
			}()
			replies(func(Message) string { return "" })
		}},
	{Name: "FloodsStdout", Does: "writes notifications to stdout without end once it is called", Sees: "a timeout of the call; little is kept and no more than 10,000 lines a second are read",
		child: onFault(func(Message) string {
			page := strings.Repeat(note+"\n", 1000)
			for {
				if _, err := os.Stdout.WriteString(page); err != nil {
					os.Exit(1)
				}
			}
		})},
	{Name: "EndlessLine", Does: "writes one line without end once it is called", Sees: "a timeout of the call; no more than the limit of 16 MiB is kept",
		child: onFault(func(m Message) string {
			fmt.Print(`{"jsonrpc":"2.0","result":"`)
			page := strings.Repeat("x", 1<<20)
			for range 200 {
				if _, err := os.Stdout.WriteString(page); err != nil {
					os.Exit(1)
				}
			}
			select {}
		})},
	{Name: "Exits", Does: "exits during a call with something on stderr", Sees: "an error with exit status and stderr, and " + unknown + "; the next call starts it again",
		child: onFault(func(Message) string {
			fmt.Fprintln(os.Stderr, "out of luck")
			os.Exit(9)
			return ""
		})},
	{Name: "ExitsAtOnce", Does: "exits before it says anything", Sees: "an error of connecting with exit status and stderr",
		child: func() {
			fmt.Fprintln(os.Stderr, "no configuration")
			os.Exit(3)
		}},
	{Name: "DiscoverExits", Does: "exits when it is asked server/discover", Sees: "a connection by the older protocol",
		child: func() {
			replies(func(m Message) string {
				if m.Method == "server/discover" {
					os.Exit(7)
				}
				return ""
			})
		}},
	{Name: "KilledChild", Does: "is killed from outside between two calls", Sees: "the result, of a child that was started again",
		child: func() {
			writePids(os.Getpid())
			replies(func(Message) string { return "" })
		}},
}

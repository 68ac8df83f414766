package faultserver

import "net/http"

// stateless is a server of 2026-07-28, whose answers to calls and lists are given.
func stateless(list string, call answer) answers {
	return answers{
		"server/discover": func(_ *Server, w http.ResponseWriter, _ *http.Request, m Message) {
			JSON(w, m.Result(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0}`))
		},
		"tools/list": func(_ *Server, w http.ResponseWriter, _ *http.Request, m Message) { JSON(w, m.Result(list)) },
		"tools/call": call,
	}
}

var statelessFaults = []Fault{
	{Name: "WantsHeaders", Does: "refuses calls that do not repeat an argument in a header, as its tools ask for", Sees: "the result",
		on: stateless(
			`{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{"name":"fault","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}},`+sane+`]}`,
			func(_ *Server, w http.ResponseWriter, r *http.Request, m Message) {
				if m.Params.Name == "fault" && r.Header.Get("Mcp-Param-Region") != "eu" {
					w.WriteHeader(http.StatusBadRequest)
					return
				}
				JSON(w, m.Result(OK))
			})},
	{Name: "CachedList", Does: "lets its list of tools be kept for an hour, by everybody", Sees: "a fresh list whenever it is asked for, of its own",
		on: stateless(
			`{"resultType":"complete","ttlMs":3600000,"cacheScope":"public","tools":[`+sane+`]}`,
			func(_ *Server, w http.ResponseWriter, _ *http.Request, m Message) { JSON(w, m.Result(OK)) })},
}

package runtime

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/codes"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// tracing returns a provider and what it exports.
func tracing() (*sdktrace.TracerProvider, *tracetest.InMemoryExporter) {
	spans := tracetest.NewInMemoryExporter()
	return sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans)), spans
}

func attributesOf(span tracetest.SpanStub) map[attribute.Key]any {
	m := map[attribute.Key]any{}
	for _, kv := range span.Attributes {
		m[kv.Key] = kv.Value.AsInterface()
	}
	return m
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func answer(status int, contentType string) roundTripper {
	return func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {contentType}}, Body: io.NopCloser(strings.NewReader("{}"))}, nil
	}
}

func request(t *testing.T, method, url string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	return req
}

func TestTracingTransport(t *testing.T) {
	provider, spans := tracing()
	var sent *http.Request
	rt := NewTracingTransport(roundTripper(func(req *http.Request) (*http.Response, error) {
		sent = req
		return answer(200, "application/json")(req)
	}), "github", WithTracerProvider(provider))
	req := request(t, "POST", "https://user:secret@example.com:8443/mcp?key=secret&secret&x=#secret")
	member, err := baggage.NewMember("tenant", "7")
	if err != nil {
		t.Fatal(err)
	}
	bag, err := baggage.New(member)
	if err != nil {
		t.Fatal(err)
	}
	req = req.WithContext(baggage.ContextWithBaggage(t.Context(), bag))
	res, err := rt.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(spans.GetSpans()); n != 0 {
		t.Errorf("%d spans ended before the body was read", n)
	}
	if _, err := io.ReadAll(res.Body); err != nil {
		t.Fatal(err)
	}
	if err := res.Body.Close(); err != nil {
		t.Fatal(err)
	}
	got := spans.GetSpans()
	if len(got) != 1 || got[0].Name != "POST" || got[0].SpanKind != trace.SpanKindClient || got[0].Status.Code != codes.Unset {
		t.Fatalf("spans %v", got)
	}
	want := map[attribute.Key]any{
		"mcpbind.server.name": "github", "http.request.method": "POST", "http.response.status_code": int64(200),
		"url.full":       "https://REDACTED:REDACTED@example.com:8443/mcp?key=REDACTED&REDACTED&x=REDACTED",
		"server.address": "example.com", "server.port": int64(8443),
	}
	if diff := cmp.Diff(want, attributesOf(got[0])); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	traceparent := "00-" + got[0].SpanContext.TraceID().String() + "-" + got[0].SpanContext.SpanID().String() + "-01"
	if h := sent.Header; h.Get("Traceparent") != traceparent || h.Get("Baggage") != "tenant=7" {
		t.Errorf("headers %v, want traceparent %s", h, traceparent)
	}
	if sent == req || len(req.Header) != 0 {
		t.Error("the caller's request was changed")
	}
}

// TestTracingNeverSeesSecrets looks at what a sampler is given, which is before any
// later change.
func TestTracingNeverSeesSecrets(t *testing.T) {
	var seen []attribute.KeyValue
	sampler := samplerFunc(func(p sdktrace.SamplingParameters) { seen = append(seen, p.Attributes...) })
	rt := NewTracingTransport(answer(200, "application/json"), "s",
		WithTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSampler(sampler))))
	res, err := rt.RoundTrip(request(t, "GET", "https://u:hush@h/p?token=hush"))
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Body.Close(); err != nil {
		t.Fatal(err)
	}
	if len(seen) == 0 {
		t.Fatal("the sampler was not asked")
	}
	for _, kv := range seen {
		if strings.Contains(kv.Value.String(), "hush") {
			t.Errorf("%s is %s", kv.Key, kv.Value.String())
		}
	}
}

type samplerFunc func(sdktrace.SamplingParameters)

func (f samplerFunc) ShouldSample(p sdktrace.SamplingParameters) sdktrace.SamplingResult {
	f(p)
	return sdktrace.SamplingResult{Decision: sdktrace.RecordAndSample}
}
func (samplerFunc) Description() string { return "test" }

func TestTracingOutcomes(t *testing.T) {
	broken := errors.New("dial: secret")
	tests := []struct {
		name, method string
		base         roundTripper
		errorType    any  // nil: no error
		ends         bool // with the headers
	}{
		{"success", "POST", answer(202, "application/json"), nil, false},
		{"an answer as events", "POST", answer(200, "text/event-stream"), nil, false},
		{"a stream of events", "GET", answer(200, "text/event-stream; charset=utf-8"), nil, true},
		{"not found", "POST", answer(404, "text/plain"), "404", false},
		{"server error", "POST", answer(503, "text/plain"), "503", false},
		{"no answer", "POST", func(*http.Request) (*http.Response, error) { return nil, broken }, "_OTHER", true},
		{"too late", "POST", func(*http.Request) (*http.Response, error) { return nil, context.DeadlineExceeded }, "timeout", true},
		{"a body that breaks", "POST", func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: io.NopCloser(io.MultiReader(strings.NewReader("{"), failingReader{broken}))}, nil
		}, "_OTHER", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			provider, spans := tracing()
			res, err := NewTracingTransport(tt.base, "s", WithTracerProvider(provider)).RoundTrip(request(t, tt.method, "http://h/"))
			if ended := len(spans.GetSpans()) == 1; ended != tt.ends {
				t.Errorf("ended with the headers: %v", ended)
			}
			if err == nil {
				_, _ = io.ReadAll(res.Body)
				if err := res.Body.Close(); err != nil {
					t.Error(err)
				}
			}
			got := spans.GetSpans()
			if len(got) != 1 {
				t.Fatalf("spans %v", got)
			}
			if got := attributesOf(got[0])["error.type"]; got != tt.errorType {
				t.Errorf("error.type %v", got)
			}
			if failed := got[0].Status.Code == codes.Error; failed != (tt.errorType != nil) || strings.Contains(got[0].Status.Description, "secret") {
				t.Errorf("status %v", got[0].Status)
			}
		})
	}
}

type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }

func TestTracingTransportDefaults(t *testing.T) {
	ts := httptest.NewServer(http.NotFoundHandler())
	defer ts.Close()
	client := &http.Client{Transport: NewTracingTransport(nil, "s")}
	defer client.CloseIdleConnections()
	res, err := client.Do(request(t, "GET", ts.URL))
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Body.Close(); err != nil || res.StatusCode != http.StatusNotFound {
		t.Errorf("%v, %v", res.Status, err)
	}
}

// TestClientTelemetry holds that a call is one span over its HTTP round trip, that
// the server learns of it in both carriers, and that metrics are recorded.
func TestClientTelemetry(t *testing.T) {
	var meta mcp.Meta
	var header http.Header
	server := testServer()
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "tools/call" {
				meta = req.GetParams().GetMeta()
				if extra := req.GetExtra(); extra != nil {
					header = extra.Header
				}
			}
			return next(ctx, method, req)
		}
	})
	clients := map[string]func(...Option) connectable{
		"tcp": func(opts ...Option) connectable {
			handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
			return NewStreamableHTTPClient(serveHTTP(t, handler), opts...)
		},
		"pipe": func(opts ...Option) connectable {
			return memoryClient(t, server, ServerConfig{Name: "srv", Command: "x"}, opts...)
		},
	}
	for transport, client := range clients {
		t.Run(transport, func(t *testing.T) {
			meta, header = nil, nil
			provider, spans := tracing()
			reader := sdkmetric.NewManualReader()
			c := client(WithTracerProvider(provider), WithMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))))
			connected(t, c)
			spans.Reset()
			ctx, parent := provider.Tracer("test").Start(t.Context(), "agent")
			if _, err := c.CallTool(ctx, ToolCall{Name: "fail"}); err != nil {
				t.Fatal(err)
			}
			parent.End()
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}

			call := spanNamed(t, spans, "tools/call fail")
			if call.Parent.SpanID() != parent.SpanContext().SpanID() {
				t.Error("the call is not below the caller's span")
			}
			attributes := attributesOf(call)
			for key, want := range map[attribute.Key]any{
				"error.type": "tool_error", "network.transport": transport, "gen_ai.tool.name": "fail",
				"gen_ai.operation.name": "execute_tool", "mcpbind.server.name": "srv",
			} {
				if attributes[key] != want {
					t.Errorf("%s is %v, want %v", key, attributes[key], want)
				}
			}
			if got, want := meta["traceparent"], traceparent(call); got != want {
				t.Errorf("traceparent in _meta is %v, want %s", got, want)
			}
			if transport == "tcp" {
				// The POST of notifications/initialized may end late: it is another's.
				round := spanWhere(t, spans, "POST below the call", func(s tracetest.SpanStub) bool {
					return s.Name == "POST" && s.Parent.SpanID() == call.SpanContext.SpanID()
				})
				if got, want := header.Get("Traceparent"), traceparent(round); got != want {
					t.Errorf("traceparent header is %q, want %s", got, want)
				}
			}
			for _, name := range []string{"mcp.client.operation.duration", "mcp.client.session.duration"} {
				if n := measured(t, reader, name); n == 0 {
					t.Errorf("%s was not recorded", name)
				}
			}
		})
	}
}

func traceparent(span tracetest.SpanStub) string {
	return "00-" + span.SpanContext.TraceID().String() + "-" + span.SpanContext.SpanID().String() + "-01"
}

func spanNamed(t *testing.T, spans *tracetest.InMemoryExporter, name string) tracetest.SpanStub {
	t.Helper()
	return spanWhere(t, spans, name, func(s tracetest.SpanStub) bool { return s.Name == name })
}

// spanWhere waits for a span: that of a request ends with its body, which may be
// after the call has its result.
func spanWhere(t *testing.T, spans *tracetest.InMemoryExporter, what string, fits func(tracetest.SpanStub) bool) tracetest.SpanStub {
	t.Helper()
	for deadline := time.Now().Add(plenty); ; time.Sleep(5 * time.Millisecond) {
		var names []string
		for _, span := range spans.GetSpans() {
			if fits(span) {
				return span
			}
			names = append(names, span.Name)
		}
		if time.Now().After(deadline) {
			t.Fatalf("no span %q in %q", what, names)
		}
	}
}

// measured is how many measurements a histogram has.
func measured(t *testing.T, reader sdkmetric.Reader, name string) (n uint64) {
	t.Helper()
	var data metricdata.ResourceMetrics
	if err := reader.Collect(t.Context(), &data); err != nil {
		t.Fatal(err)
	}
	for _, scope := range data.ScopeMetrics {
		for _, m := range scope.Metrics {
			if h, ok := m.Data.(metricdata.Histogram[float64]); ok && m.Name == name {
				for _, point := range h.DataPoints {
					n += point.Count
				}
			}
		}
	}
	return n
}

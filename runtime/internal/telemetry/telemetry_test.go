package telemetry_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/codes"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/mcpbind/mcpbind/runtime/internal/telemetry"
)

// recorder keeps what instruments record.
type recorder struct {
	spans  *tracetest.InMemoryExporter
	reader *sdkmetric.ManualReader
	*telemetry.Instruments
}

func newRecorder() recorder {
	spans, reader := tracetest.NewInMemoryExporter(), sdkmetric.NewManualReader()
	return recorder{spans, reader, telemetry.New(
		sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans)),
		sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)))}
}

// points returns the measurements of a histogram.
func (r recorder) points(t *testing.T, name string) []metricdata.HistogramDataPoint[float64] {
	t.Helper()
	var data metricdata.ResourceMetrics
	if err := r.reader.Collect(t.Context(), &data); err != nil {
		t.Fatal(err)
	}
	for _, scope := range data.ScopeMetrics {
		for _, m := range scope.Metrics {
			if m.Name == name && m.Unit == "s" {
				return m.Data.(metricdata.Histogram[float64]).DataPoints
			}
		}
	}
	return nil
}

func asMap(attributes []attribute.KeyValue) map[string]any {
	m := map[string]any{}
	for _, kv := range attributes {
		m[string(kv.Key)] = kv.Value.AsInterface()
	}
	return m
}

func TestOperations(t *testing.T) {
	call := telemetry.Operation{
		Method: "tools/call", Tool: "get-sum", Server: "sums", Transport: telemetry.TCP,
		Address: "example.com", Port: 8080, Protocol: "2025-11-25", SessionID: "s1",
	}
	attributes := map[string]any{
		"mcp.method.name": "tools/call", "gen_ai.tool.name": "get-sum", "gen_ai.operation.name": "execute_tool",
		"mcpbind.server.name": "sums", "network.transport": "tcp", "server.address": "example.com", "server.port": int64(8080),
		"mcp.protocol.version": "2025-11-25",
	}
	tests := []struct {
		name      string
		op        telemetry.Operation
		err       error
		toolError bool
		span      string
		more      map[string]any
	}{
		{"a call", call, nil, false, "tools/call get-sum", nil},
		{"a tool that says no", call, nil, true, "tools/call get-sum", map[string]any{"error.type": "tool_error"}},
		{"a server that says no", call, fmt.Errorf("call: %w", &jsonrpc.Error{Code: -32602, Message: "secret"}), false,
			"tools/call get-sum", map[string]any{"error.type": "-32602", "rpc.response.status_code": "-32602"}},
		{"a fault of the SDK's transport", call, &jsonrpc.Error{Code: -32004}, false, "tools/call get-sum", map[string]any{"error.type": "_OTHER"}},
		{"too late", call, fmt.Errorf("call: %w", context.DeadlineExceeded), false, "tools/call get-sum", map[string]any{"error.type": "timeout"}},
		{"given up", call, context.Canceled, false, "tools/call get-sum", map[string]any{"error.type": "cancelled"}},
		{"another fault", call, errors.New("secret"), false, "tools/call get-sum", map[string]any{"error.type": "_OTHER"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRecorder()
			ctx, span := r.Start(t.Context(), tt.op)
			if !trace.SpanContextFromContext(ctx).IsValid() {
				t.Error("no span in the context")
			}
			span.End(tt.err, tt.toolError)

			want := map[string]any{}
			for _, m := range []map[string]any{attributes, tt.more} {
				maps.Copy(want, m)
			}
			points := r.points(t, telemetry.OperationDuration)
			if len(points) != 1 || points[0].Count != 1 {
				t.Fatalf("measurements: %v", points)
			}
			if diff := cmp.Diff(want, asMap(points[0].Attributes.ToSlice())); diff != "" {
				t.Errorf("measurement: -want +got\n%s", diff)
			}
			want["mcp.session.id"] = "s1"
			spans := r.spans.GetSpans()
			if len(spans) != 1 || spans[0].Name != tt.span || spans[0].SpanKind != trace.SpanKindClient {
				t.Fatalf("spans: %v", spans)
			}
			if diff := cmp.Diff(want, asMap(spans[0].Attributes)); diff != "" {
				t.Errorf("span: -want +got\n%s", diff)
			}
			if failed := spans[0].Status.Code == codes.Error; failed != (tt.more != nil) {
				t.Errorf("status %v", spans[0].Status)
			}
			if spans[0].Status.Description == "secret" || len(spans[0].Events) > 0 {
				t.Errorf("text of an error is recorded: %v", spans[0])
			}
		})
	}
}

// Each code would be a time series, and a server may choose any.
func TestCodesOfAServersChoice(t *testing.T) {
	r := newRecorder()
	for code := range int64(1000) {
		_, span := r.Start(t.Context(), telemetry.Operation{Method: "tools/call", Transport: telemetry.TCP})
		span.End(&jsonrpc.Error{Code: code}, false)
	}
	points := r.points(t, telemetry.OperationDuration)
	if len(points) != 1 || points[0].Count != 1000 {
		t.Fatalf("%d series", len(points))
	}
	got := asMap(points[0].Attributes.ToSlice())
	if got["error.type"] != "_OTHER" || got["rpc.response.status_code"] != "_OTHER" {
		t.Errorf("measurement: %v", got)
	}
	if got := asMap(r.spans.GetSpans()[7].Attributes); got["error.type"] != "7" || got["rpc.response.status_code"] != "7" {
		t.Errorf("span: %v", got)
	}
}

func TestOtherMethods(t *testing.T) {
	r := newRecorder()
	_, span := r.Start(t.Context(), telemetry.Operation{Method: "tools/list", Transport: telemetry.Pipe})
	span.End(nil, false)
	got := r.spans.GetSpans()[0]
	if got.Name != "tools/list" {
		t.Errorf("name %q", got.Name)
	}
	if diff := cmp.Diff(map[string]any{"mcp.method.name": "tools/list", "network.transport": "pipe"}, asMap(got.Attributes)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestSessions(t *testing.T) {
	r := newRecorder()
	r.SessionEnded(time.Now().Add(-7*time.Second), telemetry.Operation{Method: "initialize", Transport: telemetry.Pipe}, nil)
	points := r.points(t, telemetry.SessionDuration)
	if len(points) != 1 || points[0].Sum < 7 || points[0].Sum > 30 {
		t.Fatalf("measurements: %v", points)
	}
	if diff := cmp.Diff([]float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300}, points[0].Bounds); diff != "" {
		t.Errorf("buckets: -want +got\n%s", diff)
	}
	if diff := cmp.Diff(map[string]any{"network.transport": "pipe"}, asMap(points[0].Attributes.ToSlice())); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestInjectMeta(t *testing.T) {
	meta := map[string]any{"progressToken": 1}
	if got := telemetry.InjectMeta(t.Context(), meta); len(got) != 1 {
		t.Errorf("without a span: %v", got)
	}
	state, err := trace.ParseTraceState("vendor=1")
	if err != nil {
		t.Fatal(err)
	}
	member, err := baggage.NewMember("user", "7")
	if err != nil {
		t.Fatal(err)
	}
	bag, err := baggage.New(member)
	if err != nil {
		t.Fatal(err)
	}
	ctx := baggage.ContextWithBaggage(trace.ContextWithSpanContext(t.Context(), trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: trace.FlagsSampled, TraceState: state,
	})), bag)
	want := map[string]any{
		"progressToken": 1,
		"traceparent":   "00-01000000000000000000000000000000-0200000000000000-01",
		"tracestate":    "vendor=1",
		"baggage":       "user=7",
	}
	if diff := cmp.Diff(want, telemetry.InjectMeta(ctx, meta)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if len(meta) != 1 {
		t.Error("the caller's meta was changed")
	}
}

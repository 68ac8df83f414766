// Package telemetry records what an MCP client does as OpenTelemetry spans and
// metrics, by the semantic conventions for MCP.
//
// In: operations as they begin and end. Out: a client span and a measurement for
// each, and the trace context in a request's _meta. No text of a server but a
// tool's name, no argument, header or error text is recorded. It must never import
// the rest of runtime.
package telemetry

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// Propagator writes W3C trace context and baggage. It is ours and not the global
// one: MCP names these two, and a program that never set the global propagator
// would send nothing.
var Propagator propagation.TextMapPropagator = propagation.NewCompositeTextMapPropagator(
	propagation.TraceContext{}, propagation.Baggage{})

// Instruments is where the operations of a client are recorded. It is safe for
// concurrent use.
type Instruments struct {
	tracer     trace.Tracer
	operations metric.Float64Histogram
	sessions   metric.Float64Histogram
}

// New returns instruments of the given providers; nil stands for the global one.
func New(tracers trace.TracerProvider, meters metric.MeterProvider) *Instruments {
	if tracers == nil {
		tracers = otel.GetTracerProvider()
	}
	if meters == nil {
		meters = otel.GetMeterProvider()
	}
	meter := meters.Meter(Scope)
	return &Instruments{
		tracer:     tracers.Tracer(Scope),
		operations: histogram(meter, OperationDuration, "How long an operation of an MCP client takes."),
		sessions:   histogram(meter, SessionDuration, "How long a session of an MCP client lasts."),
	}
}

func histogram(meter metric.Meter, name, description string) metric.Float64Histogram {
	h, err := meter.Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(description),
		metric.WithExplicitBucketBoundaries(buckets...))
	if err != nil { // a provider's fault must not stop a call
		return noop.Float64Histogram{}
	}
	return h
}

// An Operation is one request of an MCP client. Empty fields are not recorded.
type Operation struct {
	Method    string // like "tools/list"
	Tool      string // wire name, for tools/call
	Server    string // configured name
	Transport string // TCP or Pipe
	Address   string // host, without port
	Port      int
	Protocol  string // MCP version
	SessionID string
}

// A Span is one operation under way.
type Span struct {
	instruments *Instruments
	op          Operation
	span        trace.Span
	start       time.Time
}

// Start begins op. Requests made under the context it returns belong to the span.
// End must be called.
func (in *Instruments) Start(ctx context.Context, op Operation) (context.Context, *Span) {
	name := op.Method
	if op.Tool != "" {
		name += " " + op.Tool
	}
	attributes := append(op.attributes(), optional(SessionID, op.SessionID)...)
	ctx, span := in.tracer.Start(ctx, name, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attributes...))
	return ctx, &Span{instruments: in, op: op, span: span, start: time.Now()}
}

// End ends the operation: with err, with a result that says isError, or well.
func (s *Span) End(err error, toolError bool) {
	attributes := failure(err, toolError)
	if len(attributes) > 0 {
		s.span.SetAttributes(attributes...)
		s.span.SetStatus(codes.Error, attributes[0].Value.AsString())
	}
	s.span.End()
	// The context of the call may be over, but exemplars need its span.
	ctx := trace.ContextWithSpan(context.Background(), s.span)
	s.instruments.operations.Record(ctx, time.Since(s.start).Seconds(),
		metric.WithAttributes(append(s.op.attributes(), measured(attributes)...)...))
}

// SessionEnded records a session that began at start and ended with err, nil for
// one that was closed. Of op, method and tool do not count.
func (in *Instruments) SessionEnded(start time.Time, op Operation, err error) {
	op.Method, op.Tool = "", ""
	in.sessions.Record(context.Background(), time.Since(start).Seconds(),
		metric.WithAttributes(append(op.attributes(), measured(failure(err, false))...)...))
}

// attributes are those of the span and the measurement alike; a session's id is
// for spans only, as each would be a time series of its own.
func (op Operation) attributes() []attribute.KeyValue {
	kv := optional(MethodName, op.Method)
	kv = append(kv, optional(ServerName, op.Server)...)
	kv = append(kv, optional(ToolName, op.Tool)...)
	kv = append(kv, optional(ProtocolVersion, op.Protocol)...)
	kv = append(kv, optional(NetworkTransport, op.Transport)...)
	kv = append(kv, optional(ServerAddress, op.Address)...)
	if op.Method == MethodCallTool {
		kv = append(kv, attribute.String(OperationName, ExecuteTool))
	}
	if op.Port != 0 {
		kv = append(kv, attribute.Int(ServerPort, op.Port))
	}
	return kv
}

func optional(key, value string) []attribute.KeyValue {
	if value == "" {
		return nil
	}
	return []attribute.KeyValue{attribute.String(key, value)}
}

// failure returns the attributes of a failed operation, the error's class first;
// none when it went well.
func failure(err error, toolError bool) []attribute.KeyValue {
	if err == nil {
		if toolError {
			return optional(ErrorType, ToolError)
		}
		return nil
	}
	if code, ok := rpcCode(err); ok {
		return []attribute.KeyValue{attribute.String(ErrorType, code), attribute.String(RPCStatusCode, code)}
	}
	return optional(ErrorType, ClassOf(err))
}

// measured returns the attributes of a failure as measurements have them. A server
// may choose any code, and each would be a time series of its own: all but the usual
// ones are one.
func measured(failure []attribute.KeyValue) []attribute.KeyValue {
	kept := slices.Clone(failure)
	if i := slices.IndexFunc(kept, func(kv attribute.KeyValue) bool { return kv.Key == RPCStatusCode }); i >= 0 && !slices.Contains(usualCodes, kept[i].Value.AsString()) {
		return []attribute.KeyValue{attribute.String(ErrorType, OtherError), attribute.String(RPCStatusCode, OtherError)}
	}
	return kept
}

// usualCodes are those that JSON-RPC and MCP define.
var usualCodes = []string{"-32700", "-32603", "-32602", "-32601", "-32600", "-32042", "-32002", "-32001", "-32000"}

// rpcCode returns the code of the JSON-RPC error that the server answered with.
// The SDK reports faults of its own transports as such errors too, with codes from
// -32003 to -32005: those are none of the server's.
func rpcCode(err error) (string, bool) {
	rpc, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok || -32005 <= rpc.Code && rpc.Code <= -32003 {
		return "", false
	}
	return strconv.FormatInt(rpc.Code, 10), true
}

// ClassOf returns the class of a failure: Timeout, Cancelled or OtherError.
func ClassOf(err error) string {
	timeout, _ := errors.AsType[interface {
		error
		Timeout() bool
	}](err)
	switch {
	case errors.Is(err, context.DeadlineExceeded), timeout != nil && timeout.Timeout():
		return Timeout
	case errors.Is(err, context.Canceled):
		return Cancelled
	}
	return OtherError
}

// InjectMeta returns meta with the trace context of ctx in it, as MCP has it: the
// W3C names, unprefixed. meta itself is not changed: it may be the caller's. With
// nothing to add, meta is returned.
func InjectMeta(ctx context.Context, meta map[string]any) map[string]any {
	carrier := propagation.MapCarrier{}
	Propagator.Inject(ctx, carrier)
	if len(carrier) == 0 {
		return meta
	}
	carried := make(map[string]any, len(meta)+len(carrier))
	maps.Copy(carried, meta)
	for key, value := range carrier {
		carried[key] = value
	}
	return carried
}

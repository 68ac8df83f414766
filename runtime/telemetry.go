package runtime

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/mcpbind/mcpbind/runtime/internal/telemetry"
)

// A TracerOption is an [Option] and a [TracingOption].
type TracerOption interface {
	Option
	TracingOption
}

type tracerOption struct{ provider trace.TracerProvider }

func (o tracerOption) applyClient(to *options)           { to.tracers = o.provider }
func (o tracerOption) applyTracing(to *tracingTransport) { to.provider = o.provider }

// WithTracerProvider sets where spans go: one for each operation of a client, and
// below it one for each HTTP round trip. Without it, or with nil, they go to
// OpenTelemetry's global provider.
func WithTracerProvider(provider trace.TracerProvider) TracerOption { return tracerOption{provider} }

// WithMeterProvider sets where the metrics of clients go: the histograms
// mcp.client.operation.duration and mcp.client.session.duration. Without it, or
// with nil, they go to OpenTelemetry's global provider.
func WithMeterProvider(provider metric.MeterProvider) Option {
	return clientOption(func(o *options) { o.meters = provider })
}

// startCall begins the span of a tool call. It is the session's and not that of the
// SDK's request: what the wire saw of the answer decides how it ended.
func (s *session) startCall(ctx context.Context, tool string) (context.Context, *telemetry.Span) {
	op := s.e.operation(telemetry.MethodCallTool, s.sdk)
	op.Tool = tool
	return s.e.instruments.Start(ctx, op)
}

// traced makes a span and a measurement of every other request but pings, and puts
// the trace context into the _meta of those about tools: stdio has no headers for it.
func (e *endpoint) traced(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if call, ok := req.GetParams().(*mcp.CallToolParams); ok && call != nil {
			call.Meta = telemetry.InjectMeta(ctx, call.Meta)
			return next(ctx, method, req)
		}
		if method == "ping" || strings.HasPrefix(method, "notifications/") {
			return next(ctx, method, req)
		}
		session, _ := req.GetSession().(*mcp.ClientSession)
		ctx, span := e.instruments.Start(ctx, e.operation(method, session))
		if list, ok := req.GetParams().(*mcp.ListToolsParams); ok && list != nil {
			list.Meta = telemetry.InjectMeta(ctx, list.Meta)
		}
		result, err := next(ctx, method, req)
		span.End(measurable(err), false)
		return result, err
	}
}

// operation describes a request of session. Before the handshake is done there is
// little to tell of it.
func (e *endpoint) operation(method string, session *mcp.ClientSession) telemetry.Operation {
	op := e.place()
	op.Method = method
	if session != nil {
		op.SessionID = e.secrets.Text(session.ID())
		if info := session.InitializeResult(); info != nil {
			op.Protocol = e.secrets.Text(info.ProtocolVersion)
		}
	}
	return op
}

// errConnection stands for faults that the SDK reports as JSON-RPC errors, though
// no server sent them.
var errConnection = errors.New("connection failed")

// measurable is err as telemetry understands it.
func measurable(err error) error {
	if errors.Is(err, ErrTimeout) {
		return context.DeadlineExceeded
	}
	if rpc, ok := errors.AsType[*jsonrpc.Error](err); ok && ofSDK(rpc) {
		return errConnection
	}
	return err
}

// place says where the server is.
func (e *endpoint) place() telemetry.Operation {
	op := telemetry.Operation{Server: e.cfg.Name, Transport: telemetry.Pipe}
	if e.cfg.URL == "" {
		return op
	}
	op.Transport = telemetry.TCP
	if u, err := url.Parse(e.cfg.URL); err == nil {
		op.Address, op.Port = hostPort(u)
		op.Address = e.secrets.Text(op.Address)
	}
	return op
}

// ended records that the session is over, which began at start.
func (s *session) ended(start time.Time) {
	op := s.e.place()
	op.Protocol = s.e.secrets.Text(s.sdk.InitializeResult().ProtocolVersion)
	err := measurable(context.Cause(s.ctx))
	if errors.Is(err, errClosed) || errors.Is(err, errReconnected) {
		err = nil
	}
	s.e.instruments.SessionEnded(start, op, err)
}

// tracedTransport puts a tracing transport over base, unless it is one, that knows
// the secrets of e's server.
func (e *endpoint) tracedTransport(base http.RoundTripper) http.RoundTripper {
	traced, ok := base.(*tracingTransport)
	if !ok {
		traced = newTracingTransport(base, e.cfg.Name, WithTracerProvider(e.o.tracers))
	}
	own := *traced // the caller's may serve other servers as well
	own.secrets = e.secrets
	return &own
}

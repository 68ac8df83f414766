package runtime

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"sync"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/mcpbind/mcpbind/internal/redact"
	"github.com/mcpbind/mcpbind/runtime/internal/telemetry"
)

// A TracingOption configures [NewTracingTransport]. [WithTracerProvider] is one.
type TracingOption interface{ applyTracing(*tracingTransport) }

type tracingTransport struct {
	base     http.RoundTripper // nil: http.DefaultTransport
	server   string
	provider trace.TracerProvider // nil: the global one
	tracer   trace.Tracer
	secrets  *redact.Redactor // what may stand in any part of a URL; nil: nothing is known
}

// NewTracingTransport returns a RoundTripper that records a client span for every
// round trip through base, with the name of the MCP server, the method and the
// URL. Query values, user and password never reach the span. W3C trace context and
// baggage travel in the headers of a clone of the request, whatever the global
// propagator is. Failures and statuses from 400 on make the span an error.
//
// A span ends when its response has been read or closed; the span of a GET that is
// answered by an event stream ends with the headers, for such a stream stays open
// as long as its session. A nil base is [http.DefaultTransport].
func NewTracingTransport(base http.RoundTripper, server string, opts ...TracingOption) http.RoundTripper {
	return newTracingTransport(base, server, opts...)
}

func newTracingTransport(base http.RoundTripper, server string, opts ...TracingOption) *tracingTransport {
	t := &tracingTransport{base: base, server: server}
	for _, opt := range opts {
		if opt != nil {
			opt.applyTracing(t)
		}
	}
	if t.provider == nil {
		t.provider = otel.GetTracerProvider() // forwards to a provider that is set later
	}
	t.tracer = t.provider.Tracer(telemetry.Scope)
	return t
}

// RoundTrip implements [http.RoundTripper].
func (t *tracingTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, span := t.tracer.Start(req.Context(), req.Method, trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(t.attributes(req)...))
	req = req.Clone(ctx)
	telemetry.Propagator.Inject(ctx, propagation.HeaderCarrier(req.Header))
	res, err := t.next().RoundTrip(req)
	if err != nil {
		failSpan(span, telemetry.ClassOf(err))
		span.End()
		return res, err
	}
	span.SetAttributes(attribute.Int(telemetry.HTTPStatusCode, res.StatusCode))
	if res.StatusCode >= http.StatusBadRequest {
		failSpan(span, strconv.Itoa(res.StatusCode))
	}
	if res.Body == nil || staysOpen(req, res) {
		span.End()
		return res, nil
	}
	res.Body = &tracedBody{ReadCloser: res.Body, span: span}
	return res, nil
}

func (t *tracingTransport) next() http.RoundTripper {
	if t.base == nil {
		return http.DefaultTransport
	}
	return t.base
}

// CloseIdleConnections lets http.Client.CloseIdleConnections through.
func (t *tracingTransport) CloseIdleConnections() {
	if closer, ok := t.next().(interface{ CloseIdleConnections() }); ok {
		closer.CloseIdleConnections()
	}
}

// attributes describes req before its span starts: samplers and exporters see them
// from the start on.
func (t *tracingTransport) attributes(req *http.Request) []attribute.KeyValue {
	kv := []attribute.KeyValue{
		attribute.String(telemetry.ServerName, t.server),
		attribute.String(telemetry.HTTPMethod, req.Method),
	}
	if req.URL == nil {
		return kv
	}
	kv = append(kv, attribute.String(telemetry.URLFull, redactedURL(req.URL, t.secrets)))
	address, port := hostPort(req.URL)
	address = t.secrets.Text(address)
	if address != "" {
		kv = append(kv, attribute.String(telemetry.ServerAddress, address))
	}
	if port != 0 {
		kv = append(kv, attribute.Int(telemetry.ServerPort, port))
	}
	return kv
}

// hostPort returns where u points, with the port that its scheme implies; "" and 0
// for what is not known.
func hostPort(u *url.URL) (string, int) {
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		port = map[string]int{"http": 80, "https": 443}[u.Scheme]
	}
	return u.Hostname(), port
}

// failSpan records a failure by its class. Its text may quote the URL or a header,
// so it is left to logs, which redact.
func failSpan(span trace.Span, class string) {
	span.SetAttributes(attribute.String(telemetry.ErrorType, class))
	span.SetStatus(codes.Error, class)
}

// staysOpen reports whether res has no end of its own.
func staysOpen(req *http.Request, res *http.Response) bool {
	if res.StatusCode == http.StatusSwitchingProtocols {
		return true // and its body must stay a writer
	}
	media, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	return req.Method == http.MethodGet && media == "text/event-stream"
}

// A tracedBody ends its span when it is read to the end, fails, or is closed.
type tracedBody struct {
	io.ReadCloser
	span trace.Span
	once sync.Once
}

func (b *tracedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.once.Do(func() {
			if !errors.Is(err, io.EOF) {
				failSpan(b.span, telemetry.ClassOf(err))
			}
			b.span.End()
		})
	}
	return n, err
}

func (b *tracedBody) Close() error {
	defer b.once.Do(func() { b.span.End() })
	return b.ReadCloser.Close()
}

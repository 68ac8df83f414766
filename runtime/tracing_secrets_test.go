package runtime

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// A ${VAR} may stand in any part of the URL, and a server may echo it as the id of
// the session.
func TestTelemetryHoldsNoSecret(t *testing.T) {
	t.Parallel()
	const canary = "hush-hush"
	for name, path := range map[string]string{
		"plain": "/" + canary + "/a%20b", "escaped": "/hush%2Dhush/mcp", "in a parameter": "/mcp;t=" + canary,
	} {
		for _, ownTracing := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", own tracing ", ownTracing), func(t *testing.T) {
				t.Parallel()
				fake := &fakeServer{on: answers{"initialize": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
					w.Header().Set("Mcp-Session-Id", "of-"+canary)
					sendJSON(w, m.result(fakeInit))
				}}}
				base := http.RoundTripper(roundTripper(func(req *http.Request) (*http.Response, error) {
					rec := httptest.NewRecorder()
					fake.ServeHTTP(rec, req)
					return rec.Result(), nil
				}))
				provider, spans := tracing()
				if ownTracing {
					base = NewTracingTransport(base, "srv", WithTracerProvider(provider))
				}
				reader := sdkmetric.NewManualReader()
				c := NewStreamableHTTPClient(
					ServerConfig{
						Name: "srv", URL: "http://u:p@" + canary + ".example.com" + path + "?" + canary + "=1&hush%2Dhush&" + canary,
						Secrets: map[string]string{"PART": canary}, Timeout: plenty,
					},
					quiet(), WithHTTPTransport(base), WithTracerProvider(provider),
					WithMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))))
				connected(t, c)
				if _, err := callT(t, c); err != nil {
					t.Fatal(err)
				}
				if err := c.Close(); err != nil {
					t.Fatal(err)
				}
				got := spans.GetSpans()
				if len(got) == 0 {
					t.Fatal("no spans")
				}
				rounds := 0
				for _, span := range got {
					for _, kv := range span.Attributes {
						if text := kv.Value.String(); strings.Contains(text, canary) || strings.Contains(text, "hush%2Dhush") {
							t.Errorf("span %s: %s is %s", span.Name, kv.Key, text)
						}
						if kv.Key == "url.full" && strings.Contains(kv.Value.String(), "PART") {
							rounds++
						}
					}
				}
				if rounds == 0 {
					t.Error("no span says which secret stood in its URL")
				}
				var data metricdata.ResourceMetrics
				if err := reader.Collect(t.Context(), &data); err != nil {
					t.Fatal(err)
				}
				if text := fmt.Sprintf("%+v", data); strings.Contains(text, canary) {
					t.Errorf("the metrics say %s", text)
				}
			})
		}
	}
}

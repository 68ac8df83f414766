package cases

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	nativemcp "github.com/mcpbind/mcpbind/gen/cases/testdata/nativemcp"
	"github.com/mcpbind/mcpbind/runtime"
)

// TestTypedViolations calls generated methods through a registry that validates
// both directions: the error names every violation with its place, at most so
// many, and no value.
func TestTypedViolations(t *testing.T) {
	server := &echo{}
	reg := runtime.NewRegistry(runtime.WithValidation(runtime.Validation{Arguments: true, Results: true}),
		runtime.WithLogger(slog.New(slog.DiscardHandler)))
	t.Cleanup(func() { _ = reg.Close() })
	var tools []runtime.Tool
	for _, c := range loadOwn(t).cases {
		tools = append(tools, runtime.Tool{Name: c.tool(), WireName: c.tool(), InputSchema: c.Tool.InputSchema, OutputSchema: c.Tool.OutputSchema})
	}
	if err := reg.RegisterServer(nativemcp.ServerName, server, tools); err != nil {
		t.Fatal(err)
	}
	client := nativemcp.New(reg)

	_, err := client.SearchFlights(t.Context(), nativemcp.SearchFlightsInput{
		From: "secret", Seats: new(12), Via: []string{"LHR", "LHR"}, Extras: map[string]bool{},
	})
	wantViolations(t, err, runtime.ErrInvalidArguments, runtime.PhaseValidate, "/from", "/seats", "/via", "/extras")

	_, err = client.SendEnvelope(t.Context(), nativemcp.SendEnvelopeInput{Priority: new(nativemcp.SendEnvelopePriority("secret"))})
	wantViolations(t, err, runtime.ErrInvalidArguments, runtime.PhaseValidate, "/priority")

	server.result = json.RawMessage(`{"object":"secret","currency":"USD","refund":1,"total":"0"}`)
	_, err = client.GetReceipt(t.Context(), nativemcp.GetReceiptInput{})
	wantViolations(t, err, runtime.ErrInvalidResult, runtime.PhaseResult, "/object", "/currency", "/refund", "/total")

	var many []nativemcp.CreateOrdersOrder
	for range 1000 {
		many = append(many, nativemcp.CreateOrdersOrder{Quantity: new(-1)})
	}
	_, err = client.CreateOrders(t.Context(), nativemcp.CreateOrdersInput{Orders: many})
	wantViolations(t, err, runtime.ErrInvalidArguments, runtime.PhaseValidate, "/orders/0/quantity", "/orders/1/quantity")
	if n := strings.Count(err.Error(), "at \""); n > 20 || len(err.Error()) > 4<<10 {
		t.Errorf("%d violations in %d bytes", n, len(err.Error()))
	}
}

func wantViolations(t *testing.T, err, is error, phase runtime.Phase, pointers ...string) {
	t.Helper()
	call, ok := errors.AsType[*runtime.CallError](err)
	if !ok || !errors.Is(err, is) || call.Phase != phase {
		t.Fatalf("got %v", err)
	}
	for _, pointer := range pointers {
		if !strings.Contains(err.Error(), fmt.Sprintf("at %q: ", pointer)) {
			t.Errorf("%s is not named in: %v", pointer, err)
		}
	}
	if strings.Contains(err.Error(), "secret") {
		t.Errorf("a value is in: %v", err)
	}
	t.Log(err)
}

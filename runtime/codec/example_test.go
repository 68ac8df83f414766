package codec_test

import (
	"fmt"

	"github.com/mcpbind/mcpbind/runtime/codec"
)

// Absent, null and a value are three things to a server.
func ExampleNullable() {
	for _, since := range []codec.Nullable[string]{
		{},
		codec.Null[string](),
		codec.Value("2026-11-30"),
	} {
		text, err := codec.Marshal(SearchOrdersInput{Query: "tea", Since: since})
		fmt.Println(string(text), err)
	}
	// Output:
	// {"query":"tea"} <nil>
	// {"query":"tea","since":null} <nil>
	// {"query":"tea","since":"2026-11-30"} <nil>
}

// A union holds one of its variants, by value. What is none of them is kept raw.
func ExampleVariants() {
	for _, text := range []string{
		`{"kind":"card","last4":"4242"}`,
		`{"kind":"voucher","code":"X1"}`,
	} {
		var payment OrderPayment
		if err := codec.Unmarshal([]byte(text), &payment); err != nil {
			fmt.Println(err)
			continue
		}
		switch p := payment.Value.(type) {
		case OrderPaymentCard:
			fmt.Println("card ending in", p.Last4)
		case OrderPaymentInvoice:
			fmt.Println("invoice")
		case OrderPaymentRaw:
			fmt.Println("unknown:", string(p))
		}
	}
	// Output:
	// card ending in 4242
	// unknown: {"kind":"voucher","code":"X1"}
}

func ExampleError() {
	var out SearchOrdersOutput
	err := codec.Unmarshal([]byte(`{"orders":[{"id":1.5}]}`), &out)
	fmt.Println(err)
	// Output:
	// at "/orders/0/id": a number with a fraction where an integer is expected
}

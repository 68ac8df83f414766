package codec_test

import (
	"encoding/json"

	"github.com/mcpbind/mcpbind/runtime/codec"
)

// The types of this file and shapes_test.go are as mcpbind generates them,
// written by hand.

// RefundInput has a union and a key that is not safe in a json tag.
type RefundInput struct {
	OrderID   int          `json:"order_id"`
	Amount    RefundAmount `json:"amount"`
	ItSUrgent *bool        `json:",omitzero" wire:"it's urgent"`
}

func (v RefundInput) MarshalJSON() ([]byte, error)  { return codec.Marshal(v) }
func (v *RefundInput) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, v) }

// RefundAmount is a union of scalars.
type RefundAmount struct{ Value RefundAmountVariant }

// RefundAmountVariant is implemented by the variants of [RefundAmount] only.
type RefundAmountVariant interface{ isRefundAmount() }

// RefundAmountText is the text variant of [RefundAmount].
type RefundAmountText string

// RefundAmountTextAll is the only known text.
const RefundAmountTextAll RefundAmountText = "all"

// RefundAmountInteger is the integer variant of [RefundAmount].
type RefundAmountInteger int

// RefundAmountRaw holds a value that is none of the known variants of [RefundAmount].
type RefundAmountRaw json.RawMessage

func (RefundAmountText) isRefundAmount()    {}
func (RefundAmountInteger) isRefundAmount() {}
func (RefundAmountRaw) isRefundAmount()     {}

func (v RefundAmountRaw) MarshalJSON() ([]byte, error) { return json.RawMessage(v).MarshalJSON() }
func (v *RefundAmountRaw) UnmarshalJSON(b []byte) error {
	return (*json.RawMessage)(v).UnmarshalJSON(b)
}

var refundAmountVariants = codec.Variants{(*RefundAmountText)(nil), (*RefundAmountInteger)(nil), (*RefundAmountRaw)(nil)}

// Variants lists the types that Value may hold.
func (RefundAmount) Variants() codec.Variants { return refundAmountVariants }

func (v RefundAmount) MarshalJSON() ([]byte, error)  { return codec.Marshal(v) }
func (v *RefundAmount) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, v) }

// SearchOrdersInput has every way of being optional.
type SearchOrdersInput struct {
	Query  string                 `json:"query"`
	Status *SearchOrdersStatus    `json:"status,omitzero"`
	Limit  *int                   `json:"limit,omitzero"`
	Since  codec.Nullable[string] `json:"since,omitzero"`
	Tags   []string               `json:"tags,omitzero"`
}

func (v SearchOrdersInput) MarshalJSON() ([]byte, error)  { return codec.Marshal(v) }
func (v *SearchOrdersInput) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, v) }

// SearchOrdersStatus is an enum of strings.
type SearchOrdersStatus string

// The known states.
const (
	SearchOrdersStatusOpen SearchOrdersStatus = "open"
	SearchOrdersStatusDone SearchOrdersStatus = "done"
)

// SearchOrdersOutput is a result.
type SearchOrdersOutput struct {
	Orders     []Order `json:"orders"`
	NextCursor *string `json:"next_cursor"`
	Total      int     `json:"total"`
}

func (v SearchOrdersOutput) MarshalJSON() ([]byte, error)  { return codec.Marshal(v) }
func (v *SearchOrdersOutput) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, v) }

// Order is recursive and has Extra.
type Order struct {
	ID       int               `json:"id"`
	Payment  OrderPayment      `json:"payment"`
	Replaces *Order            `json:"replaces,omitzero"`
	Extra    map[string]string `json:"-" codec:"extra"`
}

func (v Order) MarshalJSON() ([]byte, error)  { return codec.Marshal(v) }
func (v *Order) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, v) }

// OrderPayment is a union with a discriminator.
type OrderPayment struct{ Value OrderPaymentVariant }

// OrderPaymentVariant is implemented by the variants of [OrderPayment] only.
type OrderPaymentVariant interface{ isOrderPayment() }

// OrderPaymentCard is the variant of [OrderPayment] whose kind is "card".
type OrderPaymentCard struct {
	_     struct{} `wire:"kind" const:"\"card\""`
	Last4 string   `json:"last4"`
}

// OrderPaymentInvoice is the variant of [OrderPayment] whose kind is "invoice".
type OrderPaymentInvoice struct {
	_   struct{} `wire:"kind" const:"\"invoice\""`
	Due *string  `json:"due,omitzero"`
}

// OrderPaymentRaw holds a value that is none of the known variants of [OrderPayment].
type OrderPaymentRaw json.RawMessage

func (OrderPaymentCard) isOrderPayment()    {}
func (OrderPaymentInvoice) isOrderPayment() {}
func (OrderPaymentRaw) isOrderPayment()     {}

func (v OrderPaymentCard) MarshalJSON() ([]byte, error)     { return codec.Marshal(v) }
func (v *OrderPaymentCard) UnmarshalJSON(b []byte) error    { return codec.Unmarshal(b, v) }
func (v OrderPaymentInvoice) MarshalJSON() ([]byte, error)  { return codec.Marshal(v) }
func (v *OrderPaymentInvoice) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, v) }
func (v OrderPaymentRaw) MarshalJSON() ([]byte, error)      { return json.RawMessage(v).MarshalJSON() }
func (v *OrderPaymentRaw) UnmarshalJSON(b []byte) error {
	return (*json.RawMessage)(v).UnmarshalJSON(b)
}

var orderPaymentVariants = codec.Variants{(*OrderPaymentCard)(nil), (*OrderPaymentInvoice)(nil), (*OrderPaymentRaw)(nil)}

// Variants lists the types that Value may hold.
func (OrderPayment) Variants() codec.Variants { return orderPaymentVariants }

func (v OrderPayment) MarshalJSON() ([]byte, error)  { return codec.Marshal(v) }
func (v *OrderPayment) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, v) }

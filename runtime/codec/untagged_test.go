package codec_test

import (
	"encoding/json"

	"github.com/mcpbind/mcpbind/runtime/codec"
)

// Listing is a union of objects with the same keys, which differ in what these
// hold.
type Listing struct{ Value ListingVariant }

// ListingVariant is implemented by the variants of [Listing] only.
type ListingVariant interface{ isListing() }

// ListingNumbers has items with an id.
type ListingNumbers struct {
	Filter ListingFilter `json:"filter"`
	Page   ListingPage   `json:"page"`
	Items  []struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
	} `json:"items"`
}

// ListingSlugs has items with a slug.
type ListingSlugs struct {
	Filter ListingFilter `json:"filter"`
	Page   ListingPage   `json:"page"`
	Items  []struct {
		Slug string `json:"slug"`
		Name string `json:"name"`
	} `json:"items"`
}

// ListingPage is an object that both have.
type ListingPage struct {
	Size   int     `json:"size"`
	Cursor *string `json:"cursor"`
}

// ListingRaw is anything else.
type ListingRaw json.RawMessage

// ListingFilter is a union inside both.
type ListingFilter struct{ Value ListingFilterVariant }

// ListingFilterVariant is implemented by the variants of [ListingFilter] only.
type ListingFilterVariant interface{ isListingFilter() }

type (
	// ListingFilterIn lists values.
	ListingFilterIn struct {
		In []string `json:"in"`
	}
	// ListingFilterEq has one.
	ListingFilterEq struct {
		Eq string `json:"eq"`
	}
	// ListingFilterRaw is anything else.
	ListingFilterRaw json.RawMessage
)

func (ListingNumbers) isListing()         {}
func (ListingSlugs) isListing()           {}
func (ListingRaw) isListing()             {}
func (ListingFilterIn) isListingFilter()  {}
func (ListingFilterEq) isListingFilter()  {}
func (ListingFilterRaw) isListingFilter() {}

// Variants lists the types that Value may hold.
func (Listing) Variants() codec.Variants {
	return codec.Variants{(*ListingNumbers)(nil), (*ListingSlugs)(nil), (*ListingRaw)(nil)}
}

// Variants lists the types that Value may hold.
func (ListingFilter) Variants() codec.Variants {
	return codec.Variants{(*ListingFilterIn)(nil), (*ListingFilterEq)(nil), (*ListingFilterRaw)(nil)}
}

func (v ListingRaw) MarshalJSON() ([]byte, error)  { return codec.Marshal(json.RawMessage(v)) }
func (v *ListingRaw) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, (*json.RawMessage)(v)) }

func (v ListingFilterRaw) MarshalJSON() ([]byte, error) { return codec.Marshal(json.RawMessage(v)) }
func (v *ListingFilterRaw) UnmarshalJSON(b []byte) error {
	return codec.Unmarshal(b, (*json.RawMessage)(v))
}

package app

import (
	"fanous/backend/domain"
	"fanous/backend/language"
)

// Understood is a filter of a query that is being typed.
type Understood struct {
	Filter  domain.QueryFilter `json:"filter"`
	Without string             `json:"without"` // the query when this filter is taken out
}

// Understand says what a query asks for beside words, without searching.
func (s *SearchService) Understand(query string) []Understood {
	filters := language.ParseQuery(query).Filters()
	list := make([]Understood, len(filters))
	for i, f := range filters {
		list[i] = Understood{f, language.Without(query, filters, i)}
	}
	return list
}

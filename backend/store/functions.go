package store

import (
	"database/sql/driver"
	"fmt"
	"strconv"
	"sync"

	"modernc.org/sqlite"

	"fanous/backend/domain"
	"fanous/backend/language"
	"fanous/backend/store/codes"
)

// registerPath gives a driver fanous_path(pattern, path, member), which says whether the name of a document matches what was
// asked for by file:. It remembers the latest patterns.
func registerPath(d *sqlite.Driver) {
	var lock sync.Mutex
	known := map[string]language.PathPattern{}
	d.MustRegisterDeterministicScalarFunction("fanous_path", 3, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		text, _ := args[0].(string)
		path, _ := args[1].(string)
		member, _ := args[2].(string)
		lock.Lock()
		pattern, ok := known[text]
		if !ok {
			if len(known) == 64 {
				clear(known)
			}
			pattern = language.NewPathPattern(text)
			known[text] = pattern
		}
		lock.Unlock()
		return pattern.Matches(domain.Location{Path: path, Member: member}.String()), nil
	})
}

// registerCodes gives a driver the SQL functions of the codes and of sets of ids. They read vectors, codes and sets where
// SQLite has them in memory, and keep nothing of them. A set that is null has every id.
//
//   - fanous_nearest(query, keep, block, codes, set) is an aggregate: the ids of the vectors in a set that are nearest to
//     a query by their codes, as a JSON array, best first;
//   - fanous_cosine(query, rounded) is the cosine of a query with a rounded vector;
//   - fanous_set(id) is an aggregate: the set of the ids, fanous_set(first, n) of the n ids from each first on;
//   - fanous_has(set, id) says whether an id is in a set, fanous_block(set, block) whether any of a block may be.
func registerCodes(d *sqlite.Driver) {
	d.MustRegisterFunction("fanous_nearest", &sqlite.FunctionImpl{
		NArgs: 5, VolatileArgs: true,
		MakeAggregate: func(sqlite.FunctionContext) (sqlite.AggregateFunction, error) { return &nearest{}, nil },
	})
	d.MustRegisterFunction("fanous_cosine", &sqlite.FunctionImpl{
		NArgs: 2, VolatileArgs: true, Deterministic: true,
		Scalar: func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			query, _ := args[0].([]byte)
			rounded, _ := args[1].([]byte)
			return codes.Cosine(query, rounded)
		},
	})
	d.MustRegisterFunction("fanous_set", &sqlite.FunctionImpl{
		NArgs:         -1,
		MakeAggregate: func(sqlite.FunctionContext) (sqlite.AggregateFunction, error) { return &collected{}, nil },
	})
	look := func(name string, has func(codes.SetView, int64) bool) {
		d.MustRegisterFunction(name, &sqlite.FunctionImpl{
			NArgs: 2, VolatileArgs: true, Deterministic: true,
			Scalar: func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
				data, _ := args[0].([]byte)
				set, err := codes.ViewSet(data)
				if err != nil {
					return nil, err
				}
				n, _ := args[1].(int64)
				return has(set, n), nil
			},
		})
	}
	look("fanous_has", codes.SetView.Has)
	look("fanous_block", func(set codes.SetView, block int64) bool { return !set.Block(block).Empty() })
}

// collected is one run of fanous_set.
type collected struct{ set codes.Set }

func (c *collected) Step(_ *sqlite.FunctionContext, args []driver.Value) error {
	first, ok := args[0].(int64)
	if !ok { // of a document without chunks
		return nil
	}
	n := int64(1)
	if len(args) > 1 {
		n, _ = args[1].(int64)
	}
	c.set.AddAll(first, first+n-1)
	return nil
}

func (c *collected) WindowInverse(*sqlite.FunctionContext, []driver.Value) error {
	return fmt.Errorf("fanous_set is no window function")
}

func (c *collected) WindowValue(*sqlite.FunctionContext) (driver.Value, error) {
	return c.set.Bytes(), nil
}

func (c *collected) Final(*sqlite.FunctionContext) {}

// nearest is one run of fanous_nearest.
type nearest struct{ search *codes.Search }

func (n *nearest) Step(_ *sqlite.FunctionContext, args []driver.Value) error {
	if n.search == nil {
		query, _ := args[0].([]byte)
		keep, _ := args[1].(int64)
		n.search = codes.NewSearch(decodeVector(query), int(keep))
	}
	block, _ := args[2].(int64)
	data, _ := args[3].([]byte)
	only, _ := args[4].([]byte)
	set, err := codes.ViewSet(only)
	if err != nil {
		return err
	}
	return n.search.Block(block, data, set.Block(block))
}

func (n *nearest) WindowInverse(*sqlite.FunctionContext, []driver.Value) error {
	return fmt.Errorf("fanous_nearest is no window function")
}

func (n *nearest) WindowValue(*sqlite.FunctionContext) (driver.Value, error) {
	if n.search == nil {
		return "[]", nil
	}
	list := []byte{'['}
	for i, c := range n.search.Best() {
		if i > 0 {
			list = append(list, ',')
		}
		list = strconv.AppendInt(list, c.ID, 10)
	}
	return string(append(list, ']')), nil
}

func (n *nearest) Final(*sqlite.FunctionContext) {}

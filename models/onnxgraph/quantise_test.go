package onnxgraph

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"fanous/models/half"
)

// rows is a matrix whose rows are of very different sizes.
func rows() Matrix {
	m := Matrix{Rows: 5, Cols: 64, Values: make([]float32, 5*64)}
	for i := range m.Values {
		m.Values[i] = float32(math.Sin(float64(i)*1.7)) * float32(math.Pow(10, float64(i/64-2)))
	}
	clear(m.Values[3*64 : 4*64]) // a row of zeros
	return m
}

func TestInt8KeepsEveryRowToHalfAStep(t *testing.T) {
	m := rows()
	q := &int8Matrix{Matrix: m}
	var table, columns bytes.Buffer
	if err := q.writeColumns(&columns); err != nil {
		t.Fatal(err)
	}
	if err := q.writeRows(&table); err != nil {
		t.Fatal(err)
	}
	for i, v := range m.Values {
		row, col := i/m.Cols, i%m.Cols
		byRow, byColumn := int8(table.Bytes()[i]), int8(columns.Bytes()[col*m.Rows+row])
		if byRow != byColumn || byRow == -128 {
			t.Fatalf("number %d is %d by row and %d by column", i, byRow, byColumn)
		}
		if back := float32(byRow) * q.scales[row]; math.Abs(float64(back-v)) > float64(q.scales[row])*0.50001 {
			t.Errorf("%g became %g in steps of %g", v, back, q.scales[row])
		}
	}
}

func TestInt8OfAPublishedFileHasOneScale(t *testing.T) {
	q := &int8Matrix{Matrix: rows(), uniform: true}
	var table, scales bytes.Buffer
	if err := q.writeScales(&scales); err != nil {
		t.Fatal(err)
	}
	if err := q.writeRows(&table); err != nil {
		t.Fatal(err)
	}
	scale := math.Float32frombits(binary.LittleEndian.Uint32(scales.Bytes()))
	if scales.Len() != 4 || scale != largest(q.Values)/127 {
		t.Errorf("%d bytes, scale %g", scales.Len(), scale)
	}
	if slices.ContainsFunc(table.Bytes()[:64], func(b byte) bool { return int8(b) > 1 || int8(b) < -1 }) {
		t.Error("a row of small numbers was not rounded with the scale of the largest")
	}
}

func TestNibblesKeepEveryBlock(t *testing.T) {
	m := rows()
	q := &nibbleMatrix{Matrix: m}
	var weights, scales, again bytes.Buffer
	if err := q.writeWeights(&weights); err != nil {
		t.Fatal(err)
	}
	if err := q.writeScales(&scales); err != nil {
		t.Fatal(err)
	}
	if err := (&nibbleMatrix{Matrix: m}).writeScales(&again); err != nil || !bytes.Equal(again.Bytes(), scales.Bytes()) {
		t.Errorf("the scales alone differ, %v", err)
	}
	back := Matrix{Rows: m.Rows, Cols: m.Cols, Nibbles: weights.Bytes(), Scales: scales.Bytes()}
	got, err := back.whole()
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range m.Values {
		step := math.Abs(float64(half.Float32(binary.LittleEndian.Uint16(scales.Bytes()[i/BlockSize*2:]))))
		if d := math.Abs(float64(got[i] - v)); d > step*1.01 { // a whole step at the end that has no -8
			t.Errorf("%g became %g in steps of %g", v, got[i], step)
		}
	}
	// What is in 4 bits already is written as it is.
	var same bytes.Buffer
	if err := (&nibbleMatrix{Matrix: back}).writeWeights(&same); err != nil || !bytes.Equal(same.Bytes(), weights.Bytes()) {
		t.Errorf("the nibbles changed, %v", err)
	}
}

func TestHalvesRefuseWhatDoesNotFit(t *testing.T) {
	m := madeUp(false, 0, nil)
	m.Layers[0].Up.Weight.Values[5] = 70000
	var file bytes.Buffer
	if err := Write(&file, m, Form{Precision: FP16}); err == nil {
		t.Error("a weight of 70000 was written as float16")
	}
}

func TestPartsOfAMatrix(t *testing.T) {
	m := Matrix{Rows: 4, Cols: 6, Values: floats(24, 3)}
	for _, test := range []struct {
		part Matrix
		want func(row, col int) float32
	}{
		{m.rows(1, 3), func(row, col int) float32 { return m.Values[(row+1)*6+col] }},
		{m.columns(2, 3), func(row, col int) float32 { return m.Values[row*6+col+2] }},
		{m.columns(1, 4).rows(2, 2), func(row, col int) float32 { return m.Values[(row+2)*6+col+1] }},
	} {
		for first := range test.part.size() {
			got := make([]float32, test.part.size()-first)
			if err := test.part.read(got, first); err != nil {
				t.Fatal(err)
			}
			for i, v := range got {
				if row, col := (first+i)/test.part.Cols, (first+i)%test.part.Cols; v != test.want(row, col) {
					t.Errorf("[%d, %d] from number %d on is %g", row, col, first, v)
				}
			}
		}
	}
}

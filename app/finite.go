package app

import (
	"log/slog"
	"math"
	"reflect"
)

// finite makes every number in what v points to one that JSON has, and counts those that were not: NaN and
// the infinities. An optional one becomes nil, "not known", and any other 0. Wails ends the whole program
// when it cannot encode an answer or an event, so nothing leaves this package without it.
func finite(v any) int { return makeFinite(reflect.ValueOf(v).Elem()) }

func makeFinite(v reflect.Value) (changed int) {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		if !isFinite(v) && v.CanSet() {
			v.SetFloat(0)
			return 1
		}
	case reflect.Pointer:
		switch {
		case v.IsNil():
		case !isFinite(v.Elem()) && v.CanSet():
			v.SetZero()
			return 1
		default:
			return makeFinite(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				changed += makeFinite(v.Field(i))
			}
		}
	case reflect.Map:
		return makeMapFinite(v)
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 { // a picture
			return 0
		}
		for i := range v.Len() {
			changed += makeFinite(v.Index(i))
		}
	}
	return changed
}

// makeMapFinite gives v another map where one of its values changes: others may hold it too.
func makeMapFinite(v reflect.Value) (changed int) {
	clean := reflect.MakeMap(v.Type())
	for at := v.MapRange(); at.Next(); {
		value := reflect.New(v.Type().Elem()).Elem()
		value.Set(at.Value())
		changed += makeFinite(value)
		clean.SetMapIndex(at.Key(), value)
	}
	if changed > 0 && v.CanSet() {
		v.Set(clean)
	}
	return changed
}

// isFinite reports whether v is anything but a float that JSON has not.
func isFinite(v reflect.Value) bool {
	return !v.CanFloat() || !math.IsNaN(v.Float()) && !math.IsInf(v.Float(), 0)
}

// emit sends an event that can be encoded.
func emit[T any](shell Shell, event string, data T) {
	if n := finite(&data); n > 0 {
		slog.Warn("figures of an event are not numbers", "event", event, "count", n)
	}
	shell.Emit(event, data)
}

package backend

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"

	"fanous/backend/domain"
)

func TestReadPower(t *testing.T) {
	battery := map[string]string{"BAT0/type": "Battery", "BAT0/status": "Discharging", "BAT0/capacity": "15"}
	mouse := map[string]string{"mouse/type": "Battery", "mouse/scope": "Device", "mouse/status": "Discharging", "mouse/capacity": "3"}
	plugged := map[string]string{"AC/type": "Mains", "AC/online": "1"}
	pulled := map[string]string{"AC/type": "Mains", "AC/online": "0"}
	for name, tt := range map[string]struct {
		supplies []map[string]string
		want     power
	}{
		"a desktop":         {nil, power{charge: 100}},
		"plugged in":        {[]map[string]string{battery, plugged}, power{}},
		"on its battery":    {[]map[string]string{battery, pulled}, power{true, 15}},
		"a mouse runs down": {[]map[string]string{mouse}, power{charge: 100}},
	} {
		dir := t.TempDir()
		for _, files := range tt.supplies {
			for path, text := range files {
				path = filepath.Join(dir, path)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := readPower(dir); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

func TestWorkWaitsOnALowBattery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		charges := []power{{true, 19}, {true, 18}, {false, 18}}
		var said []string
		hold := holdOnBattery(domain.BatteryLow, func() power {
			p := charges[0]
			charges = charges[1:]
			return p
		})
		if err := hold(t.Context(), func(s string) { said = append(said, s) }); err != nil {
			t.Fatal(err)
		}
		if len(said) != 3 || said[0] == "" || said[2] != "" {
			t.Errorf("said %q", said)
		}
	})
	for rule, want := range map[domain.OnBattery][]bool{
		domain.BatteryLow: {false, true}, domain.BatteryPause: {true, true}, domain.BatteryGo: {false, false},
	} {
		if got := []bool{power{true, 80}.waits(rule) != "", power{true, 5}.waits(rule) != ""}; !slices.Equal(got, want) {
			t.Errorf("%q waits %v, want %v", rule, got, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if holdOnBattery(domain.BatteryPause, func() power { return power{true, 80} })(ctx, func(string) {}) == nil {
		t.Error("a cancelled wait goes on")
	}
}

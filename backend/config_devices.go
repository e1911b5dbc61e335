package backend

import (
	"fanous/backend/domain"
	"fanous/backend/onnx"
)

// DeviceSettings say what models run on.
type DeviceSettings struct {
	Device onnx.Device // the one to use, where its self-test passes; empty: the best one of those that pass
}

// devices are those to consider on an operating system, the one to prefer first. The CPU is always the last resort.
func (s *DeviceSettings) devices(goos string) []onnx.Device {
	var out []onnx.Device
	for _, d := range onnx.Devices() {
		if s.off(d) == nil && d.On(goos) == "" {
			out = append(out, d)
		}
	}
	return out
}

// off says that the setting rules a device out; nil: it does not.
func (s *DeviceSettings) off(d onnx.Device) error {
	if s.Device == "" || d == s.Device || d == onnx.CPU {
		return nil
	}
	return domain.Errorf(domain.CodeDeviceOff, `set device = "auto" in config.toml, or FANOUS_DEVICE`, "the setting says that models run on %s", s.Device)
}

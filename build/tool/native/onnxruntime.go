package native

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"

	"fanous/build/tool/cache"
	"fanous/build/tool/wheel"
)

// onnxRuntimeVersion is the release of ONNX Runtime that ships with Fanous.
const onnxRuntimeVersion = "1.32.0"

// release is the wheel of one operating system and processor, and the library in it.
type release struct {
	platform string // as in the wheel's name
	sha256   string
	member   string
	library  string // the file's name with us
}

func releases() map[string]release {
	return map[string]release{
		"linux/amd64": {
			platform: "manylinux_2_28_x86_64",
			sha256:   "5a34fc4dfeb5a7b4a74c95dcba1e773d722abda720b474edf1b0c419dc6d163d",
			member:   "onnxruntime/capi/libonnxruntime.so." + onnxRuntimeVersion,
			library:  "libonnxruntime.so",
		},
		"linux/arm64": {
			platform: "manylinux_2_28_aarch64",
			sha256:   "2303372a85299b6757b0e11e1cbf13e410ddf7e10c37f4b37e99d1c90e7daf7c",
			member:   "onnxruntime/capi/libonnxruntime.so." + onnxRuntimeVersion,
			library:  "libonnxruntime.so",
		},
		"darwin/arm64": {
			platform: "macosx_14_0_arm64",
			sha256:   "366b9e53d07812cc5c92822cecf7563b76a8a0f32ba3bb8dd232a206ac3bcb6c",
			member:   "onnxruntime/capi/libonnxruntime." + onnxRuntimeVersion + ".dylib",
			library:  "libonnxruntime.dylib",
		},
		"windows/amd64": {
			platform: "win_amd64",
			sha256:   "d7e0c45cc5f456ad7805e6dd256a7662736cda9c2fd17becae194eb3c2f6df72",
			member:   "onnxruntime/capi/onnxruntime.dll",
			library:  "onnxruntime.dll",
		},
	}
}

// ONNXRuntime returns the path of the ONNX Runtime library for this machine. Its licence and the notices of what it
// contains lie beside it, because they must travel with it.
func ONNXRuntime(ctx context.Context, c cache.Cache, d wheel.Downloader) (string, error) {
	system := runtime.GOOS + "/" + runtime.GOARCH
	r, ok := releases()[system]
	if !ok {
		return "", fmt.Errorf("there is no pinned ONNX Runtime for %s", system)
	}
	name := fmt.Sprintf("native/onnxruntime-%s-%s-%s", onnxRuntimeVersion, runtime.GOOS, runtime.GOARCH)
	folder, err := c.Ensure(name, func(folder string) error {
		path, err := d.Fetch(ctx, wheel.Wheel{
			Project: "onnxruntime", Version: onnxRuntimeVersion,
			File:   fmt.Sprintf("onnxruntime-%s-cp311-cp311-%s.whl", onnxRuntimeVersion, r.platform),
			SHA256: r.sha256, Platform: r.platform, Python: "311", ABI: "cp311",
		})
		if err != nil {
			return err
		}
		return wheel.Extract(path, map[string]string{
			r.member:                            filepath.Join(folder, r.library),
			"onnxruntime/LICENSE":               filepath.Join(folder, "LICENSE"),
			"onnxruntime/ThirdPartyNotices.txt": filepath.Join(folder, "ThirdPartyNotices.txt"),
		})
	})
	if err != nil {
		return "", err
	}
	return filepath.Join(folder, r.library), nil
}

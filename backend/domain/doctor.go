package domain

// Doctor is the state of everything that search and its models need on this machine.
type Doctor struct {
	Ready    bool     `json:"ready"`    // nothing that is wanted or installed is unusable
	Problems []string `json:"problems"` // what keeps it from being ready, one sentence each with what to do

	Version   string    `json:"version"`
	System    string    `json:"system"` // "linux/amd64"
	Processor Processor `json:"processor"`
	DataDir   string    `json:"data_dir"`

	MemoryBytes     int64 `json:"memory_bytes"`      // of the machine; 0: not known
	FreeMemoryBytes int64 `json:"free_memory_bytes"` // 0: not known
	FreeDiskBytes   int64 `json:"free_disk_bytes"`   // where the data folder is; 0: not known
	// Volume is that of the data folder, which has the texts of what is indexed.
	Volume Encryption `json:"volume"`

	Library  Component     `json:"library"` // ONNX Runtime
	Path     string        `json:"library_path"`
	Embedder Component     `json:"embedder"`
	Local    Component     `json:"local_reranker"`
	Ledger   Component     `json:"ledger"`
	Drill    *DrillSummary `json:"drill,omitempty"` // the last one; nil: there was none
	OCR      OCRProgram    `json:"ocr"`
	Devices  []DeviceState `json:"devices"`  // every one, the one to prefer first
	Tests    []DeviceTest  `json:"tests"`    // that were made, by model
	Models   []ModelStatus `json:"models"`   // that are installed or damaged
	Settings []Setting     `json:"settings"` // that follow what fanous bench has measured, where nobody has set them
}

// Encryption is whether the system encrypts the volume that the data folder lies on.
type Encryption string

const (
	EncryptionOn      Encryption = "encrypted"
	EncryptionOff     Encryption = "not encrypted" // by the system; a disk may do so by itself
	EncryptionUnknown Encryption = "not known"
)

// OCRProgram is what reads the text in pictures.
type OCRProgram struct {
	Component
	Path      string   `json:"path,omitempty"`
	Languages []string `json:"languages"` // its own names of them
}

// Processor is what runs models where nothing else does.
type Processor struct {
	Name         string   `json:"name"`
	Cores        int      `json:"cores"`
	Instructions []string `json:"instructions"` // that matter to the speed of a model, the fastest last
	Note         string   `json:"note,omitempty"`
}

// DeviceState says whether a device runs a model, and if not, why.
type DeviceState struct {
	Device string `json:"device"`
	InUse  bool   `json:"in_use"`
	Code   Code   `json:"code,omitempty"`
	Reason string `json:"reason,omitempty"`
	Hint   string `json:"hint,omitempty"`
}

// DeviceTest is what came out when a model was tried on a device. Figures are zero where the test did not get so far.
type DeviceTest struct {
	Model      string  `json:"model"`
	Role       string  `json:"role"`
	Precision  string  `json:"precision"`
	Device     string  `json:"device"`
	InUse      bool    `json:"in_use"`
	Passed     bool    `json:"passed"`
	Code       Code    `json:"code,omitempty"`
	Reason     string  `json:"reason,omitempty"`
	Hint       string  `json:"hint,omitempty"`
	LoadMS     float64 `json:"load_ms"`
	PerSecond  float64 `json:"per_second"` // pairs of a reranker, texts of an embedder, of so many tokens
	Tokens     int     `json:"tokens"`
	Bytes      int64   `json:"bytes"`      // memory that the model takes, of the device where that is not the CPU
	Difference float64 `json:"difference"` // the greatest between the device's scores and the CPU's
}

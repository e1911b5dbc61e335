package domain

import "time"

// ModelState is whether a model, or a pack of libraries, can be used here.
type ModelState string

const (
	ModelInstalled  ModelState = "installed"
	ModelIncomplete ModelState = "incomplete" // a part of it is here; getting it again goes on from there
	ModelMissing    ModelState = "missing"
	ModelDamaged    ModelState = "damaged"
	ModelRefused    ModelState = "refused" // whole, and not what it is to be used as
)

// ModelStatus is a model, or a pack of libraries, and whether it is usable here.
type ModelStatus struct {
	Name      string     `json:"name"`
	Role      string     `json:"role"` // "embedder", "reranker", "runtime"
	Tier      string     `json:"tier"` // "starter", "fast", "precise"; of a runtime the device
	Precision string     `json:"precision"`
	Licence   string     `json:"licence"`
	Origin    string     `json:"origin"` // where the weights come from
	Gives     string     `json:"gives"`  // what it is good for, one sentence
	Bytes     int64      `json:"bytes"`  // 0: not known before a source says it
	Partial   int64      `json:"partial"`
	State     ModelState `json:"state"`
	Code      Code       `json:"code,omitempty"`   // of what is wrong, for every state but installed
	Reason    string     `json:"reason,omitempty"` // the same as one sentence
	Hint      string     `json:"hint,omitempty"`
	Path      string     `json:"path,omitempty"`
	Verified  bool       `json:"verified"` // its digests were compared
	Custom    bool       `json:"custom"`   // not of the catalogue
	Sources   []string   `json:"sources"`  // that getting it would try, in this order
}

// ModelGet asks to install a model of the catalogue.
type ModelGet struct {
	Name string `json:"name"`
	From string `json:"from"` // a folder or an address to get it from; empty: the sources of the settings

	Reembed bool `json:"reembed"` // also where all vectors of the index then have to be made again
}

// ModelImport asks to install what a path holds.
type ModelImport struct {
	Path      string `json:"path"`      // a file or a folder
	As        string `json:"as"`        // the model of the catalogue that files without a known digest are; empty: none
	Precision string `json:"precision"` // of what is made of weights as they are published; empty: fp32
	Reembed   bool   `json:"reembed"`   // also where all vectors of the index then have to be made again
}

// ModelImported is one thing that an import met.
type ModelImported struct {
	Name    string `json:"name"`
	From    string `json:"from"`
	Already bool   `json:"already"` // it was installed
	Code    Code   `json:"code,omitempty"`
	Reason  string `json:"reason,omitempty"` // why it was not installed; empty: it was
	Hint    string `json:"hint,omitempty"`
}

// ModelPack asks to write a bundle for machines without a network.
type ModelPack struct {
	Names   []string `json:"names"`
	Runtime bool     `json:"runtime"` // with the library that runs models on this machine
	Program bool     `json:"program"` // with this program
	To      string   `json:"to"`      // the file to write
}

// ModelPacked is what went into a bundle.
type ModelPacked struct {
	Path  string   `json:"path"`
	Names []string `json:"names"`
	Files int      `json:"files"`
	Bytes int64    `json:"bytes"`
}

// ModelProgress is how far an installation, an import or a bundle is.
type ModelProgress struct {
	Name      string        `json:"name"`
	Phase     string        `json:"phase"` // "waiting", "asking", "checking", "downloading", "converting", "packing"
	File      string        `json:"file"`
	Source    string        `json:"source"`
	Done      int64         `json:"done"`      // bytes
	Total     int64         `json:"total"`     // 0: not known
	Rate      float64       `json:"rate"`      // bytes a second
	Remaining time.Duration `json:"remaining"` // in nanoseconds; 0: not known
}

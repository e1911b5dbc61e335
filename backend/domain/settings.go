package domain

// SettingKind is what the value of a setting is.
type SettingKind string

// Kinds of settings.
const (
	SettingText     SettingKind = "text"
	SettingCount    SettingKind = "count"    // a whole number
	SettingShare    SettingKind = "share"    // a number, mostly from 0 to 1
	SettingSwitch   SettingKind = "switch"   // true or false
	SettingDuration SettingKind = "duration" // such as "2s" or "700ms"
	SettingChoice   SettingKind = "choice"
	SettingList     SettingKind = "list" // one entry a line
)

// SettingState is one setting as it is now, every value as it is typed. The key of Cohere is never among them.
type SettingState struct {
	Name  string      `json:"name"`
	About string      `json:"about"` // one plain sentence
	Kind  SettingKind `json:"kind"`
	Value string      `json:"value"`
	From  string      `json:"from"` // "settings", "environment", "default", the path of a file, or what was measured when

	// Default is the value that it has where settings.json does not have it, DefaultFrom where that comes from.
	Default     string `json:"default"`
	DefaultFrom string `json:"default_from"`

	Choices  []string `json:"choices"`  // of a choice
	Min      string   `json:"min"`      // empty: there is no limit
	Max      string   `json:"max"`      // likewise
	Restart  bool     `json:"restart"`  // a change counts fully only when the program is started anew
	Variable string   `json:"variable"` // of the environment, which comes before every file; empty: there is none
}

// SettingChange gives a setting another value, or, with Reset, the one that it has where settings.json does not have it.
type SettingChange struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Reset bool   `json:"reset"`
}

// KeySource says where the key of Cohere comes from.
type KeySource string

// Sources of the key, the first one that has it counts.
const (
	KeyNone        KeySource = ""
	KeyEnvironment KeySource = "environment" // CO_API_KEY
	KeyKeychain    KeySource = "keychain"
	KeySession     KeySource = "session" // until the program ends
)

// KeyState says what is known of the key of Cohere. The key itself is never told.
type KeyState struct {
	From       KeySource `json:"from"`
	NoKeychain string    `json:"no_keychain"` // why the system's keychain keeps no key, a sentence; empty: it does, as far as is known
}

package backend

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"fanous/backend/domain"
)

// setting is one that config.toml, settings.json and, where it has a variable, the environment may hold. Whichever it
// comes from, it passes through text, as somebody would type it.
type setting struct {
	name, about string
	kind        domain.SettingKind
	choices     []string
	min, max    string // as they are typed; empty: there is no limit
	variable    string // of the environment; empty: there is none
	restart     bool   // a change counts fully when the program is started anew
	mayBeEmpty  bool   // the variable counts where it is set to nothing, too

	text  func(*Config) string
	parse func(*Config, string) bool // sets the value; false: it is none
	// within says whether the value is within the limits; nil: it has none.
	within func(*Config) bool
}

// from gives the setting a variable of the environment.
func (s setting) from(variable string) setting {
	s.variable = variable
	return s
}

// set takes over a value that stands under a name: the setting's own, or that of its variable.
func (s setting) set(c *Config, name, text string) error {
	if s.parse(c, text) {
		return nil
	}
	return domain.Errorf(domain.CodeUsage, s.allowed(), "%q is no value of %s", text, name)
}

// allowed says which values there are.
func (s setting) allowed() string {
	switch s.kind {
	case domain.SettingChoice:
		return "choose " + orList(s.choices)
	case domain.SettingSwitch:
		return "choose true or false"
	}
	what := map[domain.SettingKind]string{
		domain.SettingCount: "a whole number", domain.SettingShare: "a number", domain.SettingDuration: `a time such as "2s" or "700ms"`,
	}[s.kind]
	switch {
	case s.min != "" && s.max != "":
		return fmt.Sprintf("give %s from %s to %s", what, s.min, s.max)
	case s.min != "":
		return fmt.Sprintf("give %s from %s on", what, s.min)
	}
	if what == "" {
		what = "a text" // or several, one a line
	}
	return "give " + what
}

// checkLimits refuses a value outside of the setting's limits.
func (s setting) checkLimits(c *Config) error {
	if s.within == nil || s.within(c) {
		return nil
	}
	return domain.Errorf(domain.CodeUsage, s.allowed(), "%q is no value of %s", s.text(c), s.name)
}

// value is the value as settings.json has it.
func (s setting) value(c *Config) any {
	text := s.text(c)
	switch s.kind {
	case domain.SettingCount, domain.SettingShare:
		return json.Number(text)
	case domain.SettingSwitch:
		return text == "true"
	case domain.SettingList:
		return lines(text)
	}
	return text
}

// typed is a value of a TOML or JSON file as it would be typed.
func typed(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case bool, int64, json.Number:
		return fmt.Sprint(v), nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	case []string:
		return strings.Join(v, "\n"), nil
	case []any:
		var parts []string
		for _, part := range v {
			text, ok := part.(string)
			if !ok || text == "" || strings.ContainsAny(text, "\r\n") {
				return "", fmt.Errorf("an entry of the list is no line of text")
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, "\n"), nil
	}
	return "", fmt.Errorf("%v is no value of a setting", v)
}

func lines(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
}

func textSetting(name string, at func(*Config) *string, about string) setting {
	return setting{
		name: name, about: about, kind: domain.SettingText,
		text:  func(c *Config) string { return *at(c) },
		parse: func(c *Config, text string) bool { *at(c) = text; return true },
	}
}

func listSetting(name string, at func(*Config) *[]string, about string) setting {
	return setting{
		name: name, about: about, kind: domain.SettingList,
		text:  func(c *Config) string { return strings.Join(*at(c), "\n") },
		parse: func(c *Config, text string) bool { *at(c) = lines(text); return true },
	}
}

func switchSetting(name string, at func(*Config) *bool, about string) setting {
	return setting{
		name: name, about: about, kind: domain.SettingSwitch,
		text: func(c *Config) string { return strconv.FormatBool(*at(c)) },
		parse: func(c *Config, text string) bool {
			*at(c) = text == "true"
			return text == "true" || text == "false"
		},
	}
}

func choiceSetting[T ~string](name string, choices []T, at func(*Config) *T, about string) setting {
	var names []string
	for _, c := range choices {
		names = append(names, string(c))
	}
	return setting{
		name: name, about: about, kind: domain.SettingChoice, choices: names,
		text: func(c *Config) string { return string(*at(c)) },
		parse: func(c *Config, text string) bool {
			*at(c) = T(text)
			return slices.Contains(names, text)
		},
	}
}

func countSetting(name string, low, high int, at func(*Config) *int, about string) setting {
	return setting{
		name: name, about: about, kind: domain.SettingCount, min: strconv.Itoa(low), max: strconv.Itoa(high),
		text: func(c *Config) string { return strconv.Itoa(*at(c)) },
		parse: func(c *Config, text string) bool {
			n, err := strconv.Atoi(text)
			*at(c) = n
			return err == nil
		},
		within: func(c *Config) bool { return *at(c) >= low && *at(c) <= high },
	}
}

func durationSetting(name string, low, high time.Duration, at func(*Config) *time.Duration, about string) setting {
	return setting{
		name: name, about: about, kind: domain.SettingDuration, min: durationText(low), max: durationText(high),
		text: func(c *Config) string { return durationText(*at(c)) },
		parse: func(c *Config, text string) bool {
			d, err := time.ParseDuration(text)
			*at(c) = d
			return err == nil
		},
		within: func(c *Config) bool { return *at(c) >= low && *at(c) <= high },
	}
}

// shareSetting is a number from 0 to 1. Where get says that there is none, its text is empty.
func shareSetting(name string, get func(*Config) (float64, bool), put func(*Config, float64), about string) setting {
	return setting{
		name: name, about: about, kind: domain.SettingShare, min: "0", max: "1",
		text: func(c *Config) string {
			v, ok := get(c)
			if !ok {
				return ""
			}
			return strconv.FormatFloat(v, 'g', -1, 64)
		},
		parse: func(c *Config, text string) bool {
			v, err := strconv.ParseFloat(text, 64)
			put(c, v)
			return err == nil
		},
		within: func(c *Config) bool { v, ok := get(c); return !ok || v >= 0 && v <= 1 },
	}
}

// durationText is a time as it is typed: "1h", not "1h0m0s".
func durationText(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// orList is "a, b or c".
func orList(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

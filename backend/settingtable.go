package backend

import (
	"slices"
	"strings"
	"time"

	"fanous/backend/cohere"
	"fanous/backend/domain"
	"fanous/backend/onnx"
	"fanous/backend/store"
)

// settings are all there are, in the order in which people read them. A new one is a line here, its default in
// defaults, and its name and sentence in the window's two languages.
func settings() []setting {
	return slices.Concat(cohereSettings(), searchSettings(), readingSettings(), keepingSettings(), modelSettings())
}

func cohereSettings() []setting {
	return []setting{
		switchSetting("offline", func(c *Config) *bool { return &c.Offline },
			"Nothing leaves this machine, whatever the policies of collections say."),
		choiceSetting("cohere_model", cohere.Models(), func(c *Config) *string { return &c.CohereModel },
			"The model that Cohere reranks with."),
		textSetting("cohere_url", func(c *Config) *string { return &c.CohereURL },
			"The address of Cohere, or of your own deployment of it.").from("FANOUS_COHERE_URL"),
		durationSetting("cohere_deadline", time.Millisecond, time.Hour, func(c *Config) *time.Duration { return &c.CohereDeadline },
			"How long a search waits for Cohere before the reranker of this machine takes over."),
		durationSetting("cohere_hedge", 0, time.Hour, func(c *Config) *time.Duration { return &c.CohereHedge },
			"How late Cohere may be before the reranker of this machine is started beside it; 0s: only when Cohere has failed."),
		countSetting("cohere_calls_per_minute", 0, 100_000, func(c *Config) *int { return &c.CohereCallsPerMinute },
			"Calls of Cohere in a minute, of all programs with this data folder; 0: no limit."),
		countSetting("cohere_max_tokens", 1, 32_000, func(c *Config) *int { return &c.CohereMaxTokens },
			"How much of a passage Cohere reads, in tokens."),
	}
}

func searchSettings() []setting {
	return []setting{
		countSetting("candidates", 1, domain.MaxCandidates, func(c *Config) *int { return &c.Candidates },
			"Passages taken from each arm and reranked, where a search does not say."),
		countSetting("top", 1, domain.MaxCandidates, func(c *Config) *int { return &c.Top },
			"Results of a search that does not say how many."),
		countSetting("per_document", 1, 100, func(c *Config) *int { return &c.PerDocument },
			"Passages shown of one document; the others are folded under them."),
		choiceSetting("fusion", []domain.Fusion{domain.FusionConvex, domain.FusionRRF}, func(c *Config) *domain.Fusion { return &c.Fusion },
			"How the lists of words and of meaning are joined: by weighted scores (convex) or by ranks (rrf)."),
		shareSetting("lexical_weight", func(c *Config) (float64, bool) { return c.LexicalWeight, true }, func(c *Config, v float64) { c.LexicalWeight = v },
			"The share that words have in the fusion by scores; meaning has the rest."),
		shareSetting("mmr", func(c *Config) (float64, bool) { return c.MMR, true }, func(c *Config, v float64) { c.MMR = v },
			"How much relevance counts against difference where variety is asked for; 1: relevance alone."),
		rerankSetting(),
		choiceSetting("local_tier", []domain.LocalTier{domain.TierAuto, domain.TierPrecise, domain.TierCascade, domain.TierFast, domain.TierLate},
			func(c *Config) *domain.LocalTier { return &c.LocalTier }, "Which of the rerankers of this machine is used."),
		durationSetting("local_budget", time.Millisecond, time.Hour, func(c *Config) *time.Duration { return &c.LocalBudget },
			"What a search may spend on reranking on this machine."),
		switchSetting("early_exit", func(c *Config) *bool { return &c.EarlyExit },
			"A cascade leaves its precise reranker out where the cheaper one is sure."),
		thresholdSetting("threshold_cohere", domain.BackendCohere, "The score of Cohere under which nothing clearly matches."),
		thresholdSetting("threshold_cross_encoder", domain.BackendCrossEncoder, "The same for the cross-encoders."),
		thresholdSetting("threshold_late_interaction", domain.BackendLateInteraction, "The same for late interaction."),
	}
}

func keepingSettings() []setting {
	return []setting{
		switchSetting("history", func(c *Config) *bool { return &c.History },
			"Finished searches are kept in the index, without the text of any passage."),
		countSetting("history_length", 1, store.MaxHistory, func(c *Config) *int { return &c.HistoryLength },
			"How many searches are kept; the oldest goes for a new one."),
		countSetting("drill_days", 0, 365, func(c *Config) *int { return &c.DrillDays },
			"After how many days the window makes an outage drill by itself, while nobody searches; 0: never."),
		switchSetting("ledger_texts", func(c *Config) *bool { return &c.LedgerTexts },
			"The ledger keeps the texts of what is sent, beside their digests."),
		textSetting("otlp_endpoint", func(c *Config) *string { return &c.OTLPEndpoint },
			"Where OpenTelemetry traces are sent, without any text; empty: nowhere."),
	}
}

func modelSettings() []setting {
	hub := textSetting("model_hub", func(c *Config) *string { return &c.ModelHub },
		"The address of the hub that models come from; empty: none.").from("FANOUS_HUB")
	hub.mayBeEmpty = true
	return []setting{
		listSetting("model_mirrors", func(c *Config) *[]string { return &c.ModelMirrors },
			"Folders or addresses that are asked for models first, in this order."),
		hub,
		textSetting("package_index", func(c *Config) *string { return &c.PackageIndex },
			"The address of a Python package index; empty: what pip is set up to use.").from("FANOUS_PACKAGE_INDEX"),
		textSetting("npm_registry", func(c *Config) *string { return &c.NPMRegistry },
			"The address of an npm registry; empty: what npm is set up to use.").from("FANOUS_NPM_REGISTRY"),
		deviceSetting(),
	}
}

// rerankSetting is the kill switch, under a name that can say more one day.
func rerankSetting() setting {
	return setting{
		name: "rerank", kind: domain.SettingChoice, choices: []string{"auto", "off"}, variable: "FANOUS_RERANK",
		about: "Reranking; off: no search is reranked, whatever it asks for.",
		text: func(c *Config) string {
			if c.RerankOff {
				return "off"
			}
			return "auto"
		},
		parse: func(c *Config, text string) bool {
			c.RerankOff = text == "off"
			return text == "off" || text == "auto"
		},
	}
}

func thresholdSetting(name string, of domain.Backend, about string) setting {
	return shareSetting(name,
		func(c *Config) (float64, bool) { v, ok := c.Thresholds[of]; return v, ok },
		func(c *Config, v float64) { c.Thresholds[of] = v },
		about)
}

func deviceSetting() setting {
	const auto = "auto"
	return setting{
		name: "device", restart: true, kind: domain.SettingChoice, choices: []string{auto, "cpu", "cuda", "directml", "coreml"}, variable: "FANOUS_DEVICE",
		about: "What models run on, where its self-test passes; auto: the best one of those that pass.",
		text: func(c *Config) string {
			if c.Device == "" {
				return auto
			}
			return strings.ToLower(string(c.Device))
		},
		parse: func(c *Config, text string) bool {
			d, ok := onnx.ParseDevice(text)
			c.Device = d
			return ok || strings.EqualFold(text, auto)
		},
	}
}

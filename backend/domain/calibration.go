package domain

// ScorePair is what two rerankers gave the same passage for the same query. It holds no text.
type ScorePair struct {
	ID     int64 // digest of the models, the query and the passage: the same question is kept once
	Search int64 // pairs of one search have the same number; higher is later. Given when it is stored
	Remote float64
	Local  float64 // raw
}

// Calibration says how far a local reranker's scores can be put on a remote one's scale.
type Calibration struct {
	Remote      string   `json:"remote"` // whose scale it is: backend and model
	Local       string   `json:"local"`  // backend, model and what else its scores depend on
	Pairs       int      `json:"pairs"`
	Searches    int      `json:"searches"`
	KendallTau  *float64 `json:"kendall_tau"`  // tau-b, mean over searches; nil where no search tells
	Top5Overlap *float64 `json:"top5_overlap"` // share of the best five that both have, mean over searches; nil as well
	Applied     bool     `json:"applied"`      // the scores are on the remote scale
	Reason      string   `json:"reason"`       // one sentence: "calibrated on N pairs ...", or why it is not applied
}

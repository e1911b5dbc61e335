package eval

import (
	"slices"
	"strings"
)

// Names of the stages that can be measured, in the order of the pipeline.
const (
	StageBM25     = "bm25"
	StageSemantic = "semantic"
	StageHybrid   = "hybrid"
	StageDepth    = "hybrid@depth" // no more of hybrid than is given to a reranker
	StageRerank   = "rerank"       // the local reranker as searches have it
	StageLate     = "late"         // the three tiers, each alone over the whole pool
	StageFast     = "fast"
	StagePrecise  = "precise"
	StageCohere   = "cohere"
	// The two below are fusions by reciprocal rank, at the depth of the rerank stage.
	StageRRF       = "rrf"        // of the two arms
	StageRerankRRF = "rerank-rrf" // of the reranked order and the order that it had before
)

// withMMR ends the name of a stage whose list was then ordered by maximal marginal relevance.
const withMMR = "+mmr"

// Stages is every stage that is measured unless others are asked for, in order.
func Stages() []string {
	return []string{StageBM25, StageSemantic, StageHybrid, StageDepth, StageRerank}
}

// AllStages is every stage that can be asked for, in order.
func AllStages() []string {
	return append(Stages(), StageLate, StageFast, StagePrecise, StageCohere, StageRRF, StageRerankRRF)
}

// base is the stage whose list a stage with MMR reorders; the stage itself where it is none.
func base(stage string) string { return strings.TrimSuffix(stage, withMMR) }

// rankerOf is whose order a stage needs; empty: it is not reranked.
func rankerOf(stage string) string {
	switch stage = base(stage); stage {
	case StageRerankRRF:
		return StageRerank
	case StageRerank, StageLate, StageFast, StagePrecise, StageCohere:
		return stage
	}
	return ""
}

// diversifiable says whether a stage can be followed by MMR: what a search can show.
func diversifiable(stage string) bool {
	return stage == StageHybrid || rankerOf(stage) != "" && stage != StageRerankRRF
}

// inputs are the stages whose order a stage works on, among those measured.
func inputs(stage string, measured []string) []string {
	var in []string
	switch {
	case base(stage) != stage:
		in = []string{base(stage)}
	case stage == StageHybrid || stage == StageRRF:
		in = []string{StageBM25, StageSemantic}
	case rankerOf(stage) != "" && slices.Contains(measured, StageDepth):
		in = []string{StageDepth}
	case rankerOf(stage) != "":
		in = []string{StageHybrid}
	}
	return slices.DeleteFunc(in, func(name string) bool { return !slices.Contains(measured, name) })
}

// compared are the stages that a stage is compared with: its own input, and BM25.
func compared(stage string, measured []string) []string {
	others := inputs(stage, measured)
	if stage != StageBM25 && slices.Contains(measured, StageBM25) && !slices.Contains(others, StageBM25) {
		others = append(others, StageBM25)
	}
	return others
}

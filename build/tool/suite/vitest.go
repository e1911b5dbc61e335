package suite

import (
	"encoding/json"
	"fmt"
)

// Vitest reads the JSON report of a vitest run.
func Vitest(report []byte) (Outcome, error) {
	var run struct {
		Passed      int `json:"numPassedTests"`
		TestResults []struct {
			Name       string `json:"name"`
			Status     string `json:"status"`
			Message    string `json:"message"`
			Assertions []struct {
				FullName string `json:"fullName"`
				Status   string `json:"status"`
			} `json:"assertionResults"`
		} `json:"testResults"`
	}
	if err := json.Unmarshal(report, &run); err != nil {
		return Outcome{}, fmt.Errorf("read vitest's report: %w", err)
	}
	outcome := Outcome{Passed: run.Passed}
	for _, file := range run.TestResults {
		failed := 0
		for _, test := range file.Assertions {
			switch test.Status {
			case "passed":
			case "failed":
				outcome.Failures = append(outcome.Failures, test.FullName)
				failed++
			default: // pending, skipped, todo
				outcome.Skipped = append(outcome.Skipped, test.FullName)
			}
		}
		// A file that cannot be loaded fails without a test.
		if file.Status == "failed" && failed == 0 {
			outcome.Failures = append(outcome.Failures, file.Name+": "+file.Message)
		}
	}
	return outcome, nil
}

package child

import "testing"

func TestSecretsStayHere(t *testing.T) {
	if !isSecret("CO_API_KEY=x") || isSecret("PATH=x") {
		t.Error("the key goes to the child, or the path does not")
	}
}

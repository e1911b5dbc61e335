package extract

import (
	"context"

	"fanous/backend/domain"
)

func readDOC(ctx context.Context, src source) (domain.Content, error) {
	return domain.Content{}, unsupported("it is a document of Word before 97-2003 (.doc); saved as .docx it is read")
}

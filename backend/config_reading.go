package backend

// ReadingSettings say what is read of documents beside their text.
type ReadingSettings struct {
	OCR       bool   // the text in pictures is read, where Tesseract is installed
	Tesseract string // path of the program; empty: the one that is found
}

func defaultReadingSettings() ReadingSettings { return ReadingSettings{OCR: true} }

func readingSettings() []setting {
	return []setting{
		switchSetting("ocr", func(c *Config) *bool { return &c.OCR },
			"The text in pictures and scanned pages is read, where Tesseract is installed."),
		textSetting("tesseract", func(c *Config) *string { return &c.Tesseract },
			"Where the program Tesseract is; empty: where its installers put it."),
	}
}

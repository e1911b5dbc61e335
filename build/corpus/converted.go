package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fanous/backend/domain"
)

// conversion is a source of ours that LibreOffice makes a file of.
type conversion struct {
	source, text string // name and content of the source
	to           string // extension of the file
	file         File   // without its name
}

// converted writes the texts of all languages, and the documents with all that a format has, with LibreOffice.
func (m *maker) converted() error {
	var all []conversion
	for _, t := range languages() {
		for _, to := range []struct {
			extension string
			place     func(second bool) domain.Place
		}{
			{"docx", t.heading}, {"odt", t.heading}, {"doc", t.heading}, {"rtf", t.heading}, {"pdf", t.page},
			{"epub", nowhere}, // LibreOffice makes paragraphs of headings there
		} {
			all = append(all, conversion{t.lang + ".fodt", t.flat(), to.extension, File{Title: t.title, Sought: t.sought(to.place)}})
		}
	}
	all = append(all, features()...)
	work, err := os.MkdirTemp("", "corpus")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	for len(all) > 0 {
		to := all[0].to
		var sources []string
		all = slices.DeleteFunc(all, func(c conversion) bool {
			if c.to == to && err == nil {
				source := filepath.Join(work, c.source)
				sources = append(sources, source)
				c.file.Name = "office-" + to + "/" + strings.TrimSuffix(c.source, filepath.Ext(c.source)) + "." + to
				m.expect(c.file)
				err = os.WriteFile(source, []byte(c.text), 0o644)
			}
			return c.to == to
		})
		if err == nil { // one run of the program for all files of a format: starting it takes longest
			err = libreOffice(m.ctx, filepath.Join(work, "profile"), to, m.path("office-"+to), sources)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func nowhere(bool) domain.Place { return domain.Place{} }

// printed prints the text of each language with Chromium.
func (m *maker) printed() error {
	work, err := os.MkdirTemp("", "corpus")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	p, err := startPrinter(m.ctx, filepath.Join(work, "browser"))
	if err != nil {
		return err
	}
	defer p.close()
	page := filepath.Join(work, "page.html")
	for _, f := range printouts() {
		if err := os.WriteFile(page, []byte(f.text), 0o644); err != nil {
			return err
		}
		data, err := p.print(page)
		if err != nil {
			return err
		}
		if err := m.put(f.file, data); err != nil {
			return err
		}
	}
	return nil
}

// printout is a page and what must come of it when it is printed.
type printout struct {
	text string
	file File
}

func printouts() []printout {
	var all []printout
	for _, t := range languages() {
		all = append(all, printout{t.html(), File{Name: "printed/" + t.lang + ".pdf", Title: t.title, Sought: t.sought(t.page)}})
	}
	const columns = `<!DOCTYPE html><html dir="%s"><meta charset="utf-8"><style>div { columns: 2; column-gap: 1cm; font: 14pt "Noto Sans", "Noto Naskh Arabic" }</style><div>%s</div>`
	page := func(name, text string, sought ...Sought) {
		all = append(all, printout{text, File{Name: "printed/" + name + ".pdf", Sought: sought}})
	}
	whole := func(query, marked string) Sought { return Sought{Query: query, Marked: []string{marked}} }
	// The last words of one column and the first of the next run on.
	left, right := strings.Repeat("<p>The keeper wrote down each ship that had passed the rock that day, and the wind and the sea.</p>", 12), strings.Repeat("<p>نگهبان هر کشتی را که آن روز از کنار صخره گذشته بود و باد و دریا را نوشت.</p>", 14)
	page("scripts", scriptsHTML(), scriptsSought()...)
	page("columns", strings.Replace(strings.Replace(columns, "%s", "ltr", 1), "%s", left+`<p style="break-before:column">At last the lantern</p>`, 1), whole(`"passed the rock that day"`, "passed the rock that day"), whole(`"last the lantern"`, "last the lantern"))
	page("columns-fa", strings.Replace(strings.Replace(columns, "%s", "rtl", 1), "%s", right+`<p style="break-before:column">سرانجام فانوس روشن شد</p>`, 1), whole(`"کنار صخره گذشته"`, "کنار صخره گذشته"), whole(`"فانوس روشن"`, "فانوس روشن"))
	page("mixed", `<!DOCTYPE html><html dir="rtl"><meta charset="utf-8"><p style="font:16pt 'Noto Sans','Noto Naskh Arabic'">نسخهٔ PostgreSQL 15.2 در ۱۴۰۲/۰۳/۱۵ روی Debian GNU/Linux نصب شد (فایل README.md).</p>`,
		whole("postgresql", "PostgreSQL"), whole("15.2", "15.2"), whole("1402/03/15", "۱۴۰۲/۰۳/۱۵"), whole(`"GNU/Linux نصب شد"`, "GNU/Linux نصب شد"), whole("نسخه", "نسخهٔ"))
	page("hyphens", `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><p style="font:16pt 'Noto Sans';width:3.2cm;text-align:justify">The com&shy;mit&shy;tee of the har&shy;bour had de&shy;lib&shy;er&shy;at&shy;ed for a con&shy;sid&shy;er&shy;able time on the ex&shy;tra&shy;or&shy;di&shy;nary lan&shy;tern.</p>`,
		whole("deliberated", "deliberated"), whole("considerable", "considerable"), whole("extraordinary", "extraordinary"))
	page("ligatures", `<!DOCTYPE html><meta charset="utf-8"><p style="font:16pt 'DejaVu Serif','Noto Serif';font-variant-ligatures:common-ligatures">The efficient office found five flags and a waffle. لا سلام الله</p>`,
		whole("efficient", "efficient"), whole("office", "office"), whole("waffle", "waffle"), whole("flag", "flags"), whole("سلام", "سلام"), whole("الله", "الله"))
	return all
}

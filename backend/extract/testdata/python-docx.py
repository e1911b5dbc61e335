"""Makes python-docx.docx with the library python-docx, a writer that is not ours."""
from docx import Document

d = Document()
d.core_properties.title = "Harbour report"
d.core_properties.author = "Fanous"
d.add_heading("Harbour report", 0)
d.add_heading("Lights", level=1)
d.add_paragraph("The north light was lit for 365 nights.")
d.add_heading("چراغ‌ها", level=2)
d.add_paragraph("چراغ شمالی ۳۶۵ شب روشن بود و کتاب نگهبان را یافتند.")
d.add_paragraph("first item", style="List Bullet")
d.add_paragraph("second item", style="List Number")
t = d.add_table(rows=2, cols=2)
for r, row in enumerate([["Station", "Height"], ["North rock", "31 m"]]):
    for c, text in enumerate(row):
        t.cell(r, c).text = text
d.sections[0].header.paragraphs[0].text = "Running head"
d.save("python-docx.docx")

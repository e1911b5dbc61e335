import type { Template } from '../sentences';
import { errors } from './errors.fa';

// جمله‌های خود برنامه، به فارسی. سمت چپ همان است که در کد Go آمده و {} جای بخش‌های متغیر است.

/** What a search says of its ranker, and why another one served. */
const ranking: Template[] = [
  ['Not reranked, for the same reason.', () => 'به همان دلیل بازچینی نشد.'],
  ['Not reranked.', () => 'بازچینی نشد.'],
  ['The keychain is switched off by FANOUS_KEYCHAIN.', () => 'جاکلیدی با FANOUS_KEYCHAIN خاموش شده است.'],
  ['This system has no keychain.', () => 'این سیستم جاکلیدی ندارد.'],
  [
    'The keychain has not answered yet. It may be locked.',
    () => 'جاکلیدی هنوز پاسخ نداده است. شاید قفل باشد.',
  ],
  [
    'The keychain did not answer in time. It may be locked.',
    () => 'جاکلیدی به‌موقع پاسخ نداد. شاید قفل باشد.',
  ],
  ['No API key for Cohere is set.', () => 'کلیدی برای Cohere تنظیم نشده است.'],
  ['Cohere cannot be asked: {}.', (why) => `از Cohere نمی‌شود پرسید: ${why}.`],
  [
    'The offline switch is on, so nothing was sent to Cohere.',
    () => 'کلید برون‌خط روشن است، پس چیزی به Cohere فرستاده نشد.',
  ],
  ['The offline switch is on.', () => 'کلید برون‌خط روشن است.'],
  [
    "The collection's policy is to ask first, and this search was not told to send, so nothing was sent to Cohere.",
    () => 'سیاست مجموعه پرسیدن است و در این جست‌وجو اجازه‌ای داده نشد، پس چیزی به Cohere فرستاده نشد.',
  ],
  [
    'The policy of the collection, or of another one that has one of these documents, lets nothing leave this machine, so nothing was sent to Cohere.',
    () =>
      'سیاست این مجموعه، یا مجموعهٔ دیگری که یکی از این سندها را دارد، نمی‌گذارد چیزی از این دستگاه بیرون برود، پس چیزی به Cohere فرستاده نشد.',
  ],
  [
    "The collection's policy cannot be read ({}), so nothing was sent to Cohere.",
    (why) => `سیاست مجموعه را نشد خواند (${why})، پس چیزی به Cohere فرستاده نشد.`,
  ],
  [
    'This search was allowed one request to Cohere, and that has been sent.',
    () => 'این جست‌وجو اجازهٔ یک درخواست به Cohere داشت و آن فرستاده شده است.',
  ],
  [
    'The ledger of what leaves this machine is not whole, so nothing was sent to Cohere; see `fanous ledger --verify`.',
    () => 'دفتر ارسال‌ها کامل نیست، پس چیزی به Cohere فرستاده نشد؛ بخش دفتر ارسال‌ها را ببینید.',
  ],
  [
    'The ledger of what leaves this machine cannot be written ({}), so nothing was sent to Cohere.',
    (why) => `در دفتر ارسال‌ها نمی‌شود نوشت (${why})، پس چیزی به Cohere فرستاده نشد.`,
  ],
  [
    'The ledger of what leaves this machine cannot be read ({}), so nothing is sent.',
    (why) => `دفتر ارسال‌ها را نمی‌شود خواند (${why})، پس چیزی فرستاده نمی‌شود.`,
  ],
  [
    'The ledger of what leaves this machine is not whole, so nothing is sent until that is acknowledged.',
    () => 'دفتر ارسال‌ها کامل نیست؛ تا کسی آن را ندیده باشد چیزی فرستاده نمی‌شود.',
  ],
  [
    'No local reranker is installed, and without the embedder there is no late interaction.',
    () => 'بازچینی روی این دستگاه نصب نیست و بدون مدل معنا تعامل دیرهنگام هم شدنی نیست.',
  ],
  ['No local reranker is installed.', () => 'بازچینی روی این دستگاه نصب نیست.'],
  ['The result of {} makes no sense, so it was not used.', (who) => `نتیجهٔ ${who} معنا نداشت و به کار نرفت.`],
  ['The local reranker scored nothing within {}.', (time) => `بازچین این دستگاه در ${time} چیزی را نسنجید.`],
  ['The reranker cannot do it: {}.', (why) => `بازچین از پس آن برنمی‌آید: ${why}.`],
  ['The reranker {} cannot be used ({}).', (who, why) => `بازچین ${who} به کار نمی‌آید (${why}).`],
  [
    '{} is left alone for a while, because of its last failure: {}',
    (who, why) => `${who} به خاطر خطای پیشین چندی کنار گذاشته شده است: ${why}`,
  ],
  [
    '{} failed lately, and another search is just trying whether it works again.',
    (who) => `${who} به‌تازگی ناموفق بود و جست‌وجوی دیگری دارد می‌آزماید که باز کار می‌کند یا نه.`,
  ],
  [
    '{} was not asked, to stay within {} calls a minute; the next one can be made in {} s.',
    (who, most, wait) =>
      `از ${who} پرسیده نشد تا از ${most} درخواست در دقیقه نگذرد؛ درخواست بعدی تا ${wait} ثانیهٔ دیگر شدنی است.`,
  ],
  ['{} did not answer within {}.', (who, time) => `${who} در ${time} پاسخ نداد.`],
  ['Cohere did not answer in time.', () => 'Cohere به‌موقع پاسخ نداد.'],
  ['{} did not answer in time.', (who) => `${who} به‌موقع پاسخ نداد.`],
  ['{} stopped with an internal error.', (who) => `${who} با خطای درونی ایستاد.`],
  ['{} failed: {}.', (who, why) => `${who} ناموفق بود: ${why}.`],
  [
    '{}, started {} after {}, was first.',
    (fast, later, slow) => `${fast} که ${later} پس از ${slow} به راه افتاد، زودتر رسید.`,
  ],
  [
    'The query has filters and no words: the newest documents come first.',
    () => 'پرسش تنها صافی دارد و واژه ندارد: تازه‌ترین سندها نخست می‌آیند.',
  ],
  [
    'Reranking is switched off for this collection: it did not help on {} judged queries.',
    (n) => `بازچینی برای این مجموعه خاموش است: در ${n} پرسش داوری‌شده کمکی نکرد.`,
  ],
  ['Reranking is switched off in the settings.', () => 'بازچینی در تنظیم‌ها خاموش است.'],
  ['mmr: {}. The order is by relevance alone.', (why) => `تنوع: ${why}. ترتیب فقط بر پایهٔ ربط است.`],
  ['Calibrated on {} pairs.', (n) => `هم‌مقیاس بر پایهٔ ${n} جفت.`],
  [
    'Not calibrated yet: pairs {} (at least {} are needed), searches {} (at least {}).',
    (pairs, least, searches, few) =>
      `هنوز هم‌مقیاس نشده: جفت‌ها ${pairs} (دست‌کم ${least} لازم است)، جست‌وجوها ${searches} (دست‌کم ${few}).`,
  ],
  ['Not calibrated: {}.', (why) => `هم‌مقیاس نشده: ${why}.`],
  [
    'Some scores of this search could not be worked out; they are shown as 0 or left out.',
    () => 'برخی امتیازهای این جست‌وجو حساب نشد؛ صفر نشان داده شده یا کنار گذاشته شده‌اند.',
  ],
];

/** Cohere, and the network on the way to it. */
const cohere: Template[] = [
  ['Cohere cannot be reached from this network.', () => 'از این شبکه به Cohere دسترسی نیست.'],
  [
    "Cohere's address could not be looked up; the network may be down.",
    () => 'نشانی Cohere پیدا نشد؛ شاید شبکه قطع باشد.',
  ],
  [
    "The server in Cohere's place has no trusted certificate, so nothing was sent to it.",
    () => 'کارسازی که به جای Cohere پاسخ داد گواهی معتبر ندارد، پس چیزی به آن فرستاده نشد.',
  ],
  [
    'The network sends requests for Cohere on to another address; that was not followed.',
    () => 'شبکه درخواست‌های Cohere را به نشانی دیگری می‌فرستد؛ از آن پیروی نشد.',
  ],
  [
    "A web page answered in Cohere's place; this network may want you to sign in first.",
    () => 'به جای Cohere یک صفحهٔ وب پاسخ داد؛ شاید این شبکه نخست ورود می‌خواهد.',
  ],
  [
    'Cohere, or the network on the way to it, blocks this computer, often because of its country. The API key is not at fault.',
    () => 'Cohere یا شبکهٔ میان راه این رایانه را مسدود کرده، بیشتر به خاطر کشور آن. ایراد از کلید نیست.',
  ],
  ['Cohere does not accept the API key.', () => 'Cohere کلید را نمی‌پذیرد.'],
  [
    'Cohere does not allow this API key to rerank with this model.',
    () => 'Cohere اجازه نمی‌دهد این کلید با این مدل بازچینی کند.',
  ],
  [
    "The API key's limit of calls to Cohere is reached.",
    () => 'سهم درخواست‌های این کلید از Cohere تمام شده است.',
  ],
  [
    'Cohere refused the request as malformed. That is a fault in Fanous; please report it ({}).',
    (why) => `Cohere درخواست را نادرست دانست. این ایراد فانوس است؛ گزارشش کنید (${why}).`,
  ],
  [
    'Cohere refused the request as malformed. That is a fault in Fanous; please report it.',
    () => 'Cohere درخواست را نادرست دانست. این ایراد فانوس است؛ گزارشش کنید.',
  ],
  ['Cohere has trouble of its own (status {}).', (status) => `Cohere خودش دچار مشکل است (وضعیت ${status}).`],
  [
    "Cohere's answer cannot be believed, so it was not used ({}).",
    (why) => `پاسخ Cohere باورکردنی نبود و به کار نرفت (${why}).`,
  ],
  [
    "Cohere's answer cannot be believed, so it was not used.",
    () => 'پاسخ Cohere باورکردنی نبود و به کار نرفت.',
  ],
];

/** What retrieval and indexing had to do without. */
const without: Template[] = [
  ['This search is by keywords only.', () => 'این جست‌وجو فقط با واژه است.'],
  [
    'This collection has no vectors yet; index it again to add semantic search.',
    () => 'این مجموعه هنوز بردار ندارد؛ برای جست‌وجوی معنایی آن را به‌روز کنید.',
  ],
  ['The query could not be embedded ({}).', (why) => `بردار پرسش ساخته نشد (${why}).`],
  [
    'Keyword search has everything; index again to add semantic search.',
    () => 'جست‌وجوی واژه همه چیز را دارد؛ برای جست‌وجوی معنایی دوباره به‌روز کنید.',
  ],
  ['No model can run: {}.', (why) => `هیچ مدلی نمی‌تواند اجرا شود: ${why}.`],
  ['no path to the ONNX Runtime library is known', () => 'جای کتابخانهٔ ONNX Runtime دانسته نیست'],
  ['The embedder is not installed.', () => 'مدل معنا نصب نیست.'],
  ['The embedder cannot be used: {}.', (why) => `مدل معنا به کار نمی‌آید: ${why}.`],
  ['The pictures of {} documents were not read: {}', (n, why) => `تصویرهای ${n} سند خوانده نشد: ${why}`],
  ['the text in its pictures was not recognised: {}', (why) => `متن تصویرهایش بازشناخته نشد: ${why}`],
  [
    'Tesseract, which reads the text of images, is not installed.',
    () => 'Tesseract که متن تصویرها را می‌خواند نصب نیست.',
  ],
  ['To change that, {} and index again.', (how) => `برای تغییر آن ${how} و سپس به‌روز کنید.`],
  ['It has no {}.', (what) => `این زبان‌ها را ندارد: ${what}.`],
  [
    'Waiting until the machine is plugged in: the battery has {} % left.',
    (left) => `تا وصل شدن به برق صبر می‌کند: ${left}٪ باتری مانده است.`,
  ],
  ['Waiting until the machine is plugged in.', () => 'تا وصل شدن به برق صبر می‌کند.'],
];

/** What models cannot run on, and why. */
const devices: Template[] = [
  ['{} does not exist on this operating system', (device) => `${device} در این سیستم‌عامل نیست`],
  [
    'the installed ONNX Runtime library is built without {}',
    (device) => `کتابخانهٔ ONNX Runtime نصب‌شده ${device} را در خود ندارد`,
  ],
  ['there is no NVIDIA driver on this machine', () => 'این رایانه راه‌انداز NVIDIA ندارد'],
  [
    'the NVIDIA driver is too old for the installed CUDA libraries',
    () => 'راه‌انداز NVIDIA برای کتابخانه‌های CUDA نصب‌شده قدیمی است',
  ],
  [
    'there is no graphics processor that {} can use',
    (device) => `پردازندهٔ گرافیکی‌ای که ${device} به کار ببرد نیست`,
  ],
  [
    'the graphics processor is older than the installed CUDA libraries can use',
    () => 'پردازندهٔ گرافیکی قدیمی‌تر از آن است که کتابخانه‌های CUDA نصب‌شده به کار ببرند',
  ],
  [
    'the model does not fit into the memory that {} has left',
    (device) => `مدل در حافظهٔ آزاد ${device} جا نمی‌شود`,
  ],
  [
    'a library that {} needs cannot be loaded: {}',
    (device, why) => `کتابخانه‌ای که ${device} می‌خواهد بار نمی‌شود: ${why}`,
  ],
  ['{} cannot run the model: {}', (device, why) => `${device} نمی‌تواند مدل را اجرا کند: ${why}`],
  [
    '{} has SHA-256 {}, not {}',
    (file, has, wanted) => `چکیدهٔ SHA-256 پروندهٔ ${file} به جای ${wanted} چنین است: ${has}`,
  ],
];

/** Why a file cannot be found, or not all of it. */
const files: Template[] = [
  ['this kind of file is not read: {}', (what) => `این نوع پرونده خوانده نمی‌شود: ${what}`],
  ['this kind of file is not read', () => 'این نوع پرونده خوانده نمی‌شود'],
  ['it is compressed in a way that is not known here', () => 'به شیوه‌ای ناشناخته فشرده شده است'],
  ['it has holes, whose size is only claimed', () => 'جاهای خالی دارد که فقط ادعا شده‌اند'],
  ['it is not text and of no known kind', () => 'متن نیست و نوعش ناشناخته است'],
  [
    'it is an Office document of another kind than text, sheets and slides',
    () => 'سند Office از نوعی جز متن، برگه و اسلاید است',
  ],
  ['it is a program', () => 'برنامه است'],
  [
    'it is a workbook of Excel before 2007 (.xls); saved as .xlsx it is read',
    () => 'کارپوشهٔ Excel پیش از ۲۰۰۷ است (‎.xls‎)؛ اگر ‎.xlsx‎ ذخیره شود خوانده می‌شود',
  ],
  [
    'it is a presentation of PowerPoint before 2007 (.ppt); saved as .pptx it is read',
    () => 'ارائهٔ PowerPoint پیش از ۲۰۰۷ است (‎.ppt‎)؛ اگر ‎.pptx‎ ذخیره شود خوانده می‌شود',
  ],
  [
    "it is a document of Apple's Pages, Numbers or Keynote; exported as a PDF or an Office document it is read",
    () => 'سند Pages، Numbers یا Keynote اپل است؛ اگر به شکل PDF یا سند Office صادر شود خوانده می‌شود',
  ],
  [
    'it is a compound file of another kind than documents and messages',
    () => 'پرونده‌ای مرکب از نوعی جز سند و پیام است',
  ],
  [
    'it is a document of Word before 97; saved as .docx it is read',
    () => 'سند Word پیش از ۹۷ است؛ اگر ‎.docx‎ ذخیره شود خوانده می‌شود',
  ],
  ['it is a picture of a kind that is not known', () => 'تصویری از نوع ناشناخته است'],
  ['it is not a regular file', () => 'پروندهٔ معمولی نیست'],
  [
    'it is a binary workbook (.xlsb); saved as .xlsx it is read',
    () => 'کارپوشهٔ دودویی است (‎.xlsb‎)؛ اگر ‎.xlsx‎ ذخیره شود خوانده می‌شود',
  ],
  ['it is a binary workbook (.xlsb)', () => 'کارپوشهٔ دودویی است (‎.xlsb‎)'],
  ['a drawing could not be read', () => 'نگاره‌ای را نشد خواند'],
  ['a part in another format could not be read', () => 'بخشی به قالبی دیگر را نشد خواند'],
  ['it is a font', () => 'قلم است'],
  ['it is a sound recording', () => 'صدا است'],
  ['it is a video', () => 'فیلم است'],
  [
    'it is a signature, or certificates, and has no content of its own',
    () => 'امضا یا گواهی است و محتوایی از خود ندارد',
  ],
  ['the signed file is damaged', () => 'پروندهٔ امضاشده آسیب دیده است'],
  ['it is encrypted for the key of its reader', () => 'برای کلید خواننده‌اش رمز شده است'],
  ['the file needs a password: {}', (why) => `پرونده گذرواژه می‌خواهد: ${why}`],
  ['the file needs a password', () => 'پرونده گذرواژه می‌خواهد'],
  ['or is encrypted in a way that is not known', () => 'یا به شیوه‌ای ناشناخته رمز شده است'],
  ['the sandbox has no memory left', () => 'حافظهٔ بخش جداگانه‌ای که پرونده را می‌خواند تمام شد'],
  ['the file has no text', () => 'پرونده متنی ندارد'],
  [
    'only pictures: what is written in them can be recognised (OCR)',
    () => 'فقط تصویر دارد: نوشتهٔ آن‌ها را می‌شود بازشناخت (OCR)',
  ],
  ['it holds {} file', (n) => `${n} پرونده در آن است`],
  ['it holds {} message', (n) => `${n} پیام در آن است`],
  ['it holds {} files', (n) => `${n} پرونده در آن است`],
  ['it holds {} messages', (n) => `${n} پیام در آن است`],
  ['the wrapping is damaged: {}', (why) => `پوشش آن آسیب دیده است: ${why}`],
  ['the archive is damaged: {}', (why) => `بایگانی آسیب دیده است: ${why}`],
  ['the document is a damaged archive: {}', (why) => `سند یک بایگانی آسیب‌دیده است: ${why}`],
  ['the file is a damaged archive: {}', (why) => `پرونده یک بایگانی آسیب‌دیده است: ${why}`],
  ['a part of the document could not be opened: {}', (why) => `بخشی از سند باز نشد: ${why}`],
  ['a part of the document is damaged: {}', (why) => `بخشی از سند آسیب دیده است: ${why}`],
  [
    'a part of the document is nested deeper than anybody writes',
    () => 'بخشی از سند بیش از اندازه تودرتو است',
  ],
  ['the document has no main part', () => 'سند بخش اصلی ندارد'],
  [
    'the document holds {} files, more than the {} that are read',
    (n, most) => `سند ${n} پرونده دارد، بیش از ${most} که خوانده می‌شود`,
  ],
  [
    'the document inflates to more than the {} MiB that are read',
    (most) => `سند پس از باز شدن بیش از ${most} مبی‌بایت است که خوانده می‌شود`,
  ],
  ['the document lacks its part {}', (what) => `سند بخش ${what} را ندارد`],
  ['title and author could not be read', () => 'عنوان و نویسنده را نشد خواند'],
  ['the document is damaged: the list of its text is missing', () => 'سند آسیب دیده است: فهرست متن آن نیست'],
  [
    'the document is damaged: only the text before the damage was read',
    () => 'سند آسیب دیده است: فقط متن پیش از آسیب خوانده شد',
  ],
  [
    'it is damaged: only what stands before the damage was read',
    () => 'آسیب دیده است: فقط آنچه پیش از آسیب آمده خوانده شد',
  ],
  ['a header or footer could not be read', () => 'سرصفحه یا پاصفحه‌ای را نشد خواند'],
  ['the notes or comments could not all be read', () => 'همهٔ یادداشت‌ها یا نظرها را نشد خواند'],
  [
    'the styles could not be read: headings may be missing',
    () => 'سبک‌ها را نشد خواند: شاید سرتیترهایی نباشند',
  ],
  ['a chapter could not be read: {}', (why) => `فصلی را نشد خواند: ${why}`],
  ['a chapter of the book is missing or damaged', () => 'فصلی از کتاب نیست یا آسیب دیده است'],
  [
    'the file is damaged in a way that stopped its reader: {}',
    (why) => `پرونده چنان آسیب دیده که خواننده‌اش ایستاد: ${why}`,
  ],
  ['the file is damaged: {}', (why) => `پرونده آسیب دیده است: ${why}`],
  [
    'the file is larger than the {} MiB that are read of this kind',
    (most) => `پرونده از ${most} مبی‌بایت که از این نوع خوانده می‌شود بزرگ‌تر است`,
  ],
  ['the file has no member {}', (name) => `پرونده عضوی به نام ${name} ندارد`],
  ['the file could not be read: {}', (why) => `پرونده را نشد خواند: ${why}`],
  ['the file could not be opened: {}', (why) => `پرونده باز نشد: ${why}`],
  ['the page could not be read to its end: {}', (why) => `صفحه را تا پایان نشد خواند: ${why}`],
  ['the page could not be read: {}', (why) => `صفحه را نشد خواند: ${why}`],
  ['the page could not be drawn: {}', (why) => `صفحه را نشد کشید: ${why}`],
  ['the page has no size', () => 'صفحه اندازه ندارد'],
  ['the page is too large to be drawn', () => 'صفحه برای کشیدن بیش از اندازه بزرگ است'],
  ['the text of the message is damaged', () => 'متن پیام آسیب دیده است'],
  [
    'the text of the message is compressed in a way that is not known here',
    () => 'متن پیام به شیوه‌ای ناشناخته فشرده شده است',
  ],
  [
    'parts of the message were left out: there are too many, or too much in them',
    () => 'بخش‌هایی از پیام کنار گذاشته شد: بیش از اندازه‌اند یا بیش از اندازه در آن‌ها است',
  ],
  [
    'the attached file {} was left out: it cannot be read, or is too large',
    (name) => `پروندهٔ پیوست ${name} کنار گذاشته شد: خوانده نمی‌شود یا بیش از اندازه بزرگ است`,
  ],
  ['an object that was pasted into the message was not read', () => 'چیزی که در پیام چسبانده شده خوانده نشد'],
  [
    'sheets that the document hides were read, too: {}',
    (names) => `برگه‌هایی که سند پنهان می‌کند هم خوانده شد: ${names}`,
  ],
  [
    'sheets that the workbook hides were read, too: {}',
    (names) => `برگه‌هایی که کارپوشه پنهان می‌کند هم خوانده شد: ${names}`,
  ],
  [
    'slides that the presentation hides were read, too: {}',
    (names) => `اسلایدهایی که ارائه پنهان می‌کند هم خوانده شد: ${names}`,
  ],
  ['slide {} could not all be read', (n) => `همهٔ اسلاید ${n} را نشد خواند`],
  [
    'texts of the workbook are missing: the part that holds them is damaged',
    () => 'متن‌هایی از کارپوشه نیست: بخشی که آن‌ها را دارد آسیب دیده است',
  ],
  ['the formats of numbers could not all be read', () => 'همهٔ قالب‌های عددها را نشد خواند'],
  [
    'the workbook is damaged: a sheet was read only up to the damage',
    () => 'کارپوشه آسیب دیده است: برگه‌ای فقط تا جای آسیب خوانده شد',
  ],
  ['the PDF reader did not start: {}', (why) => `خوانندهٔ PDF راه نیفتاد: ${why}`],
  [
    'the PDF is damaged: none of its pages could be read',
    () => 'این PDF آسیب دیده است: هیچ صفحه‌ای از آن را نشد خواند',
  ],
  ['it is not a PDF, or its structure is broken', () => 'PDF نیست یا ساختارش شکسته است'],
  ['the PDF is damaged: {}', (why) => `این PDF آسیب دیده است: ${why}`],
  ['the pages from {} on could not be read', (n) => `صفحه‌ها را از ${n} به بعد نشد خواند`],
  ['page {}: text unreliable', (n) => `صفحهٔ ${n}: متن قابل اعتماد نیست`],
  ['the picture is damaged: {}', (why) => `تصویر آسیب دیده است: ${why}`],
  ['the picture has no page {}', (n) => `تصویر صفحهٔ ${n} ندارد`],
  ['the picture has no size', () => 'تصویر اندازه ندارد'],
  [
    'the picture of {} × {} pixels is larger than what is read',
    (w, h) => `تصویر ${w} در ${h} پیکسل بزرگ‌تر از آن است که خوانده می‌شود`,
  ],
  [
    'it holds more than {} files: the rest was left out',
    (most) => `بیش از ${most} پرونده در آن است: بقیه کنار گذاشته شد`,
  ],
  [
    'it holds more than {} messages: the rest was left out',
    (most) => `بیش از ${most} پیام در آن است: بقیه کنار گذاشته شد`,
  ],
  [
    'it is larger than the {} MiB that are read of a file in an archive or a message',
    (most) => `از ${most} مبی‌بایت که از پروندهٔ درون بایگانی یا پیام خوانده می‌شود بزرگ‌تر است`,
  ],
  [
    'what it holds inflates without end, or nearly: the rest was left out',
    () => 'آنچه در آن است کم‌وبیش بی‌پایان باز می‌شود: بقیه کنار گذاشته شد',
  ],
  [
    'it lies deeper than {} archives and messages in one another',
    (most) => `در عمق بیش از ${most} بایگانی و پیام تودرتو است`,
  ],
];

/** What became of the reading of a file, and of the folders that it is in. */
const reading: Template[] = [
  [
    'it changes while it is read; it is read again at the next indexing',
    () => 'هنگام خواندن تغییر می‌کند؛ در به‌روزرسانی بعدی دوباره خوانده می‌شود',
  ],
  ['reading it has not come to its end yet', () => 'خواندنش هنوز به پایان نرسیده است'],
  ['reading it did not come to an end', () => 'خواندنش به پایان نرسید'],
  [
    'reading it takes more memory than the {} that a file may take',
    (most) => `خواندنش بیش از ${most} که هر پرونده مجاز است حافظه می‌خواهد`,
  ],
  ['it ended the process that read it: {}', (how) => `پردازه‌ای را که آن را می‌خواند از کار انداخت: ${how}`],
  ['it ended without a word', () => 'بی‌هیچ پیامی پایان یافت'],
  ['it fell silent', () => 'خاموش شد'],
  ['it said something else than that it is ready', () => 'به جای آمادگی چیز دیگری گفت'],
  ['the process that read it went wrong: {}', (how) => `پردازه‌ای که آن را می‌خواند به خطا رفت: ${how}`],
  ['it did not draw every page', () => 'همهٔ صفحه‌ها را نکشید'],
  [
    'it drew a page of {} × {} pixels with {} bytes',
    (w, h, n) => `صفحه‌ای ${w} در ${h} پیکسل را با ${n} بایت کشید`,
  ],
  ['it drew what nobody wanted', () => 'چیزی کشید که کسی نخواسته بود'],
  ['it put text beside the page', () => 'متنی بیرون از صفحه گذاشت'],
  ['it did not end a document', () => 'سندی را به پایان نبرد'],
  ['it did not say what became of the file', () => 'نگفت بر سر پرونده چه آمد'],
  ['it gave a document that there cannot be', () => 'سندی داد که نمی‌تواند باشد'],
  ['it gave a part of no document', () => 'بخشی از هیچ سندی داد'],
  ['it gave a state that there is not: {}', (what) => `حالتی داد که نیست: ${what}`],
  ['it gave the file twice', () => 'پرونده را دو بار داد'],
  [
    'one document in it is larger than what is read of one',
    () => 'سندی در آن بزرگ‌تر از آن است که از یک سند خوانده می‌شود',
  ],
  [
    'there are more documents in it than are read of one file',
    () => 'بیش از آنچه از یک پرونده خوانده می‌شود سند در آن است',
  ],
  [
    'there is more in it than what is read of a file of its size',
    () => 'بیش از آنچه از پرونده‌ای به این اندازه خوانده می‌شود در آن است',
  ],
  [
    'it is not there; what was indexed from it is kept until it is back or removed from the collection',
    () => 'سر جایش نیست؛ آنچه از آن نمایه شده می‌ماند تا برگردد یا از مجموعه بیرون گذاشته شود',
  ],
  [
    'you are not allowed to read it; change its permissions, then index again',
    () => 'اجازهٔ خواندنش را ندارید؛ مجوزهایش را تغییر دهید و سپس به‌روز کنید',
  ],
  [
    'its path is too long for this system; move it up, or shorten the names of its folders',
    () => 'مسیرش برای این سیستم بیش از اندازه دراز است؛ بالاتر ببریدش یا نام پوشه‌ها را کوتاه کنید',
  ],
  ['it is a link that leads back to itself', () => 'پیوندی است که به خودش برمی‌گردد'],
  ['it cannot be read: {}', (why) => `خواندنی نیست: ${why}`],
  ['its {} is too large ({} bytes)', (name, n) => `${name} آن بیش از اندازه بزرگ است (${n} بایت)`],
  ['scan {}: {}', (path, why) => `پیمایش ${path}: ${why}`],
  ['the same content as {}', (path) => `همان محتوای ${path}`],
  [
    'it is empty, as a drive is that is not connected; what was indexed from it is kept until there is a file in it, or it is removed from the collection',
    () =>
      'این پوشه خالی است، مانند درایوی که وصل نیست؛ آنچه از آن نمایه شده می‌ماند تا پرونده‌ای در آن پیدا شود یا از مجموعه برداشته شود',
  ],
  ['Folders on a network drive cannot be watched.', () => 'پوشه‌های درایو شبکه را نمی‌شود زیر نظر گرفت.'],
  [
    "The system's watches have run out (fs.inotify.max_user_watches).",
    () => 'سهم سیستم برای زیر نظر گرفتن پوشه‌ها تمام شده است (fs.inotify.max_user_watches).',
  ],
  [
    "The system's watchers have run out (fs.inotify.max_user_instances, or open files).",
    () => 'سهم ناظرهای سیستم تمام شده است (fs.inotify.max_user_instances یا پرونده‌های باز).',
  ],
  ['Some folders cannot be watched: {}.', (why) => `برخی پوشه‌ها را نمی‌شود زیر نظر گرفت: ${why}.`],
  [
    'What changes there is found by looking every {} minutes.',
    (n) => `تغییرهای آنجا با نگاه کردن هر ${n} دقیقه یافته می‌شود.`,
  ],
];

/** What to do about what a drill has found, and why a check was left out. */
const drill: Template[] = [
  ['get one: fanous models list', () => 'در بخش «مدل‌ها و دستگاه‌ها» یکی دریافت کنید'],
  ['get its model: fanous models list', () => 'مدلش را در بخش «مدل‌ها و دستگاه‌ها» دریافت کنید'],
  ['get its model again: fanous models list', () => 'مدلش را در بخش «مدل‌ها و دستگاه‌ها» دوباره دریافت کنید'],
  [
    'end other programs, or use a smaller ranker (local_tier in the settings)',
    () => 'برنامه‌های دیگر را ببندید یا در تنظیم‌ها بازچین سبک‌تری برگزینید',
  ],
  ['make room, or give the folder back its permissions', () => 'جا باز کنید یا مجوزهای پوشه را برگردانید'],
  ['make room', () => 'جا باز کنید'],
  ['index the collections again: fanous index', () => 'مجموعه‌ها را به‌روز کنید'],
  ['index it again: fanous index --collection {}', (name) => `مجموعهٔ ${name} را به‌روز کنید`],
  ['index a folder: fanous index PATH', () => 'پوشه‌ای به مجموعه بیفزایید'],
  ['report this: it is a fault of Fanous', () => 'این خطا از خود فانوس است؛ گزارشش کنید'],
  [
    'repair it in the window, or close that and run `fanous repair`; your files are untouched',
    () => 'نمایه را از همین پنجره تعمیر کنید؛ پرونده‌های شما دست‌نخورده‌اند',
  ],
  [
    'This program cannot start itself for a test in a process of its own.',
    () => 'این برنامه نمی‌تواند خود را برای آزمونی جداگانه به راه بیندازد.',
  ],
  ['The system does not say how much memory is free.', () => 'سیستم نمی‌گوید چه اندازه حافظه آزاد است.'],
  [
    'Something is being indexed; the index is checked when that is done.',
    () => 'نمایه‌سازی در جریان است؛ نمایه پس از پایان آن وارسی می‌شود.',
  ],
];

export const sentences: Template[] = [
  ...drill,
  ...devices,
  ...ranking,
  ...cohere,
  ...without,
  ...files,
  ...reading,
  ...errors,
];

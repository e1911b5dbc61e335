package drill

import (
	"fmt"
	"strings"

	"fanous/backend/domain"
)

func persian() words {
	digits := strings.NewReplacer("0", "۰", "1", "۱", "2", "۲", "3", "۳", "4", "۴", "5", "۵", "6", "۶", "7", "۷", "8", "۸", "9", "۹", ".", "٫", "%", "٪")
	return words{
		Language: "fa", Direction: "rtl",
		Title: "مانور قطع شبکه", Made: "انجام‌شده در", On: "روی", Checks: "وارسی‌ها", Check: "وارسی", Found: "آنچه دیده شد", Fine: "درست است",
		Tiers: "همان جست‌وجوها بدون شبکه", Tier: "رتبه‌بندی با", Model: "مدل", Answered: "جست‌وجو", First: "آماده در",
		Half: "نیمی تا", Most: "۹۵٪ تا", RightMRR: "MRR@10", RightFound: "درست یافت شد",
		Kept: "مانده از فهرست Cohere", SameFirst: "همان نتیجهٔ نخست", Lower: "با گامی پایین‌تر",
		Suffer: "جست‌وجوهایی که زیان می‌بینند", Suffers: "زیان می‌بیند", SufferNote: "با بازچینی که به کار می‌افتد، در برابر آنچه Cohere آخرین بار نشان داد یا آنچه درست داوری شده است؛ بدترین در آغاز.",
		SufferNone: "هیچ‌یک از جست‌وجوهای تکرارشده زیان نمی‌بیند.", Nothing: "چیزی برای تکرار نبود: تاریخچه جست‌وجویی ندارد و پرسش داوری‌شده‌ای داده نشده است.",
		Query: "پرسش", Collection: "مجموعه", Lost: "دیگر نشان داده نمی‌شود", Right: "سند درست اکنون در جای", NotJudged: "داوری‌نشده",
		Online: "با Cohere", NoOnline: "Cohere به هیچ‌یک از این جست‌وجوها پاسخ نداده است، پس چیزی برای سنجش نیست.",
		WaitNote: "اگر شبکه چنان قطع شود که هیچ پاسخی نیاید، هر جست‌وجو تا پی بردن به آن نخست چشم‌به‌راه Cohere می‌ماند، دست بالا",
		Method:   "هنگام این سنجش همهٔ راه‌های بیرون بسته بود. درصدها به شمار نتیجه‌هایی است که Cohere نشان داده بود. زمان‌های Cohere از آنِ همان جست‌وجوهای پیشین است.",
		checks: map[string]string{
			domain.DrillCheckModels: "پرونده‌های مدل‌ها", domain.DrillCheckTiers: "بازچین‌های همین دستگاه", domain.DrillCheckDevices: "مدل‌ها روی دستگاه",
			domain.DrillCheckMemory: "حافظه", domain.DrillCheckDisk: "دیسک", domain.DrillCheckIndex: "نمایه", domain.DrillCheckStamps: "سازندهٔ نمایه",
			domain.DrillCheckLedger: "دفتر ارسال‌ها", domain.DrillCheckCutOff: "جست‌وجو با شبکهٔ بسته",
		},
		tiers: map[string]string{
			domain.DrillTierServing: "آنچه به کار می‌افتد", "precise": "دقیق", "fast": "سریع", "late": "تعامل دیرهنگام", domain.DrillTierNone: "بدون بازچینی",
		},
		sources: map[string]string{domain.DrillFromJudged: "پرسش داوری‌شده", domain.DrillFromHistory: "جست‌وجوی انجام‌شده یا داوری‌شده", domain.DrillFromTitles: "سند که با عنوانش پرسیده شد", domain.DrillFromNothing: ""},
		weights: map[domain.DrillWeight]string{domain.DrillNote: "یادداشت", domain.DrillWarning: "هشدار", domain.DrillFatal: "شکست"},
		names: map[string]string{
			"index": "نمایه", "ledger": "دفتر ارسال‌ها", "embedder": "بردارساز", "analyser": "واژه‌کاو", "chunker": "برش‌دهنده", "memory": "حافظه",
		},
		states: map[domain.DrillState]string{domain.DrillReady: "آماده", domain.DrillDegraded: "تا اندازه‌ای آماده", domain.DrillNotReady: "ناآماده"},
		codes:  persianCodes(),
		ready: func(s string) string {
			return "اگر شبکه همین حالا قطع شود، جست‌وجو روی همین دستگاه ادامه می‌یابد" + s + "."
		},
		notReady: func(why string) string {
			return "اگر شبکه همین حالا قطع شود، جست‌وجو از کار می‌افتد: " + why
		},
		degraded: func(why string) string {
			return "اگر شبکه همین حالا قطع شود، جست‌وجو ادامه می‌یابد، اما نه چنان که باید: " + why
		},
		served: func(who, half, most string) string {
			return fmt.Sprintf("، با رتبه‌بندی %s، نیمی از پاسخ‌ها تا %s و ۹۵٪ تا %s", who, half, most)
		},
		agrees: func(kept, same, of string) string {
			return fmt.Sprintf("؛ %s از آنچه Cohere آخرین بار نشان داد باز هم نشان داده می‌شود و %s جست‌وجو از %s با همان سند آغاز می‌شود", kept, same, of)
		},
		finds: func(found, of string) string {
			return fmt.Sprintf("؛ %s جست‌وجو از %s سند درست را در ده نتیجهٔ نخست نشان می‌دهد", found, of)
		},
		noSearches: "؛ جست‌وجویی برای تکرار نبود، پس از کیفیت آن چیزی دانسته نیست",
		number:     digits.Replace,
	}
}

// persianCodes are the sentences of findings, with the place of what each is about.
func persianCodes() map[domain.Code]string {
	return map[domain.Code]string{
		domain.CodeModelMissing:    "مدل %s نصب نیست.",
		domain.CodeModelFile:       "پرونده‌ای از مدل %s نیست یا خوانده نمی‌شود.",
		domain.CodeModelEmpty:      "پرونده‌ای از مدل %s خالی است.",
		domain.CodeModelCut:        "پرونده‌ای از مدل %s اندازهٔ دیگری دارد.",
		domain.CodeModelAltered:    "پرونده‌ای از مدل %s دگرگون شده است: چکیده‌اش نمی‌خواند.",
		domain.CodeModelWebPage:    "به‌جای پرونده‌ای از مدل %s صفحه‌ای وب ذخیره شده است.",
		domain.CodeModelManifest:   "شناسنامهٔ مدل %s نیست یا خوانده نمی‌شود.",
		domain.CodeModelRelease:    "شناسنامهٔ مدل %s از پرونده‌های دیگری است.",
		domain.CodeModelKind:       "مدل %s از نوع دیگری است.",
		domain.CodeModelTokenizer:  "واژه‌شکن مدل %s از مدل دیگری است.",
		domain.CodeModelFailed:     "مدل %s بار یا اجرا نمی‌شود.",
		domain.CodeDeviceFailed:    "دستگاه نمی‌تواند مدل %s را اجرا کند.",
		domain.CodeDeviceCrashed:   "فرایندی که مدل %s را می‌آزمود از کار افتاد.",
		domain.CodeDeviceSlow:      "خودآزمایی مدل %s در زمانش به پایان نرسید.",
		domain.CodeDeviceMemory:    "مدل %s در حافظهٔ دستگاه جا نمی‌شود.",
		domain.CodeDeviceDisagrees: "امتیازهای مدل %s روی این دستگاه درست نیست.",
		domain.CodeDeviceFellBack:  "دستگاه کار مدل %s را به CPU سپرد.",
		domain.CodeTierMissing:     "بازچین %s نصب نیست.",
		domain.CodeTierGone:        "بازچین %s که در مانور پیشین بود دیگر به کار نمی‌آید.",
		domain.CodeNoLocal:         "روی این دستگاه بازچینی نیست و نتیجه‌ها بازچینی نمی‌شوند.",
		domain.CodeMemoryLow:       "حافظهٔ آزاد برای مدل‌ها بس نیست.",
		domain.CodeDiskFull:        "دیسک %s جای آزاد کافی ندارد یا نمی‌توان در آن نوشت.",
		domain.CodeDamaged:         "%s آسیب دیده است.",
		domain.CodeStampStale:      "بخشی از نمایه را برنامه یا مدل دیگری ساخته است (%s).",
		domain.CodeVectorsMissing:  "قطعه‌هایی از مجموعهٔ %s هنوز بردار ندارند و جست‌وجوی معنایی آن‌ها را نمی‌یابد.",
		domain.CodeNothingIndexed:  "هنوز سندی نمایه نشده است.",
		domain.CodeSearchFailed:    "جست‌وجو با بازچین «%s» شکست خورد.",
		domain.CodeEscaped:         "با آنکه همهٔ راه‌ها بسته بود چیزی از این دستگاه بیرون رفت.",
		domain.CodeLibraryMissing:  "کتابخانه‌ای که مدل‌ها با آن اجرا می‌شوند سر جایش نیست.",
		domain.CodeLibraryNone:     "کتابخانه‌ای که مدل‌ها با آن اجرا می‌شوند نصب نیست.",
		domain.CodeLibraryDamaged:  "کتابخانه‌ای که مدل‌ها با آن اجرا می‌شوند آسیب دیده است.",
	}
}

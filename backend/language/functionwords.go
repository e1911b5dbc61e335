package language

import (
	"slices"
	"strings"
	"sync"
)

// functionWords are words that hold a sentence together and say nothing of its subject. They are searched
// like any other; they are only not marked beside words that matter. The lists are short on purpose: the
// stop lists of the libraries have words in them ("new", "use", "today") that people look for. English words
// that an apostrophe shortens ("what's", "it's") are not among them.
const functionWords = `
a an the and or but if of in on at to for from by with as is are was were be been being am do does did has have had
this these those they we you his her their our your whom whose which not no than then so such into about over under between
و یا اما اگر که در به از با بر برای تا را این آن اینها آنها هم نیز هر یک است هست بود بودند شد شدند می‌شود نیست باشد کرد کرده
شده خود من تو او ما شما آنان ایشان چه چرا چگونه کجا کی چقدر کدام چیست کیست آیا بی پس چون بین روی زیر
في من إلى على عن مع أو ثم لا لم لن ما هو هي هم هن نحن أنا أنت كان كانت يكون هذا هذه ذلك تلك الذي التي الذين كل بعض
إن أن قد هل كم كيف أين متى لماذا ماذا بين عند حتى إذا لكن بل`

// functionKeys are the function words as they are known again: whole and folded, for a stem does not tell them from others.
var functionKeys = sync.OnceValue(func() map[string]bool {
	keys := map[string]bool{}
	for word := range strings.FieldsSeq(functionWords) {
		keys[foldArabic(plain(lower(word)))] = true
	}
	return keys
})

// marked are the phrases that Highlights looks for: all that were asked for, less the function words where
// anything else was asked for.
func (q Query) marked() []phrase {
	telling := slices.Concat(slices.Concat(q.required...), q.telling)
	if len(telling) == 0 {
		return q.wanted
	}
	return telling
}

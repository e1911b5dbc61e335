import { isolated } from '../text/isolate';
/** What a query asks for beside words. `what` is already a phrase of this file. */

export const syntax = {
  label: 'What the query asks for beside words',
  remove: (what: string) => `Take out: ${what}`,
  or: 'or',
  not: (what: string) => `not ${what}`,
  kinds: {
    phrase: (value: string) => `“${isolated(value)}”`,
    word: (value: string) => `without ${isolated(value)}`,
    any: (value: string) => `one of: ${isolated(value)}`,
    heading: (value: string) => `in a heading: ${isolated(value)}`,
    file: (value: string) => `file: ${isolated(value)}`,
    type: (value: string) => `type: ${isolated(value)}`,
    lang: (value: string) => `language: ${isolated(value)}`,
    before: (value: string) => `before ${isolated(value)}`,
    after: (value: string) => `from ${isolated(value)} on`,
  } as Record<string, (value: string) => string>,
  listed: 'Filters without words: the newest documents come first.',
  noneHint: 'No passage meets everything under the search box. Take something out.',
  undated: 'no date',
  dateNote: 'The date of the document: what it says of itself, else when its file was changed.',
  tips: [
    { example: '"rent contract"', text: 'exact phrase' },
    { example: '-draft', text: 'without a word' },
    { example: 'lease OR rental', text: 'one of them' },
    { example: 'type:pdf  file:report*', text: 'by format, by name or folder' },
    { example: 'after:2024-03  lang:fa', text: 'by date, by language' },
    { example: 'in:heading budget', text: 'in a heading' },
  ],
};

import { describe, expect, it } from 'vitest';
import { errorsIn, part, sentencesIn } from '../gosentences';
import { en } from './en';
import { sentence } from './program.fa';

// What can reach the window: its services, and what they call. Of models and of Cohere the codes have words of their own.
const sources = import.meta.glob<string>(
  [
    '../../../../app/*.go',
    '../../../../backend/*.go',
    '../../../../backend/{store,ledger,keychain,pipeline,ocr,eval,retrieve}/*.go',
    '../../../../backend/eval/judgements/*.go',
    '!**/*_test.go',
    '!**/openers_*.go',
    '!**/pipeline/preview.go', // its notices have codes with words of their own
  ],
  { query: '?raw', import: 'default', eager: true },
);

const errors = Object.values(sources).flatMap((source) =>
  errorsIn(source).concat(
    sentencesIn(source, [/\bMessage:\s+/]).map((message) => ({ code: '', hint: undefined, message })),
    sentencesIn(source, [
      /\bHint:\s+/,
      /\breturn (?=(?:fmt\.Sprintf\()?"(?:choose|give) )/,
      /\bSetting\w+:\s+(?=["`]a )/,
    ]).map((hint) => ({ code: '', hint, message: undefined })),
  ),
);
const general = Object.keys(en.problems).map((code) => code.replaceAll('_', ''));
const ofModels = (code: string) =>
  code.startsWith('domain.Code') && !general.includes(code.slice('domain.Code'.length).toLowerCase());

const said = errors
  .filter(({ code }) => !ofModels(code))
  .flatMap(({ hint, message }) => [hint, message])
  .filter((s) => s !== undefined)
  .filter((s) => /[a-z]{2,} [a-z]/.test(s.replaceAll(part, '')));

describe('errors at the edge, in Persian', () => {
  it('are found in the source', () => expect(said.length).toBeGreaterThan(100));

  it.each([...new Set(said)].sort())('%s', (made) => {
    const text = sentence(made.replaceAll(part, 'x'));
    expect(text, 'add it to i18n/errors.fa.ts').toMatch(/\p{Script=Arabic}/u);
    expect(text, 'Arabic yeh or kaf').not.toMatch(/[يك]/);
  });
});

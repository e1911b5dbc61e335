import { describe, expect, it } from 'vitest';
import { part, sentencesIn, type Sink } from './gosentences';
import { en } from './i18n/en';
import { fa } from './i18n/fa';
import { sentence } from './i18n/program.fa';
import { explain } from './sentences';

const domain = import.meta.glob<string>(
  ['../../../backend/domain/*.go', '!**/*_test.go', '!**/{drill,measure}.go'],
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
);
const steps = import.meta.glob<string>(
  ['../../../backend/{cohere,failover,rerank,pipeline}/*.go', '!**/*_test.go'],
  { query: '?raw', import: 'default', eager: true },
);
const files = import.meta.glob<string>(['../../../backend/{extract,reader,tree}/*.go', '!**/*_test.go'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const others = import.meta.glob<string>(
  [
    '../../../backend/{pipeline,rerank,failover,store}/*.go',
    '../../../backend/{inference,localtiers,power,recognition,backend}.go',
    '../../../backend/cohere/errors.go',
    '../../../backend/ledger/verify.go',
    '../../../app/search.go',
    '!**/*_test.go',
  ],
  { query: '?raw', import: 'default', eager: true },
);

const drills = import.meta.glob<string>(['../../../backend/{drill,drillchecks}.go'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

const all = (sources: Record<string, string>) => Object.values(sources).join('\n');
const unique = (list: string[]) => [...new Set(list)].sort();

describe('what the program says, in Persian', () => {
  // Where a sentence for the analyst begins.
  const said: Sink[] = [
    /\b\w*[rR]eason\s*(?::|:?=)\s*/,
    /\bno(?:Embedder|Local|Cohere)\s*=\s*/,
    /\b(?:Degraded|Warnings|out|Code\w*), /,
    /\breturn (?="[A-Z])/,
    /\breturn (?=fmt\.Sprintf\("[A-Z])/,
    /\bProblem\s*=\s*/,
  ];
  const read: Sink[] = [
    ...said,
    /\berrors\.New\(/,
    /\bfmt\.Errorf\(/,
    /\bwarn\(/,
    /\bunsupported\(/,
    /\breturn (?="[a-z]+ )/,
  ];
  // A drill's reasons are translated where they are made (backend/drill), not so what to do and what was left out.
  const advice: Sink[] = [/\bHint:\s*/, /\breturn nil, (?="[A-Z])/, /\bfault\(.*, (?="make )/];
  const sentences = unique([
    ...sentencesIn(all(files), read),
    ...sentencesIn(all(others), said),
    ...sentencesIn(all(drills), advice),
  ])
    // Only what has words of its own, and is no error from within that another sentence goes before.
    .filter((s) => /[a-z]{2,} [a-z]/.test(s.replaceAll(part, '')))
    .filter((s) => !within.some((w) => s.startsWith(w)));

  it('is found in the source', () => expect(sentences.length).toBeGreaterThan(100));

  it.each(sentences)('%s', (made) => {
    const text = sentence(alone(made));
    expect(text, 'add it to i18n/sentences.fa.ts').toBeDefined();
    expect(text).toMatch(/\p{Script=Arabic}/u);
    expect(text, 'Arabic yeh or kaf').not.toMatch(/[يك]/);
  });

  it('puts several sentences and what varies into one another', () => {
    expect(sentence('The embedder is not installed. This search is by keywords only.')).toBe(
      'مدل معنا نصب نیست. این جست‌وجو فقط با واژه است.',
    );
    expect(sentence('this kind of file is not read: it is a program')).toBe(
      'این نوع پرونده خوانده نمی‌شود: برنامه است',
    );
    expect(sentence('it holds 12 files')).toBe('۱۲ پرونده در آن است');
    expect(sentence('the archive is damaged: zip: not a valid zip file')).toBe(
      'بایگانی آسیب دیده است: \u2068zip: not a valid zip file\u2069',
    );
  });

  it.each([
    ['2s', '۲ ثانیه'],
    ['1.5s', '۱٫۵ ثانیه'],
    ['250ms', '۲۵۰ میلی‌ثانیه'],
    ['1m30s', '۱ دقیقه و ۳۰ ثانیه'],
    ['3sets', '\u20683sets\u2069'],
  ])('gives a length of time in its own digits and words: %s', (time, want) =>
    expect(sentence(`Cohere did not answer within ${time}.`)).toBe(
      `\u2068Cohere\u2069 در ${want} پاسخ نداد.`,
    ),
  );

  it('ends with a full stop where the program puts one behind a message', () =>
    expect(sentence('no path to the ONNX Runtime library is known.')).toMatch(/نیست\.$/));

  it('is left as it is where a part of it is not known', () => {
    expect(sentence('The embedder is not installed. The moon is full.')).toBeUndefined();
  });
});

/**
 * A sentence by itself, with something in place of what varies. What varies before or after it is a sentence of its own,
 * and how Cohere's errors end is one of two ways.
 */
const alone = (made: string) =>
  made
    .replace(new RegExp(`^${part}(?:[,:] (?!started)| (?=[A-Z]))`), '')
    .replace(new RegExp(`(?<=[.)]) ?${part}$`), '')
    .replace(new RegExp(`(?<=(?:report it|not used))${part}$`), '.')
    .replaceAll(part, 'x');

/** Errors from within, which a sentence with a part that varies brings to the edge, or nobody sees. */
const within: string[] = ['the member was used', 'record the search', 'other machines change it unseen'];

describe('codes', () => {
  const persian = { language: 'fa', t: fa, sentence } as const;
  const english = { language: 'en', t: en, sentence: () => undefined } as const;

  /** Codes of a kind that every error at the edge can have; those of models have words of their own. */
  const codes = unique([...all(domain).matchAll(/\bCode\w+\s+Code = "(\w+)"/g)].map((m) => m[1]!));
  const known: Record<string, unknown> = { ...en.problems, ...en.models.problems, ...en.preview.notices };
  it.each(codes)('of errors: %s', (code) => expect(known).toHaveProperty(code));

  // A step's code is a constant, or a kind of Cohere's errors.
  const ofSteps = unique(
    [...all(steps).matchAll(/\b(?:Code\w+|[A-Z]\w+ +Kind|[A-Z]\w+)\s+(?:Kind )?= "([a-z_]+)"/g)].map(
      (m) => m[1]!,
    ),
  ).filter((code) => !notSteps.includes(code));
  it.each(ofSteps)('of steps: %s', (code) => {
    expect(en.codes).toHaveProperty(code);
    expect(fa.codes).toHaveProperty(code);
  });

  // In domain/ledger.go and domain/domain.go.
  it.each(unique([...all(domain).matchAll(/\bFault\w+\s+FaultKind = "(\w+)"/g)].map((m) => m[1]!)))(
    'of the ledger’s faults: %s',
    (kind) => expect(en.ledger.faults).toHaveProperty(kind),
  );
  it.each(unique([...all(domain).matchAll(/\bState\w+\s+DocumentState = "([\w ]+)"/g)].map((m) => m[1]!)))(
    'of documents: %s',
    (state) => expect(en.states).toHaveProperty([state]),
  );

  it.each(['', 'toString', 'of tomorrow'])('that are not known leave the program its words: “%s”', (code) =>
    expect(explain(persian, { code, message: 'it broke', hint: 'mend it' })).toEqual({
      what: 'it broke',
      todo: 'mend it',
      detail: '',
      own: true,
    }),
  );

  it('say what is wrong where the program says it in English only', () => {
    const error = { code: 'disk_full', message: 'no space left on device' };
    expect(explain(persian, error)).toMatchObject({
      what: 'دیسک پر است.',
      detail: 'no space left on device',
    });
    expect(explain(english, error).own, 'the program says more').toBe(true);
    expect(explain(persian, { ...error, message: 'an index run is already going on' }).own).toBe(true);
  });

  it('of a place come first, in every language', () => {
    const error = { code: 'model_cut', message: 'model.onnx has 7 bytes, not 9', hint: 'run fanous' };
    expect(explain(english, error, en.models.problems)).toEqual({
      what: 'One of its files has the wrong size.',
      todo: 'Get or import it again.',
      detail: 'model.onnx has 7 bytes, not 9',
      own: false,
    });
    expect(explain(persian, error, fa.models.problems).what).toMatch(/اندازه/);
    expect(explain(english, { ...error, code: 'device_none' }, en.models.problems).todo).toBe('');
  });
});

/** Constants of these packages that are no code of a step. */
const notSteps: string[] = [];

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Analyzer, buildAnalysisRegistry } from '@shoal/analysis';
import { parseContext } from '../parse/parse-context.js';
import type { Plan } from '../plan.js';
import { fieldText } from './field-text.js';
import { type HighlightOptions, parseHighlight } from './highlight-spec.js';
import type { MatchPlace } from './matching.js';
import { plainMatching, planMatching, wordMatching } from './plan-matches.js';
import { plainFragments } from './plain.js';
import { sentenceBreaks } from './sentence-breaks.js';
import { inTurns, type Steps } from './steps.js';
import { unifiedFragments } from './unified.js';
import { wordBreaks } from './word-breaks.js';

/** Letters and digits in lower case, a gap of 100 between values: what `standard` does with the texts below. */
const analyzer: Analyzer = {
  name: 'words',
  positionIncrementGap: 100,
  normalize: (text) => text.toLowerCase(),
  collect: () => assert.fail('highlighting needs offsets'),
  analyze: (text) => {
    const found = [...text.matchAll(/[\p{L}\p{N}]+/gu)];
    return {
      count: found.length,
      terms: found.map(([word]) => word.toLowerCase()),
      positions: found.map((_, i) => i),
      startOffsets: found.map(({ index }) => index),
      endOffsets: found.map((match) => match.index + match[0].length),
      types: [],
      positionLengths: [],
      endPosition: found.length,
    };
  },
};

const PARSE = parseContext();
const NO_PAUSE = (): null => null;
const done = <T>(steps: Steps<T>): Promise<T> => inTurns(steps, NO_PAUSE);
/** Plans on the field `t` are matched by the text and never read the index. */
const PLACE = { isField: () => true } as unknown as MatchPlace;

const term = (word: string): Plan => ({ kind: 'term', field: 't', term: word, boost: 1 });
const bool = (clauses: { must?: Plan[]; should?: Plan[] }): Plan => ({
  kind: 'bool',
  must: clauses.must ?? [],
  filter: [],
  should: clauses.should ?? [],
  mustNot: [],
  minimumShouldMatch: clauses.must ? 0 : 1,
  boost: 1,
});
const anyOf = (...words: string[]): Plan => bool({ should: words.map(term) });
const phrase = (words: string[], slop = 0, prefixLast = false): Plan => ({
  kind: 'phrase',
  field: 't',
  terms: words.map((word, position) => ({ terms: [word], position })),
  slop,
  boost: 1,
  prefixLast,
  maxExpansions: 50,
});

const TEXT =
  'The quick brown fox. Jumps over the lazy dog! Quick again, the quick fox is quick. And then Mr. Smith went to ' +
  'Washington D.C. yesterday. ' +
  'Version 1.2.3 is out? Yes: it is; "Quoted. Text" (paren. here) done.';

const optionsOf = (body: unknown): HighlightOptions => parseHighlight(body, {}, PARSE)[0]!.options;

async function highlight(plan: Plan, field: Record<string, unknown>, values: string[] = [TEXT]): Promise<string[]> {
  const options = optionsOf({ fields: { t: field } });
  const text = await fieldText(values, analyzer, Infinity, NO_PAUSE);
  if (options.type !== 'plain')
    return done(unifiedFragments(text, await done(planMatching(plan)(text, PLACE)), options));
  const plain = values.map(async (value) => {
    const own = await fieldText([value], analyzer, Infinity, NO_PAUSE);
    return { text: own, found: (await done(plainMatching(plan)(own, PLACE))) ?? [] };
  });
  return done(plainFragments(await Promise.all(plain), options));
}

test('fragments of the unified highlighter are those of Elasticsearch', async () => {
  const both = anyOf('quick', 'fox');
  assert.deepEqual(await highlight(both, {}), [
    'The <em>quick</em> brown <em>fox</em>. Jumps over the lazy dog! <em>Quick</em> again, the <em>quick</em> ' +
      '<em>fox</em> is <em>quick</em>. And then Mr.',
  ]);
  assert.deepEqual(await highlight(both, { fragment_size: 20 }), [
    'The <em>quick</em> brown <em>fox</em>.',
    '<em>Quick</em> again, the <em>quick</em>',
    '<em>fox</em> is <em>quick</em>.',
  ]);
  assert.deepEqual(await highlight(both, { fragment_size: 20, order: 'score' }), [
    '<em>fox</em> is <em>quick</em>.',
    'The <em>quick</em> brown <em>fox</em>.',
    '<em>Quick</em> again, the <em>quick</em>',
  ]);
  assert.deepEqual(
    await highlight(anyOf('quick', 'fox', 'washington'), { fragment_size: 20, number_of_fragments: 2 }),
    ['The <em>quick</em> brown <em>fox</em>.', '<em>fox</em> is <em>quick</em>.'],
  );
  assert.deepEqual(await highlight(anyOf('smith', 'here'), { boundary_scanner: 'word' }), [
    '<em>Smith</em>',
    '<em>here</em>',
  ]);
  assert.deepEqual(await highlight(term('zzz'), { no_match_size: 7 }, ['one quick', 'two']), ['one quick']);
  assert.deepEqual(await highlight(term('zzz'), {}), []);
});

test('a phrase is marked as a whole, also when only near', async () => {
  assert.deepEqual(await highlight(phrase(['quick', 'fox']), {}), [
    'Quick again, the <em>quick fox</em> is quick. And then Mr. Smith went to Washington D.C. yesterday.',
  ]);
  assert.deepEqual(await highlight(phrase(['quick', 'fox'], 2), {}), [
    'The <em>quick brown fox</em>. Jumps over the lazy dog! Quick again, the <em>quick fox</em> is quick. And then Mr.',
  ]);
  assert.deepEqual(await highlight(phrase(['quick', 'fo'], 0, true), { fragment_size: 20 }), [
    'Quick again, the <em>quick fox</em>',
  ]);
});

test('only clauses that take part in the match are marked', async () => {
  const plan = bool({ should: [bool({ must: [term('fox'), term('zzz')] }), term('dog')] });
  assert.deepEqual(await highlight(plan, { fragment_size: 20 }), ['Jumps over the lazy <em>dog</em>']);
});

test('values of an array are fragments of their own', async () => {
  const values = ['one quick', 'two fox quick fox', 'three'];
  assert.deepEqual(await highlight(anyOf('quick', 'fox'), {}, values), [
    'one <em>quick</em>',
    'two <em>fox</em> <em>quick</em> <em>fox</em>',
  ]);
  assert.deepEqual(await highlight(anyOf('quick', 'fox'), { number_of_fragments: 0 }, values), [
    'one <em>quick</em>',
    'two <em>fox</em> <em>quick</em> <em>fox</em>',
  ]);
  assert.deepEqual(await highlight(anyOf('quick', 'fox'), { fragment_size: 3 }, values), [
    'one <em>quick</em>',
    'two <em>fox</em>',
    '<em>quick</em>',
    '<em>fox</em>',
  ]);
  assert.deepEqual(await highlight(phrase(['quick', 'two']), {}, values), []);
});

test('fragments of the plain highlighter are cut between tokens', async () => {
  assert.deepEqual(await highlight(anyOf('quick', 'fox'), { type: 'plain', fragment_size: 20 }), [
    'The <em>quick</em> brown <em>fox</em>',
    ' lazy dog! <em>Quick</em> again',
    ', the <em>quick</em> <em>fox</em> is',
    ' <em>quick</em>. And then Mr',
  ]);
});

test('encoders and tags', async () => {
  const options = optionsOf({ encoder: 'html', tags_schema: 'styled', fields: { t: {} } });
  const text = await fieldText(['a <b> & quick'], analyzer, Infinity, NO_PAUSE);
  const found = await done(planMatching(term('quick'))(text, PLACE));
  assert.deepEqual(await done(unifiedFragments(text, found, options)), [
    'a &lt;b&gt; &amp; <em class="hlt1">quick</em>',
  ]);
});

test('sentences end where the JDK ends them', () => {
  const ends = (text: string): boolean =>
    sentenceBreaks(`xx target${text} zz`).following(0) < `xx target${text} zz`.indexOf('zz') - 1;
  for (const text of [
    '. Yy',
    '. (yy',
    '. "yy',
    '.\n\nyy',
    '.  yy',
    '?yy',
    '! yy',
    '... Yy',
    '. -yy',
    '.) Yy',
    '.-yy',
    '。yy',
    '. 中',
  ])
    assert.ok(ends(text), text);
  for (const text of [
    '. yy',
    '. 7yy',
    '.\nyy',
    '. - yy',
    '. , Yy',
    '.  7 yy',
    '.) yy',
    '., Yy',
    '; Yy',
    '\n\nYy',
    '.1 Yy',
    '. (7y',
  ])
    assert.ok(!ends(text), text);
});

test(
  'a sentence that no rule brings to an end stops before its period, and one that a symbol begins may be given ' +
    'that period',
  () => {
    const around = (text: string, word: string): string => {
      const breaks = sentenceBreaks(text);
      const from = breaks.preceding(text.indexOf(word) + 1);
      return text.slice(from, breaks.following(text.indexOf(word)));
    };
    assert.equal(around('aa bb.\n * Cc dd', 'aa'), 'aa bb');
    assert.equal(around('aa bb.\n * Cc dd', 'dd'), '\n * Cc dd');
    assert.equal(around('aa bb. * Cc dd', 'aa'), 'aa bb. * Cc dd');
    assert.equal(around('aa bb. * Cc dd', 'dd'), '. * Cc dd');
    assert.equal(around('aa bb!). Cc dd', 'aa'), 'aa bb!). ');
  },
);

test('words keep inner marks and digits together', () => {
  const pieces = (text: string): string[] =>
    wordBreaks(text)
      .slice(1)
      .map((at, i, all) => text.slice(i === 0 ? 0 : all[i - 1], at));
  assert.deepEqual(
    pieces("don't stop-it 1.2.3 backup2l, $5% x"),
    ["don't", ' ', 'stop-it', ' ', '1.2.3', ' ', 'backup2l', ',', ' ', '$5%', ' ', 'x'].map((piece) => piece),
  );
});

test('words are parted at doubled marks, between words and digits that a mark joins, and between scripts', () => {
  const pieces = (text: string): string[] =>
    wordBreaks(text)
      .slice(1)
      .map((at, i, all) => text.slice(i === 0 ? 0 : all[i - 1], at));
  assert.deepEqual(pieces('__aa_bb u8_cc a\u200db日本あア'), [
    '_',
    '_',
    'aa_bb',
    ' ',
    'u8',
    '_',
    'cc',
    ' ',
    'a\u200db',
    '日本',
    'あ',
    'ア',
  ]);
});

test('a word that the query names twice counts once', async () => {
  const text = await fieldText(['quick brown fox, quick dog'], analyzer, Infinity, NO_PAUSE);
  const once = (await done(planMatching(term('quick'))(text, PLACE)))!;
  const options = optionsOf({ fields: { t: { fragment_size: 10, number_of_fragments: 1 } } });
  assert.deepEqual(
    await done(unifiedFragments(text, [...once, ...once], options)),
    await done(unifiedFragments(text, once, options)),
  );
});

test('unknown highlight options are refused by name', () => {
  assert.throws(() => parseHighlight({ fields: { t: { foo: 1 } } }, {}, PARSE), /failed to parse field \[fields\]/);
  assert.throws(() => parseHighlight({ foo: 1 }, {}, PARSE), /\[highlight\] unknown field \[foo\]/);
  assert.throws(() => parseHighlight({ field: {} }, {}, PARSE), /unknown field \[field\] did you mean \[fields\]\?/);
});

test('a text of a hundred thousand matches is highlighted in one pass, and pauses are asked for', async () => {
  const text = await fieldText(['quick fox '.repeat(100_000)], analyzer, Infinity, NO_PAUSE);
  let pauses = 0;
  const counted = <T>(steps: Steps<T>): Promise<T> => inTurns(steps, () => (pauses++, null));
  const both = bool({ must: [term('quick'), term('fox')] });
  const found = (await counted(planMatching(both)(text, PLACE)))!;
  assert.equal(found.length, 200_000);
  assert.ok(pauses > 40);
  const plain = optionsOf({ type: 'plain', fields: { t: { number_of_fragments: 50_000 } } });
  assert.equal((await counted(plainFragments([{ text, found }], plain))).length, 10_000);
  const unified = optionsOf({ fields: { t: { number_of_fragments: 50_000 } } });
  pauses = 0;
  assert.ok((await counted(unifiedFragments(text, found, unified))).length > 9_000);
  assert.ok(pauses > 100);

  pauses = 0;
  const registry = buildAnalysisRegistry({}, { isGlobal: true });
  await fieldText(['quick fox '.repeat(10_000)], registry.analyzer('standard')!, Infinity, () => (pauses++, null));
  assert.equal(pauses, 4);
});

test('the plain highlighter shows terms of clauses that do not match, and each word of a phrase', async () => {
  const unmatched = bool({ should: [bool({ must: [term('quick'), term('zebra')] }), term('fox')] });
  assert.deepEqual(await highlight(unmatched, { type: 'plain', number_of_fragments: 0 }, ['quick brown fox']), [
    '<em>quick</em> brown <em>fox</em>',
  ]);
  const text = ['The quick brown fox jumps over it all until the quick brown dog returned home.'];
  assert.deepEqual(await highlight(phrase(['quick', 'brown']), { type: 'plain', fragment_size: 20 }, text), [
    'The <em>quick</em> <em>brown</em> fox',
    ' until the <em>quick</em> <em>brown</em> dog returned home.',
  ]);
});

test('words of phrases are marked each when the terms of all fields are looked for', async () => {
  const text = await fieldText(['dog and BROWN dog'], analyzer, Infinity, NO_PAUSE);
  const found = (await done(wordMatching(phrase(['brown', 'dog'], 3))(text, PLACE)))!;
  const options = optionsOf({ fields: { t: { require_field_match: false } } });
  assert.deepEqual(await done(unifiedFragments(text, found, options)), [
    '<em>dog</em> and <em>BROWN</em> <em>dog</em>',
  ]);
});

test('a token that begins before `max_analyzed_offset` is whole', async () => {
  const text = await fieldText(['red fox', 'fox'], analyzer, 5, NO_PAUSE);
  assert.deepEqual(
    [text.tokens.terms, text.tokens.endOffsets],
    [
      ['red', 'fox'],
      [3, 7],
    ],
  );
});

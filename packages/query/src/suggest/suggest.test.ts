import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestPhrases, type Candidate } from './phrase-search.js';
import { STRING_DISTANCES } from './string-distance.js';
import { parseSuggest } from './suggest.js';
import type { WordModel } from './word-model.js';

test('string distances give the figures of Elasticsearch', () => {
  const cases: [name: string, word: string, score: number][] = [
    ['internal', 'hello', 0.75],
    ['internal', 'hallo', 0.5],
    ['damerau_levenshtein', 'hallo', 0.5],
    ['levenshtein', 'hello', 0.8],
    ['jaro_winkler', 'hello', 0.9533333],
    ['jaro_winkler', 'hallo', 0.80499995],
    ['ngram', 'held', 0.875],
    ['ngram', 'hello', 0.8],
    ['ngram', 'hallo', 0.6],
  ];
  for (const [name, word, score] of cases)
    assert.ok(Math.abs(STRING_DISTANCES.get(name)!('helo', word) - score) < 1e-6, `${name} ${word}`);
});

const word = (term: string, likeness = 1): Candidate => ({
  term,
  likeness,
  isOriginal: likeness === 1,
  weight: likeness,
});

/** Frequencies of 23 words of 18 kinds over ten documents. */
const FREQS = new Map([
  ['hello', 2],
  ['world', 3],
  ['held', 1],
  ['hallo', 1],
]);
const MODEL: WordModel = {
  unigram: (term) => (1 + (FREQS.get(term) ?? 0)) / 33,
  bigram: () => 0,
  trigram: () => 0,
};

const NO_PAUSE = (): null => null;

test('phrases are scored by the noisy channel model of Elasticsearch', async () => {
  const sets = [
    [word('helo'), word('hello', 0.75), word('held', 0.75), word('hallo', 0.5)],
    [word('wrld'), word('world', 0.75)],
  ];
  const search = { model: MODEL, gramSize: 1, likelihood: 0.95, confidence: 0, maxErrors: 2, size: 5 };
  const found = (await bestPhrases(sets, search, NO_PAUSE)).phrases.map(({ path, score }) => [
    path.map(({ term }) => term).join(' '),
    score.toFixed(6),
  ]);
  assert.deepEqual(found.slice(0, 3), [
    ['hello world', '0.109951'],
    ['held world', '0.092198'],
    ['hallo world', '0.077312'],
  ]);
  assert.equal(found[3]![1], '0.075609');
  const single = await bestPhrases(sets, { ...search, maxErrors: 1 }, NO_PAUSE);
  assert.equal(
    single.phrases.some(({ path }) => path.every(({ isOriginal }) => !isOriginal)),
    false,
  );
});

test('the phrases of hundreds of words are found without trying all, and with pauses', async () => {
  const set = [word('helo'), word('hello', 0.75), word('held', 0.75), word('hallo', 0.5)];
  const sets = Array.from({ length: 200 }, () => set);
  const search = { model: MODEL, gramSize: 1, likelihood: 0.95, confidence: 0, maxErrors: 200, size: 5 };
  let pauses = 0;
  const gone = new Error('the client has gone');
  const running = bestPhrases(sets, search, () => (++pauses > 100 ? Promise.reject(gone) : null));
  await running.catch((error: unknown) => assert.equal(error, gone));
  assert.ok(pauses > 0);
});

test('suggesters and their options are refused by name', () => {
  assert.throws(() => parseSuggest({ x: { text: 'a', zz: { field: 't' } } }, {}), /unknown field \[zz\]/);
  assert.throws(
    () => parseSuggest({ x: { text: 'a', term: {} } }, {}),
    /the required field option \[field\] is missing/,
  );
  assert.throws(
    () => parseSuggest({ x: { text: 'a', term: { field: 't', foo: 1 } } }, {}),
    /suggester\[term\] doesn't support field \[foo\]/,
  );
  assert.throws(
    () => parseSuggest({ x: { text: 'a', term: { field: 't', sort: 'zz' } } }, {}),
    /No enum constant org\.elasticsearch\.search\.suggest\.SortBy\.ZZ/,
  );
});

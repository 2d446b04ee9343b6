import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryIndex } from '../testing/memory-index.js';
import { parseSuggest, reduceSuggest, runSuggest } from './suggest.js';
import type { SuggestOption } from './suggester.js';

const TEXTS = ['quick brown fox jumps over the lazy dog', 'foxes quick dog red', 'dog dog fox blue', 'lazy red fox'];
const INDEX = memoryIndex({
  mapping: { t: { type: 'text' }, u: { type: 'text' }, comp: { type: 'completion' } },
  documents: [
    { t: TEXTS[0], comp: 'brown fox' },
    { t: TEXTS[1], comp: { input: ['brown dog', 'blue'], weight: 3 } },
    { t: TEXTS[2], comp: ['the lazy dog', 'brown'] },
    { t: TEXTS[3], comp: { input: 'brawn', weight: 0 } },
  ],
});

/** Answers of a suggestion over one shard with all documents, or over a shard for each list of documents. */
async function suggest(suggestion: object, shards: readonly number[][] = [[0, 1, 2, 3]]): Promise<SuggestOption[][]> {
  const request = parseSuggest({ s: suggestion }, {});
  const answers = [];
  for (const docs of shards) {
    const searcher = await INDEX.searcher([docs]);
    const showHits = (numbers: Int32Array, scores: Float32Array): Promise<Uint8Array[]> =>
      Promise.resolve(Array.from(numbers, (doc, i) => Buffer.from(JSON.stringify({ _id: doc, _score: scores[i] }))));
    answers.push(await runSuggest(request, { searcher, showHits, pause: () => null }));
  }
  return reduceSuggest(request, answers, false)!['s']!.map(({ options }) => [...options]);
}
const phrase = async (text: string, options: object, shards?: readonly number[][]): Promise<unknown[]> =>
  (await suggest({ text, phrase: { field: 't', ...options } }, shards))[0]!.map((option) => [
    option.text,
    option['score'],
  ]);

test('phrases score as in 8.12, to the last digit', async () => {
  const generator = { field: 't', suggest_mode: 'always', min_word_length: 1 };
  const any = { confidence: 0, max_errors: 2, direct_generator: [generator] };
  assert.deepEqual(await phrase('quik foxs', { direct_generator: [generator] }), [
    ['quik fox', 0.078038715],
    ['quick foxs', 0.072487846],
    ['quik foxes', 0.060784064],
  ]);
  assert.deepEqual(await phrase('dogs foxs', any), [
    ['dog fox', 0.1346071],
    ['dog foxes', 0.104844965],
    ['dog foxs', 0.085980035],
    ['dogs fox', 0.078038715],
    ['dogs foxes', 0.060784064],
  ]);
});

test('a phrase as long as the token limit has no suggestions', async () => {
  assert.equal((await phrase('fox fox fox fox fox fox fox fox foxs', { confidence: 0, max_errors: 2 })).length, 3);
  assert.deepEqual(await phrase('fox fox fox fox fox fox fox fox fox foxs', { confidence: 0, max_errors: 2 }), []);
});

test('generators propose terms of several fields and analyzers, as many phrases as shards may keep', async () => {
  const generator = { field: 't', suggest_mode: 'always', min_word_length: 1, prefix_length: 0 };
  const two = { max_errors: 2, direct_generator: [{ ...generator, field: 'u' }, generator] };
  assert.deepEqual(await phrase('rad dgo', { ...two, shard_size: 1 }), [['red dog', 0.11879763]]);
  const filtered = { max_errors: 2, direct_generator: [{ ...generator, pre_filter: 'keyword' }] };
  assert.equal((await phrase('rad dgo', filtered)).length, 3);
  await assert.rejects(
    phrase('rad dgo', { direct_generator: [{ ...generator, post_filter: 'nope' }] }),
    /Analyzer \[nope\] doesn't exists/,
  );
  await assert.rejects(phrase('a', { collate: { query: { source: {} } } }), /script_lang not supported \[mustache\]/);
});

test('phrases of a shard that are worse than the text itself on another are left out', async () => {
  const generator = { field: 't', suggest_mode: 'always', min_word_length: 1 };
  const alone = await phrase('brown dgo', { direct_generator: [generator] }, [[1, 2, 3]]);
  assert.deepEqual(
    alone.map((option) => (option as string[])[0]),
    ['brown dog'],
  );
  const both = await phrase('lazy rad', { direct_generator: [generator] }, [[0], [1, 3]]);
  assert.deepEqual(
    both.map((option) => (option as string[])[0]),
    ['lazy red'],
  );
});

test('terms of shards are merged, and as many as `size` are shown', async () => {
  const term = { field: 't', suggest_mode: 'always', min_word_length: 1, prefix_length: 0, size: 1 };
  const options = await suggest({ text: 'fix', term }, [
    [0, 1],
    [2, 3],
  ]);
  assert.deepEqual(options, [[{ text: 'fox', score: 0.6666666, freq: 3 }]]);
});

test('a prefix without a token has no completions', async () => {
  for (const prefix of ['', '2', '?!'])
    for (const fuzzy of [false, true])
      assert.deepEqual(await suggest({ prefix, completion: { field: 'comp', fuzzy } }), [[]], `${prefix} ${fuzzy}`);
});

test('completions without an option show no hits', async () => {
  const request = parseSuggest({ s: { prefix: 'zz', completion: { field: 'comp' } } }, {});
  const searcher = await INDEX.searcher([[0]]);
  const showHits = (): Promise<never> => Promise.reject(new Error('hits were shown'));
  const answer = await runSuggest(request, { searcher, showHits, pause: () => null });
  assert.deepEqual(answer['s']![0]!.options, []);
});

test('completions show hits; their scores know fuzzy prefixes and weights of 0', async () => {
  const texts = async (completion: object, prefix = 'br'): Promise<unknown[]> =>
    (await suggest({ prefix, completion: { field: 'comp', ...completion } }))[0]!.map((option) => [
      option.text,
      option['_score'],
    ]);
  const all = [
    ['brown dog', 3],
    ['brown', 1],
    ['brown fox', 1],
    ['brawn', 0],
  ];
  assert.deepEqual(await texts({}), all);
  assert.deepEqual(await texts({ shard_size: 1 }), [['brown dog', 3]]);
  assert.deepEqual(await texts({ fuzzy: true }, 'bri'), [
    ['brown dog', 6],
    ['brawn', 2],
    ['brown', 2],
    ['brown fox', 2],
  ]);
  assert.deepEqual(await texts({ fuzzy: { fuzziness: 'AUTO:0,2' } }, 'bri'), [
    ['blue', 3],
    ['brawn', 1],
    ['brown', 1],
    ['brown fox', 1],
  ]);
  assert.deepEqual(await texts({}, ''), []);
});

test('the tags of a phrase may be lists, of which the last counts', async () => {
  const highlight = { pre_tag: ['(', '<'], post_tag: ['>'] };
  const generator = { field: 't', suggest_mode: 'always', min_word_length: 1 };
  const options = { field: 't', highlight, confidence: 0, direct_generator: [generator] };
  const [first] = await suggest({ text: 'quik fox', phrase: options });
  assert.equal(first![0]!['highlighted'], '<quick> fox');
});

test('a field that is not mapped is told of before a text that is missing', async () => {
  await assert.rejects(suggest({ completion: { field: 'nowhere' } }), {
    reason: 'no mapping found for field [nowhere]',
  });
  await assert.rejects(suggest({ term: { field: 't' } }), { reason: 'The required text option is missing' });
});

test('options of suggesters are refused as in 8.12', () => {
  const refused: [suggestion: object, reason: RegExp][] = [
    [{ phrase: { field: 't', size: 0 } }, /size must be positive/],
    [{ phrase: { field: 't', gram_size: 0 } }, /gramSize must be >= 1/],
    [{ phrase: { field: 't', token_limit: 0 } }, /token_limit must be >= 1/],
    [{ phrase: { field: 't', highlight: { pre_tag: '<' } } }, /Pre and post tag must both be null or both not be null/],
    [{ phrase: { field: 't', bla: {} } }, /suggester\[phrase\]  doesn't support array field \[bla\]/],
    [
      { phrase: { field: 't', direct_generator: [1] } },
      /suggester\[phrase\] doesn't support field \[direct_generator\]/,
    ],
    [{ phrase: { field: 't', direct_generator: [{ field: 't', size: 0 }] } }, /failed to parse field \[size\]/],
    [
      { phrase: { field: 't', direct_generator: [{ field: 5 }] } },
      /field doesn't support values of type: VALUE_NUMBER/,
    ],
    [{ phrase: { field: '' } }, /suggestion field name is empty/],
    [{ term: { field: 't', accuracy: 2 } }, /accuracy must be between 0 and 1/],
    [{ term: { field: 't', min_word_length: 0 } }, /minWordLength must be greater or equal to 1/],
    [{ term: { field: 't', max_term_freq: 1.5 } }, /if maxTermFreq is greater than 1, it must not be a fraction/],
    [{ term: { field: 't', prefix_len: 1 } }, /suggester\[term\] doesn't support field \[prefix_len\]/],
    [{ term: { field: ['t'] } }, /suggester\[term\] parsing failed on \[field\]/],
    [{ completion: { field: 't', bla: 0 } }, /\[completion\] unknown field \[bla\]/],
    [{ completion: { field: 't', size: 0 } }, /\[completion\] failed to parse field \[size\]/],
    [{ completion: { field: 't', fuzzy: 5 } }, /fuzzy doesn't support values of type: VALUE_NUMBER/],
    [{ completion: { field: 't', regex: { bla: 2 } } }, /\[completion\] failed to parse field \[regex\]/],
  ];
  for (const [suggestion, reason] of refused)
    assert.throws(() => parseSuggest({ s: { text: 'a', ...suggestion } }, {}), { message: reason });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAnalysisRegistry } from '@shoal/analysis';
import { parseContext } from '../../parse/parse-context.js';
import { parseQuery } from '../../parse/parse-query.js';
import { planQuery } from '../../plan-query.js';
import { memoryIndex } from '../../testing/memory-index.js';
import { fieldText } from '../field-text.js';
import { parseHighlight } from '../highlight-spec.js';
import { inTurns } from '../steps.js';
import { flatPhrases } from './flat-terms.js';
import { findPhrases, mergePhrases } from './phrase-list.js';
import { phraseMaps } from './phrase-map.js';
import { vectorFragments } from './vector-fragments.js';

const LONG =
  'The quick brown fox jumps over the lazy dog. Quick foxes are quick, and the brown fox is lazy; a quick dog barks ' +
  'at the fox. Nothing else happened here for a while until the quick brown dog returned home.';
const LIST = ['quick brown', 'fox jumps quick', 'lazy <b>dog</b>'];
const INDEX = memoryIndex({ mapping: { v: { type: 'text' } }, documents: [{ v: LONG }, { v: LIST }] });
const ANALYZER = buildAnalysisRegistry({}, { isGlobal: true }).analyzer('standard')!;

/** Returns the fragments that 8.12 shows of a field with term vectors. */
async function highlight(query: object, options: object, values: readonly string[] = [LONG]): Promise<string[]> {
  const searcher = await INDEX.searcher([[0, 1]]);
  const parse = parseContext();
  const context = { searcher, now: () => 0, nestedPath: null, innerHits: [], allowExpensiveQueries: true };
  const plan = planQuery(parseQuery(query, parse), context);
  const [field] = parseHighlight({ type: 'fvh', fields: { v: options } }, {}, parse);
  const root = phraseMaps(flatPhrases(plan, searcher))((name) => name === 'v');
  const { tokens } = await fieldText(values, ANALYZER, Infinity, () => null);
  const steps = root === null ? null : findPhrases(tokens, root, field!.options.phraseLimit);
  const found = steps === null ? [] : await inTurns(steps, () => null);
  return vectorFragments(values, mergePhrases([found]), field!.options);
}

const quickFox = { match: { v: 'quick fox' } };

test('fragments begin a margin before the first match, and end at a character near their size', async () => {
  assert.deepEqual(await highlight(quickFox, { fragment_size: 30 }), [
    'The <em>quick</em> brown <em>fox</em> jumps over',
    'dog. <em>Quick</em> foxes are <em>quick</em>, and',
    'brown <em>fox</em> is lazy; a <em>quick</em> dog barks',
    'barks at the <em>fox</em>. Nothing else',
    'while until the <em>quick</em> brown dog returned',
  ]);
});

test('fragments are of one value, unless an earlier fragment has read the next one', async () => {
  assert.deepEqual(await highlight(quickFox, {}, LIST), ['<em>quick</em> brown', '<em>fox</em> jumps <em>quick</em>']);
  assert.deepEqual(await highlight(quickFox, { fragment_size: 40, number_of_fragments: 2, order: 'score' }, LIST), [
    '<em>fox</em> jumps <em>quick</em>',
    '<em>quick</em> brown fox',
  ]);
});

test('phrases are marked as wholes, with gaps left out; overlapping phrases are one', async () => {
  const phrase = (text: string, slop = 0): object => ({ match_phrase: { v: { query: text, slop } } });
  assert.deepEqual(await highlight(phrase('quick dog', 3), { fragment_size: 30 }), [
    'is lazy; a <em>quick dog</em> barks at the',
    'until the <em>quick</em> brown <em>dog</em> returned',
  ]);
  const both = { bool: { should: [phrase('quick brown'), phrase('brown dog')] } };
  assert.deepEqual(
    (await highlight(both, { fragment_size: 30 })).at(-1),
    'until the <em>quick brown dog</em> returned',
  );
});

test('patterns are looked up in the index, spans are not shown', async () => {
  assert.deepEqual(await highlight({ prefix: { v: 'qu' } }, {}, LIST), [
    '<em>quick</em> brown',
    'fox jumps <em>quick</em>',
  ]);
  assert.deepEqual(await highlight({ span_first: { match: { span_term: { v: 'quick' } }, end: 3 } }, {}), []);
});

test('tags are chosen by the number of the term in the query', async () => {
  const options = { pre_tags: ['<1>', '<2>'], post_tags: ['</1>', '</2>'], number_of_fragments: 0 };
  assert.deepEqual(await highlight(quickFox, options, LIST), ['<1>quick</1> brown', '<2>fox</2> jumps <1>quick</1>']);
});

test('boundaries are characters, words or sentences', async () => {
  const first = async (options: object): Promise<string> =>
    (await highlight({ match: { v: 'quick' } }, { fragment_size: 30, ...options }))[0]!;
  assert.equal(await first({}), 'The <em>quick</em> brown fox jumps over');
  assert.equal(await first({ boundary_chars: 'o', boundary_max_scan: 2 }), 'The <em>quick</em> brown fox jumps over');
  assert.equal(await first({ boundary_scanner: 'sentence' }), 'The <em>quick</em> brown fox jumps over the lazy dog. ');
  assert.equal(await first({ boundary_scanner: 'word' }), 'The <em>quick</em> brown fox jumps over ');
});

test('without a match the beginning is shown, and a size below three margins is refused', async () => {
  assert.deepEqual(await highlight({ match: { v: 'zebra' } }, { no_match_size: 20 }), ['The quick brown fox jumps']);
  await assert.rejects(highlight(quickFox, { fragment_size: 10 }), /fragCharSize\(10\) is too small. It must be 18/);
  await assert.rejects(
    highlight(quickFox, { fragment_size: 20, fragment_offset: 10 }),
    /fragCharSize\(20\) is too small. It must be 30/,
  );
});

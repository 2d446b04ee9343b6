import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseContext } from '../parse/parse-context.js';
import { parseQuery } from '../parse/parse-query.js';
import { planQuery } from '../plan-query.js';
import { memoryIndex } from '../testing/memory-index.js';
import { matchedQueries } from './matched-queries.js';

const INDEX = memoryIndex({
  mapping: { k: { type: 'keyword' }, n: { type: 'nested', properties: { i: { type: 'integer' } } } },
  documents: [{ k: 'a', n: [{ i: 1 }] }],
});

/** Names of the queries that match the document, in their order, and the steps that it took to find them. */
async function found(...queries: object[]): Promise<{ names: string[]; steps: number }> {
  const searcher = await INDEX.searcher([[0]]);
  const context = { searcher, now: () => 0, nestedPath: null, innerHits: [], allowExpensiveQueries: true };
  const plans = queries.map((query) => planQuery(parseQuery(query, parseContext()), context));
  const [segment] = searcher.segments;
  const root = segment!.reader.roots!.next(0);
  const match = matchedQueries(plans, searcher, false);
  if (match === null) return { names: [], steps: 0 };
  const walk = match(segment!, Int32Array.of(root));
  let steps = 0;
  let step = walk.next();
  for (; step.done !== true; step = walk.next()) steps++;
  return { names: [...step.value[0]!.keys()], steps };
}
const namesOf = async (...queries: object[]): Promise<string[]> => (await found(...queries)).names;
const all = (name: string): object => ({ match_all: { _name: name } });

test('names come in the order of a HashMap of Java, those of rescoring and post filters too', async () => {
  const bool = { must: [all('m')], should: [all('s'), all('zebra'), all('apple')], filter: [all('f')] };
  assert.deepEqual(await namesOf({ bool }), ['zebra', 'apple', 's', 'f', 'm']);
  assert.deepEqual(await namesOf(all('z'), all('pf'), all('one')), ['pf', 'one', 'z']);
  assert.deepEqual(await namesOf({ match_all: {} }), []);
});

test('thousands of names are found in as many steps, between which the thread may be given back', async () => {
  const should = Array.from({ length: 1000 }, (_, i) => all(`q${i}`));
  const { names, steps } = await found({ bool: { should } });
  assert.deepEqual([names.length, steps], [1000, 1000]);
});

test('of queries with the same name the last one counts', async () => {
  const bool = { must: [all('same')], should: [{ match_none: { _name: 'same' } }] };
  assert.deepEqual(await namesOf({ bool }), []);
});

test('queries below a nested one are asked of the root document', async () => {
  const nested = (query: object): object => ({ nested: { path: 'n', query } });
  assert.deepEqual(await namesOf(nested(all('one'))), ['one']);
  assert.deepEqual(await namesOf(nested({ term: { 'n.i': { value: 1, _name: 'one' } } })), []);
});

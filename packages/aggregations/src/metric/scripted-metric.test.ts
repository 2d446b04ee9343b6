import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@shoal/errors';
import { parseAggregations } from '../parse/parse-tree.js';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

const index = await aggregationFixture({
  mapping: { k: { type: 'keyword' }, n: { type: 'long' }, t: { type: 'text' } },
  documents: [
    { n: [1, 2], k: 'x', t: 'a' },
    { n: 3, k: ['x', 'y'], t: 'a' },
    { k: 'z', t: 'b' },
  ],
});

const COUNT = {
  init_script: 'state.n = 0',
  map_script: 'state.n += doc.n.size()',
  combine_script: 'state.n',
  reduce_script: 'int sum = 0; for (s in states) sum += s; return sum',
};
const metric = (body: object): object => ({ scripted_metric: { ...COUNT, ...body } });

test('states are made, filled on shards, combined, and reduced to one value', () =>
  index.answers([
    [metric({}), { value: 3 }],
    [metric({ map_script: 'state.n += doc.n.size() * params.by', params: { by: 3 } }), { value: 9 }],
    [
      metric({ map_script: { source: 'state.n += params.by + params.of', params: { by: 1 } }, params: { of: 1 } }),
      { value: 6 },
    ],
    [metric({ map_script: "state.n += params['_source'].k instanceof List ? 10 : 1" }), { value: 12 }],
    [
      metric({ reduce_script: "return ['sum': 1.0, 'list': [null, 'a', true]]" }),
      { value: { sum: 1, list: [null, 'a', true] } },
    ],
  ]));

test('each bucket has its state, and pipelines read a value that is a number', () =>
  index.answers(
    [
      [
        {
          terms: { field: 'k' },
          aggs: { n: metric({}), d: { bucket_script: { buckets_path: { n: 'n.value' }, script: 'params.n * 2' } } },
        },
        {
          doc_count_error_upper_bound: 0,
          sum_other_doc_count: 0,
          buckets: [
            { key: 'x', doc_count: 2, n: { value: 3 }, d: { value: 6 } },
            { key: 'y', doc_count: 1, n: { value: 1 }, d: { value: 2 } },
            { key: 'z', doc_count: 1, n: { value: 0 }, d: { value: 0 } },
          ],
        },
      ],
      [
        { filter: { term: { k: 'nope' } }, aggs: { n: metric({}) } },
        { doc_count: 0, n: { value: 0 } },
      ],
    ],
    { anyLayout: false },
  ));

test('a state holds objects of scripts from one document to the next', () =>
  index.answers(
    [
      [
        metric({
          init_script: 'state.m = new TreeMap()',
          map_script: "for (k in doc['k']) { state.m.merge(k, 1, (a, b) -> a + b) }",
          combine_script: 'return state.m',
          reduce_script: 'return states',
        }),
        { value: [{ x: 2, y: 1, z: 1 }] },
      ],
    ],
    { anyLayout: false },
  ));

test('states that grow beyond the memory of requests are refused between two documents, by an error of its own', () => {
  const bytesMax = 1_000_000;
  let taken = 0;
  const charge = (bytes: number): void => {
    taken += bytes;
    if (taken > bytesMax) throw errors.circuitBreaking('too much');
  };
  const body = metric({ init_script: 'state.l = []', map_script: 'for (int i = 0; i < 200000; i++) state.l.add(i)' });
  return index.refuses([[body, 'circuit_breaking_exception: too much']], { charge, anyLayout: false });
});

test('the map script sees the score', async () => {
  const scores = metric({ init_script: 'state.n = 0', map_script: 'state.n += _score > 0 ? 1 : 0' });
  assert.deepEqual((await index.answer({ x: scores }, { query: { match: { t: 'a' } } })).x, { value: 2 });
});

test('scripts that are missing, do not compile, or leave what is no JSON are refused', () =>
  index.refuses(
    [
      [metric({ combine_script: undefined }), 'illegal_argument_exception: [combineScript] must not be null: [x]'],
      [metric({ reduce_script: undefined }), 'illegal_argument_exception: [reduceScript] must not be null: [x]'],
      [metric({ map_script: undefined }), 'illegal_argument_exception: Required [map_script]'],
      [
        metric({ map_script: { source: '1', params: { p: 1 } }, params: { p: 2 } }),
        'illegal_argument_exception: Parameter name "p" used in both aggregation and script parameters',
      ],
      [
        metric({ combine_script: 'state.self = state; return state' }),
        'illegal_argument_exception: Iterable object is self-referencing itself (Scripted metric aggs combine script)',
      ],
      [
        metric({ reduce_script: 'nope' }),
        'search_phase_execution_exception:  <- script_exception: compile error <- illegal_argument_exception: ' +
          'cannot resolve symbol [nope]',
      ],
    ],
    { anyLayout: false },
  ));

test('a request is known to run scripts for documents, so that few of them are looked at in a turn', () => {
  const parsed = (aggs: object) =>
    parseAggregations(aggs, { aggs }, { maxNestedDepth: 30, allowExpensiveQueries: true });
  const scripted_metric = { map_script: 'state.n = 1', combine_script: 'return 1', reduce_script: 'return 1' };
  const below = { k: { terms: { field: 'k' }, aggs: { s: { scripted_metric } } } };
  assert.equal(parsed(below).runsScripts, true);
  assert.equal(parsed(below).isSlow, true);
  const plain = parsed({ k: { terms: { field: 'k' } } });
  assert.equal(plain.runsScripts, false);
  assert.equal(plain.isSlow, false);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toApiError } from '@shoal/errors';
import { TestCluster, testNode } from '../allocation/testing/clusters.js';
import { validateSimilarities } from './validate-similarities.js';

function problem(settings: Record<string, string>): string | null {
  const flat = Object.entries(settings).map(([key, value]) => [`index.similarity.${key}`, value]);
  try {
    validateSimilarities(Object.fromEntries(flat));
    return null;
  } catch (error) {
    const { type, reason } = toApiError(error);
    return `${type}: ${reason}`;
  }
}

const REFUSED =
  'is not supported: fields are scored with [BM25] or [boolean] similarity, which index.similarity.* can name';

test('a similarity that would not score as its name says is refused by name', () => {
  for (const type of ['LMDirichlet', 'LMJelinekMercer', 'DFR', 'DFI', 'IB', 'scripted'])
    assert.equal(
      problem({ 'my.type': type, 'my.mu': '10' }),
      `illegal_argument_exception: Similarity type [${type}] for [my] ${REFUSED}`,
    );
  assert.match(problem({ 'default.type': 'DFI' }) ?? '', /\[DFI\] for \[default\]/);
});

test('similarities are checked as in 8.12', () => {
  const refusals: [Record<string, string>, string][] = [
    [{ 'my.type': 'Nix' }, 'Unknown Similarity type [Nix] for [my]'],
    [{ 'my.type': 'bm25' }, 'Unknown Similarity type [bm25] for [my]'],
    [{ 'my.k1': '1' }, 'Similarity [my] must have an associated type'],
    [{ 'my.type': 'BM25', 'my.foo': '1' }, 'Unknown settings for similarity of type [BM25]: [foo]'],
    [{ 'my.type': 'boolean', 'my.x': '1' }, 'Unknown settings for similarity of type [boolean]: [x]'],
    [{ 'my.type': 'BM25', 'my.k1': '-1' }, 'illegal k1 value: -1.0, must be a non-negative finite value'],
    [{ 'my.type': 'BM25', 'my.b': '2' }, 'illegal b value: 2.0, must be between 0 and 1'],
    [{ 'BM25.type': 'BM25' }, 'illegal value for [index.similarity.BM25] cannot redefine built-in similarity'],
    [{ 'boolean.type': 'BM25' }, 'illegal value for [index.similarity.boolean] cannot redefine built-in similarity'],
    [
      { 'my.type': 'BM25', 'my.discount_overlaps': 'x' },
      'Failed to parse value [x] as only [true] or [false] are allowed.',
    ],
  ];
  for (const [settings, reason] of refusals) assert.equal(problem(settings), `illegal_argument_exception: ${reason}`);
  assert.equal(
    problem({ 'my.type': 'BM25', 'my.k1': 'x' }),
    'settings_exception: Failed to parse float setting [k1] with value [x]',
  );
  assert.match(problem({ 'my.type': 'BM25', 'my.discount_overlaps': 'false' }) ?? '', /not supported/);
  assert.equal(problem({ 'my.type': 'BM25', 'my.b': '0.2', 'my.discount_overlaps': 'true' }), null);
  assert.equal(problem({ 'default.type': 'boolean' }), null);
});

test('indices, settings of indices and templates are checked for similarities', () => {
  const c = new TestCluster([testNode('n1')]);
  const wrong = { reason: `Similarity type [DFR] for [my] ${REFUSED}` };
  assert.throws(() => c.create('a', 1, 0, { 'index.similarity.my.type': 'DFR' }), wrong);
  c.create('b', 1, 0, { 'index.similarity.my.type': 'BM25' });
  c.settle();
  const update = (settings: object): unknown =>
    c.run('update-settings', { uuids: [c.uuid('b')], reopen: true, settings });
  assert.throws(() => update({ 'index.similarity.my.type': 'DFR' }), wrong);
  update({ 'index.similarity.my.k1': '2' });
  assert.throws(
    () =>
      c.run('put-component-template', {
        name: 't',
        create: false,
        body: { template: { settings: { similarity: { my: { type: 'DFR' } } } } },
      }),
    wrong,
  );
});

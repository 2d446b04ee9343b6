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

test('similarities by scripts need scripts, which are tried on samples', () => {
  const scripted = (source: string): string | null => problem({ 'my.type': 'scripted', 'my.script.source': source });
  const illegal = 'illegal_argument_exception: ';
  assert.equal(
    problem({ 'my.type': 'scripted' }),
    `${illegal}must specify either [source] for an inline script or [id] for a stored script`,
  );
  assert.equal(scripted('return weight * Math.sqrt(doc.freq / doc.length)'), null);
  assert.equal(scripted('1 +'), 'script_exception: compile error');
  const explained = (value: string, source: string, freq: number, length: number): string =>
    `${value} = score from ScriptedSimilarity(weightScript=[null], script=[Script{type=inline, lang='painless', ` +
    `idOrCode='${source}', options={}, params={}}]) computed from:\n  1.0 = weight\n  2.0 = query.boost\n` +
    '  1100 = field.docCount\n  2000 = field.sumDocFreq\n  3000 = field.sumTotalTermFreq\n  100 = term.docFreq\n' +
    `  130 = term.totalTermFreq\n  ${freq} = doc.freq\n  ${length} = doc.length\n`;
  assert.equal(
    scripted('-1.0'),
    `${illegal}Similarities should not return negative scores:\n${explained('-1.0', '-1.0', 1, 20)}`,
  );
  assert.equal(
    scripted('1/doc.freq'),
    `${illegal}Similarity scores should not decrease when term frequency increases:\n` +
      `${explained('1.0', '1/doc.freq', 1, 20)}\n${explained('0.5', '1/doc.freq', 2, 20)}`,
  );
  assert.equal(
    scripted('doc.length'),
    `${illegal}Similarity scores should not increase when norm increases:\n` +
      `${explained('1.0', 'doc.length', 1, 1)}\n${explained('2.0', 'doc.length', 1, 2)}`,
  );
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
  assert.equal(problem({ 'my.type': 'BM25', 'my.discount_overlaps': 'false' }), null);
  assert.equal(problem({ 'my.type': 'BM25', 'my.b': '0.2', 'my.discount_overlaps': 'true' }), null);
  assert.equal(problem({ 'default.type': 'boolean' }), null);
});

test('indices, settings of indices and templates are checked for similarities', () => {
  const c = new TestCluster([testNode('n1')]);
  const wrong = { reason: 'Unsupported BasicModel [null], expected one of [if, in, g, ine]' };
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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAnalysisRegistry } from '@shoal/analysis';
import { type AccessLimits, mappingOptions, parseMapping } from '@shoal/mapping';
import { openTestShard, type TestShard } from '../test-shard.js';
import { fieldsOnly, search } from './test-search.js';

const SCRIPTED = {
  dynamic: false,
  runtime: {
    level: { type: 'long' },
    label: { type: 'keyword', script: "emit('n' + doc['n'].value)" },
    copied: { type: 'keyword', script: 'emit(params._source.secret)' },
  },
  properties: { n: { type: 'long' }, team: { type: 'keyword' }, secret: { type: 'keyword' } },
};

async function scripted(): Promise<TestShard> {
  const opened = await openTestShard({ mapping: SCRIPTED });
  await opened.write(
    [1, 2, 3].map((n) => ({ op: 'index', id: String(n), source: { n, level: n * 10, secret: `s${n}`, team: 'a' } })),
    1,
  );
  return opened;
}

const byQuery = (...queries: object[]): AccessLimits => ({
  queries: [queries.map((query) => JSON.stringify(query))],
  fields: [],
});

test('documents may be hidden by values of runtime fields', async () => {
  const opened = await scripted();
  const ids = async (limits: AccessLimits, query: object): Promise<string[]> =>
    (await search(opened, { query }, limits)).ids;
  const all = { match_all: {} };
  assert.deepEqual(await ids(byQuery({ range: { level: { gte: 20 } } }), all), ['2', '3']);
  assert.deepEqual(await ids(byQuery({ term: { label: 'n1' } }, { term: { level: 30 } }), all), ['1', '3']);
  assert.deepEqual(await ids(byQuery({ term: { label: 'n1' } }), { range: { level: { gt: 5 } } }), ['1']);
  // What was hidden by an earlier definition is not hidden, or shown, by the present one.
  const runtime = {
    ...SCRIPTED.runtime,
    level: { type: 'keyword', script: "emit(doc['n'].value > 1 ? 'low' : '20')" },
  };
  const options = { ...mappingOptions({}, buildAnalysisRegistry({})), checkScript: () => {} };
  const mapping = parseMapping({ ...SCRIPTED, runtime }, options);
  opened.shard.applyMetadata({
    metadata: { name: 'test', uuid: 'uuid', settings: {} },
    mapping,
    mappingOptions: options,
  });
  assert.deepEqual(await ids(byQuery({ range: { level: { gte: 20 } } }), all), ['1', '2', '3']);
  assert.deepEqual(await ids(byQuery({ term: { level: '20' } }), all), ['1']);
  await opened.shard.close();
});

test('runtime fields show nothing of hidden fields', async () => {
  const opened = await scripted();
  const shown = async (limits: AccessLimits | null, fields: string[], runtime_mappings = {}): Promise<unknown[]> =>
    (await search(opened, { _source: false, fields, runtime_mappings, sort: ['n'], size: 1 }, limits)).hits.map(
      (hit) => (hit as { fields?: unknown }).fields,
    );
  const names = ['label', 'level', 'copied'];
  assert.deepEqual(await shown(null, names), [{ label: ['n1'], level: [10], copied: ['s1'] }]);
  assert.deepEqual(await shown(fieldsOnly(['n', 'label']), names), [{ label: ['n1'] }]);
  assert.deepEqual(await shown(fieldsOnly(['*'], ['secret', 'level']), names), [{ label: ['n1'] }]);
  const own = { secret: { type: 'keyword' }, mine: { type: 'keyword', script: "emit(params._source['secret'])" } };
  assert.deepEqual(await shown(fieldsOnly(['n']), ['secret', 'mine'], own), [undefined]);
  assert.deepEqual(await shown(null, ['secret', 'mine'], own), [{ secret: ['s1'], mine: ['s1'] }]);
  await opened.shard.close();
});

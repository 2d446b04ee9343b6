import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ExportAnswer,
  type ExportCall,
  ExportError,
  exportPages,
  nextSize,
  refusalOfCluster,
} from './export-pages.js';

const REQUEST = {
  index: 'a,b*',
  query: '{"term":{"n":9007199254740993}}',
  sort: '["_doc"]',
  columns: null,
  format: 'csv',
} as const;

/** A cluster with so many documents, whose answers are at most so large. */
function cluster(count: number, docsMax: number) {
  const calls: string[] = [];
  const call: ExportCall = async (method, path, body) => {
    calls.push(`${method} ${path} ${body ?? ''}`.trim());
    if (path.includes('_pit')) return { status: 200, text: '{"id":"p"}' };
    const { size, search_after: after = [0] } = JSON.parse(body!) as { size: number; search_after?: [number] };
    if (size > docsMax) return null;
    const ids = Array.from({ length: Math.max(0, Math.min(size, count - after[0])) }, (_, i) => after[0] + i + 1);
    const hits = ids.map((id) => ({ _index: 'a', _id: String(id), _source: { id }, sort: [id] }));
    return { status: 200, text: JSON.stringify({ hits: { total: { value: count }, hits } }) };
  };
  return { calls, call };
}

async function idsOf(call: ExportCall): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { hits } of exportPages(call, REQUEST, [])) ids.push(...hits.map(({ id }) => id));
  return ids;
}

test('all documents come over one point in time, which is closed', async () => {
  const { calls, call } = cluster(1_234, 10_000);
  const ids = await idsOf(call);
  assert.deepEqual([ids.length, ids[0], ids.at(-1)], [1_234, '1', '1234']);
  assert.equal(calls[0], 'POST /a%2Cb*/_pit?keep_alive=10m');
  assert.match(calls[1]!, /"query":\{"term":\{"n":9007199254740993\}\},"sort":\["_doc"\],"pit":\{"id":"p"/);
  assert.equal(calls.at(-1), 'DELETE /_pit {"id":"p"}');
});

test('answers that are too large are asked for in smaller pages, without losing a document', async () => {
  const { call } = cluster(100, 10);
  assert.equal((await idsOf(call)).length, 100);
  await assert.rejects(idsOf(cluster(100, 0).call), ExportError);
  assert.equal(nextSize(500, 8 * 2 ** 20), 250);
  assert.equal(nextSize(500, 1_000), 2_000);
  assert.equal(nextSize(1, 2 ** 30), 1);
});

test('an index whose result window is smaller than a page is read in pages that it allows', async () => {
  for (const [window, count, refusalsMost] of [
    [4_999, 30_000, 1],
    [7, 100, 7],
  ] as const) {
    const { call } = cluster(count, 10_000);
    let refusals = 0;
    const refusing: ExportCall = async (method, path, body, bytesMax) => {
      if (path !== '/_search' || (JSON.parse(body!) as { size: number }).size <= window)
        return call(method, path, body, bytesMax);
      refusals++;
      const reason =
        `Result window is too large, from + size must be less than or equal to: [${window}] but was [10000]. This ` +
        'limit can be set by changing the [index.max_result_window] index level setting.';
      return { status: 400, text: JSON.stringify({ error: { root_cause: [{ reason }] } }) };
    };
    assert.equal(new Set(await idsOf(refusing)).size, count);
    assert.ok(refusals > 0 && refusals <= refusalsMost, `${refusals} refusals`);
  }
});

test('a page that one of several indices refuses is asked for again, without losing its documents', async () => {
  const { call } = cluster(10_000, 10_000);
  const partial: ExportCall = async (method, path, body, bytesMax) => {
    if (path !== '/_search' || (JSON.parse(body!) as { size: number }).size <= 1_000)
      return call(method, path, body, bytesMax);
    const reason = { reason: 'too large: [index.max_result_window] index level setting.' };
    return { status: 200, text: JSON.stringify({ _shards: { failures: [{ reason }] }, hits: { hits: [] } }) };
  };
  assert.equal(new Set(await idsOf(partial)).size, 10_000);
});

test('a point in time is closed too when nobody reads on', async () => {
  const { calls, call } = cluster(10_000, 10_000);
  for await (const { total } of exportPages(call, REQUEST, [])) {
    assert.equal(total, 10_000);
    break;
  }
  assert.match(calls.at(-1)!, /^DELETE/);
});

test('the cluster refuses in its own words', async () => {
  const answer = (status: number, body: unknown): ExportAnswer => ({ status, text: JSON.stringify(body) });
  const refused = answer(404, {
    error: { reason: 'no such index [a]', root_cause: [{ reason: 'no such index [a]' }] },
  });
  assert.deepEqual(refusalOfCluster(refused), { status: 404, message: 'no such index [a]' });
  assert.deepEqual(refusalOfCluster({ status: 502, text: '<html>' }), {
    status: 503,
    message: 'The cluster answered with the status 502.',
  });
  await assert.rejects(
    idsOf(async () => refused),
    ExportError,
  );
});

// Dates in nanoseconds sort, page, are found and print as in Elasticsearch 8.12.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';
import { bodyText, compared, SEARCHES, SETUP } from './date-nanos-requests.mjs';

const expected = JSON.parse(fs.readFileSync(new URL('date-nanos.json', import.meta.url)));
let node;

const textOf = async (path, body) => {
  const answer = await fetch(node.url + path, {
    method: 'POST',
    headers: { ...node.headers, 'content-type': 'application/json' },
    body: bodyText({ _source: false, ...body }),
  });
  return answer.text();
};
/** Keys in one order: that of `fields` is the order of a HashMap in 8.12. */
const inOrder = (value) =>
  JSON.parse(JSON.stringify(value), (_key, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

before(async () => {
  node = await startNode();
  for (const request of SETUP) await call(node, ...request);
});
after(() => node?.stop());

for (const when of ['in the buffer', 'in segments', 'after a merge'])
  test(`searches answer as 8.12, ${when}`, async () => {
    for (const [index, bodies] of Object.entries(SEARCHES))
      for (const [i, body] of bodies.entries())
        assert.deepEqual(
          inOrder(compared(await textOf(`${index}/_search`, body))),
          inOrder(expected[index][i]),
          bodyText(body),
        );
    await call(node, 'POST', '/nanos,millis/_flush');
    if (when === 'in segments') await call(node, 'POST', '/nanos/_forcemerge?max_num_segments=1');
  });

test('pages over several shards show each document once, though all are of one millisecond', async () => {
  const count = 200;
  await call(node, 'PUT', '/paged', {
    settings: { number_of_shards: 3, number_of_replicas: 0 },
    mappings: { properties: { t: { type: 'date_nanos' } } },
  });
  const lines = Array.from({ length: count }, (_, i) => {
    const nanos = String((i * 7919) % 1_000_000).padStart(6, '0');
    return `{"index":{"_id":"${i}"}}\n{"t":"2024-01-01T00:00:00.123${nanos}Z"}\n`;
  });
  await call(node, 'POST', '/paged/_bulk?refresh=true', lines.join(''));
  for (const format of [undefined, 'strict_date_optional_time_nanos', 'epoch_millis']) {
    const seen = [];
    let last;
    do {
      const page = {
        size: 7,
        sort: [{ t: { order: 'asc', ...(format && { format }) } }],
        ...(last && { search_after: last }),
      };
      const text = await textOf('/paged/_search', page);
      const { hits } = compared(text);
      seen.push(...hits.map(({ _id }) => _id));
      last = hits.at(-1)?.sort;
    } while (last);
    const inTime = lines.map((_, i) => [(i * 7919) % 1_000_000, String(i)]).toSorted(([a], [b]) => a - b);
    assert.deepEqual(
      seen,
      inTime.map(([, id]) => id),
      String(format),
    );
  }
});

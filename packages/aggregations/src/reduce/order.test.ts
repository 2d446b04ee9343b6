import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, aggregationFixture } from '../testing/aggregation-fixture.js';

/** Orders are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: { k: { type: 'keyword' }, n: { type: 'long' }, d: { type: 'double' } },
  documents: [
    { k: 'a', n: 1, d: 1 },
    { k: 'b', n: 11 },
    { k: 'c', n: 21, d: 3 },
    { k: 'd', n: 31 },
  ],
});

const keysBy = async (type: object, metric: string, order: string, property = ''): Promise<string> => {
  const [[name, body]] = Object.entries(type) as [[string, object]];
  const aggs = { y: { [metric]: { field: 'd' } } };
  const answer = await index.answer({ x: { [name]: { ...body, order: { [`y${property}`]: order } }, aggs } });
  return answer.x.buckets.map((bucket: Answer) => bucket.key).join();
};

test('buckets whose metric has no value come where Elasticsearch puts them', async () => {
  const byTerm = { terms: { field: 'k' } };
  assert.equal(await keysBy(byTerm, 'avg', 'asc'), 'a,c,b,d');
  assert.equal(await keysBy(byTerm, 'avg', 'desc'), 'b,d,c,a');
  assert.equal(await keysBy(byTerm, 'max', 'asc'), 'b,d,a,c');
  assert.equal(await keysBy(byTerm, 'max', 'desc'), 'c,a,b,d');
  assert.equal(await keysBy(byTerm, 'sum', 'asc'), 'b,d,a,c');
  assert.equal(await keysBy(byTerm, 'stats', 'asc', '.max'), 'b,d,a,c');
  assert.equal(await keysBy(byTerm, 'min', 'asc'), 'a,c,b,d');
  assert.equal(await keysBy({ histogram: { field: 'n', interval: 10 } }, 'avg', 'desc'), '10,30,20,0');
});

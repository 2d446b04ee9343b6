import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyOfShard, openTestShard, type TestShard } from './test-shard.js';

const vector = (similarity: string) => ({ type: 'dense_vector', dims: 2, similarity });
const MAPPING = {
  dynamic: 'strict',
  properties: {
    unit: vector('dot_product'),
    far: vector('l2_norm'),
    small: vector('cosine'),
    at: { type: 'geo_point' },
    n: { type: 'long' },
    o: { properties: { v: vector('l2_norm') } },
  },
};
/** What builds before this one accepted, but not this one. */
const DOCUMENTS = [
  { unit: [1.00008, 0] },
  { far: [3e38, 3e38] },
  { small: [1e-40, 1e-40] },
  { o: [{ v: [1, 0] }, { v: [0, 1] }] },
  { at: { geohash: 'u33db', lat: 1 } },
];
/** What no build accepts under the mapping: a mapping or a build that did is not known here. */
const REFUSED = [{ n: 'x' }, { other: 1 }];

/** A shard with the documents in its log, under a mapping that takes everything. */
async function earlierShard(): Promise<TestShard> {
  const earlier = await openTestShard({ mapping: { dynamic: false } });
  const all = [...DOCUMENTS, ...REFUSED];
  await earlier.write(all.map((source, i) => ({ op: 'index' as const, id: String(i), source })));
  return earlier;
}

async function recordsOf({ shard: { log } }: TestShard): Promise<Uint8Array[]> {
  const records: Uint8Array[] = [];
  for await (const [, value] of log.store.records(0, log.maxSeqNo)) records.push(new Uint8Array(value));
  return records;
}

const rounded = (value: number): number => Number(value.toPrecision(5));

/** What the buffer has of the documents: the row of each vector with its length, and the point. */
function check(test: TestShard): void {
  test.shard.refresh();
  const lease = test.shard.acquire();
  const { reader } = lease.searcher.segments[0]!;
  const row = (field: string): number[] => {
    const rows = reader.vectors(field)?.rows(0);
    return [...(rows?.floats.subarray(0, rows.stride) ?? [])].map(rounded);
  };
  assert.deepEqual(row('unit'), [1.0001, 0, 1.0001]);
  assert.deepEqual(row('far').slice(0, 2), [3e38, 3e38]);
  assert.deepEqual(row('small'), [0.70711, 0.70711, rounded(Math.fround(Math.SQRT2 * 1e-40))]);
  // The last of two.
  assert.deepEqual(row('o.v'), [0, 1, 1]);
  assert.deepEqual(
    DOCUMENTS.map((_, doc) => reader.vectors('o.v')!.rowOf(doc)),
    [-1, -1, -1, 0, -1],
  );
  assert.ok(reader.geo('at') !== null);
  lease.release();
  assert.equal(test.visible().size, DOCUMENTS.length + REFUSED.length);
}

test('a replay keeps the values of documents that an earlier build accepted', async () => {
  const { stores, files } = await earlierShard();
  check(await openTestShard({ mapping: MAPPING, ...(await copyOfShard(stores, files)) }));
});

test('a replica takes documents that an earlier build accepted, with their values', async () => {
  const records = await recordsOf(await earlierShard());
  const replica = await openTestShard({ mapping: MAPPING });
  await replica.shard.log.receive(0, records);
  check(replica);
});

test('a replica still asks for the fields that its mapping lacks', async () => {
  const records = await recordsOf(await earlierShard());
  const replica = await openTestShard({ mapping: { ...MAPPING, dynamic: true } });
  await assert.rejects(replica.shard.log.receive(0, records), { type: 'retry_on_replica_exception' });
  assert.equal(replica.shard.log.maxSeqNo, records.length - 2);
});

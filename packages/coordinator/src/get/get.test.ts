import assert from 'node:assert/strict';
import test from 'node:test';
import { shard as messages } from '@shoal/protocol';
import { CALL, failure, fakeCoordinator, jsonOf, stateWith } from '../fake-cluster.js';
import type { GetDocumentRequest, MultiGetRequest } from './get-request.js';

const OPTIONS = { routing: null, source: true, storedFields: null, version: null, versionType: 'internal' } as const;

function request(change: Partial<GetDocumentRequest> = {}): GetDocumentRequest {
  return {
    ...OPTIONS,
    index: 'h',
    id: '1',
    realtime: true,
    refresh: false,
    preference: null,
    bareSource: false,
    ...change,
  };
}

const STATE = stateWith([
  { name: 'h', shards: [['n1']], aliases: { one: {}, both: {} } },
  { name: 'g', shards: [['n1']], aliases: { both: {} } },
  { name: 'r', shards: [['n1']], mapping: { _routing: { required: true } } },
]);

const missing: messages.GetResult = {
  found: false,
  version: 0,
  seqNo: 0,
  primaryTerm: 0,
  ignored: [],
  routing: undefined,
  source: undefined,
  fields: undefined,
  error: undefined,
};
const found: messages.GetResult = {
  ...missing,
  found: true,
  version: 4,
  seqNo: 5,
  primaryTerm: 1,
  source: Buffer.from('{"a": 1.0}'),
};
const coordinator = fakeCoordinator(STATE, {
  get: (get) => ({ items: get.items.map((item) => (item.id === '1' ? found : missing)) }),
});

test('a document is answered with its source as it was sent', async () => {
  const answer = await coordinator.get(request(), CALL);
  assert.equal(
    Buffer.concat(answer.chunks).toString('utf8'),
    '{"_index":"h","_id":"1","_version":4,"_seq_no":5,"_primary_term":1,"found":true,"_source":{"a": 1.0}}',
  );
});

test('a missing document is 404 with found false', async () => {
  const answer = await coordinator.get(request({ id: 'zz' }), CALL);
  assert.deepEqual([answer.status, jsonOf(answer)], [404, { _index: 'h', _id: 'zz', found: false }]);
});

test('the bare source of a missing document is an error', async () => {
  const refused = await failure(() => coordinator.get(request({ id: 'zz', bareSource: true }), CALL));
  assert.deepEqual(refused, {
    status: 404,
    type: 'resource_not_found_exception',
    reason: 'Document not found [h]/[zz]',
  });
});

test('an alias of one index is read, one of several is not', async () => {
  assert.equal((await coordinator.get(request({ index: 'one' }), CALL)).status, 200);
  assert.equal(
    (await failure(() => coordinator.get(request({ index: 'both' }), CALL))).reason,
    "alias [both] has more than one index associated with it [g, h], can't execute a single index op",
  );
});

test('required routing is asked for', async () => {
  assert.deepEqual(await failure(() => coordinator.get(request({ index: 'r' }), CALL)), {
    status: 400,
    type: 'routing_missing_exception',
    reason: 'routing is required for [r]/[1]',
  });
});

function many(body: unknown, index: string | null = 'h'): MultiGetRequest {
  return { index, body, realtime: true, refresh: false, preference: null, defaults: OPTIONS };
}

test('many documents come in order, each failing for itself', async () => {
  const body = { docs: [{ _id: '1' }, { _index: 'nope', _id: '1' }, { _id: 2 }] };
  const answer = jsonOf(await coordinator.multiGet(many(body), CALL)) as {
    docs: { found?: boolean; error?: { type: string } }[];
  };
  assert.deepEqual(
    answer.docs.map((doc) => doc.found ?? doc.error!.type),
    [true, 'index_not_found_exception', false],
  );
});

test('a multi-get without documents, index or id is invalid', async () => {
  const reason = async (body: unknown, index: string | null = 'h'): Promise<string | null> =>
    (await failure(() => coordinator.multiGet(many(body, index), CALL))).reason;
  assert.equal(await reason({}), 'Validation Failed: 1: no documents to get;');
  assert.equal(await reason({ docs: [{ _id: '1' }] }, null), 'Validation Failed: 1: index is missing for doc 0;');
  assert.equal(await reason({ docs: [{}] }), 'Validation Failed: 1: id is missing for doc 0;');
  assert.equal(await reason({ foo: [] }), 'unknown key [foo] for a START_ARRAY, expected [docs] or [ids]');
  assert.equal(
    await reason({ docs: [{ _id: '1', foo: 1 }] }),
    'failed to parse multi get request. unknown field [foo]',
  );
});

test('a multi-get of thousands asks for some hundreds at a time, and ends when its client goes', async () => {
  let asked = 0;
  let largest = 0;
  const gone = new AbortController();
  const counting = fakeCoordinator(STATE, {
    get: (get) => {
      asked += get.items.length;
      counting.clock.advance(10);
      largest = Math.max(largest, get.items.length);
      if (asked > 3000) gone.abort(new Error('the client has gone'));
      return { items: get.items.map(() => missing) };
    },
  });
  const many = (count: number): MultiGetRequest => ({
    index: 'h',
    body: { ids: Array.from({ length: count }, (_, i) => String(i)) },
    realtime: true,
    refresh: false,
    preference: null,
    defaults: OPTIONS,
  });
  const answer = await counting.multiGet(many(1200), CALL);
  assert.equal((jsonOf(answer) as { docs: unknown[] }).docs.length, 1200);
  assert.equal(largest, 500);
  await assert.rejects(counting.multiGet(many(50_000), { ...CALL, signal: gone.signal }), /the client has gone/);
  assert.equal(asked, 3200);
});

test('a multi-get of more documents than there is memory for is refused before they are looked at', async () => {
  const ids = new Array(10_000_000).fill('1') as string[];
  const request = { index: 'h', body: { ids }, realtime: true, refresh: false, preference: null, defaults: OPTIONS };
  await assert.rejects(coordinator.multiGet(request, CALL), { type: 'circuit_breaking_exception', status: 429 });
});

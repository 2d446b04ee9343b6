import assert from 'node:assert/strict';
import test from 'node:test';
import { errors } from '@shoal/errors';
import { errorMessage, shard as messages } from '@shoal/protocol';
import { CALL, failure, fakeCoordinator, jsonOf, stateWith } from '../fake-cluster.js';
import type { BulkRequest } from './bulk-request.js';

const ONE_SHARD = stateWith([{ name: 'h', shards: [['n1']] }]);

function request(body: string, change: Partial<BulkRequest> = {}): BulkRequest {
  return {
    body: Buffer.from(body),
    index: null,
    routing: null,
    pipeline: null,
    requireAlias: null,
    updateSource: undefined,
    listsPipelines: false,
    allowType: false,
    refresh: 'none',
    timeoutMs: 60_000,
    waitForActiveShards: null,
    ...change,
  };
}

function result(change: Partial<messages.WriteResult>): messages.WriteResult {
  return { outcome: 0, version: 1, seqNo: 0, primaryTerm: 1, error: undefined, get: undefined, ...change };
}

function acknowledgeAll(seen: messages.BulkShardRequest[] = []): {
  bulk: (bulk: messages.BulkShardRequest) => messages.BulkShardResponse;
} {
  return {
    bulk: (bulk) => {
      seen.push(bulk);
      return { items: bulk.items.map((_, i) => result({ seqNo: i })), forcedRefresh: bulk.refresh === 1 };
    },
  };
}

const reasonOf = async (body: string, change: Partial<BulkRequest> = {}): Promise<string | null> =>
  (await failure(() => fakeCoordinator(ONE_SHARD, acknowledgeAll()).bulk(request(body, change), CALL))).reason;

test('sources reach their shard byte for byte, results come back in order', async () => {
  const seen: messages.BulkShardRequest[] = [];
  const coordinator = fakeCoordinator(
    stateWith([{ name: 'h', shards: [['n1'], ['n1'], ['n1']] }]),
    acknowledgeAll(seen),
  );
  const lines = Array.from({ length: 30 }, (_, i) => `{"index":{"_index":"h","_id":"${i}"}}\n{"n": ${i} }\n`).join('');
  const answer = jsonOf(await coordinator.bulk(request(lines), CALL)) as { items: { index: { _id: string } }[] };
  assert.deepEqual(
    answer.items.map((item) => item.index._id),
    Array.from({ length: 30 }, (_, i) => String(i)),
  );
  const sources = seen.flatMap((bulk) =>
    bulk.items.map((item) => [
      item.id,
      Buffer.from(bulk.sources.subarray(item.sourceStart, item.sourceEnd)).toString(),
    ]),
  );
  assert.equal(seen.length, 3);
  for (const [id, source] of sources) assert.equal(source, `{"n": ${id} }`);
});

test('sources between other lines and deletes reach their shard', async () => {
  const seen: messages.BulkShardRequest[] = [];
  const coordinator = fakeCoordinator(ONE_SHARD, acknowledgeAll(seen));
  const lines = [
    '{"delete":{"_index":"h","_id":"0"}}',
    '{"index":{"_index":"h","_id":"1"}}',
    '{"n":1}',
    '{"delete":{"_index":"h","_id":"2"}}',
    '{"index":{"_index":"h","_id":"\\"3","routing":"r"}}',
    '{"n":"ü"}',
  ];
  const answer = jsonOf(await coordinator.bulk(request(`${lines.join('\r\n')}\n`), CALL)) as {
    items: Record<string, { _id: string }>[];
  };
  assert.deepEqual(
    answer.items.map((item) => Object.values(item)[0]!._id),
    ['0', '1', '2', '"3'],
  );
  const sources = seen[0]!.items.map((item) =>
    Buffer.from(seen[0]!.sources.subarray(item.sourceStart, item.sourceEnd)).toString(),
  );
  assert.deepEqual(sources, ['', '{"n":1}', '', '{"n":"ü"}']);
});

test('a large bulk reaches its shard in pieces, and its items come back in order as one answer', async () => {
  const seen: messages.BulkShardRequest[] = [];
  const coordinator = fakeCoordinator(ONE_SHARD, acknowledgeAll(seen));
  const lines = Array.from({ length: 25_000 }, (_, i) => `{"index":{"_index":"h","_id":"${i}"}}\n{"n":${i}}\n`).join(
    '',
  );
  const answer = jsonOf(await coordinator.bulk(request(lines), CALL)) as {
    errors: boolean;
    items: { index: { _id: string } }[];
  };
  assert.deepEqual(
    [answer.errors, answer.items.length, ...[0, 9_999, 10_000, 24_999].map((i) => answer.items[i]!.index._id)],
    [false, 25_000, '0', '9999', '10000', '24999'],
  );
  assert.deepEqual(
    seen.map((bulk) => bulk.items.length),
    [10_000, 10_000, 5_000],
  );
});

test('a document of more values than the limit fails alone, without being parsed', async () => {
  const seen: messages.BulkShardRequest[] = [];
  const coordinator = fakeCoordinator(ONE_SHARD, acknowledgeAll(seen));
  const values = (count: number): string => `[${'[],'.repeat(count)}1]`;
  const lines = [
    '{"index":{"_index":"h","_id":"0"}}',
    `{"a":${values(50_000)}}`,
    '{"index":{"_index":"h","_id":"1"}}',
    `{"a":${values(100_000)}}`,
    '{"update":{"_index":"h","_id":"2"}}',
    `{"doc":{"a":${values(100_000)}}}`,
  ];
  const answer = jsonOf(await coordinator.bulk(request(`${lines.join('\n')}\n`), CALL)) as {
    items: Record<string, { status: number; error?: { reason: string } }>[];
  };
  const reason = 'the document has more than [250000] values, the limit [shoal.document.max_values]';
  assert.deepEqual(
    answer.items.map((item) => Object.values(item)[0]!.error?.reason),
    [undefined, reason, reason],
  );
  assert.equal(Object.values(answer.items[1]!)[0]!.status, 400);
  assert.deepEqual(
    seen.map((bulk) => bulk.items.length),
    [1],
  );
});

test('a line of an action that is longer than any needs to be is refused by its number', async () => {
  const coordinator = fakeCoordinator(ONE_SHARD, acknowledgeAll([]));
  const body = `{"index":{"_index":"h","_id":"1"}}\n{}\n{"index":{"a":[${'[],'.repeat(30_000)}1]}}\n{}\n`;
  await assert.rejects(coordinator.bulk(request(body), CALL), /line \[3\], it has \[90019\] bytes/);
});

test('a large bulk that waits for a refresh gets one of its own at its end, not one for each piece', async () => {
  const seen: messages.BulkShardRequest[] = [];
  let calls = 0;
  const coordinator = fakeCoordinator(ONE_SHARD, {
    ...acknowledgeAll(seen),
    other: () => (calls++, messages.encodeShardCallResponse({ body: Buffer.from('{}') })),
  });
  await coordinator.bulk(request('{"index":{"_index":"h"}}\n{}\n'.repeat(25_000), { refresh: 'wait' }), CALL);
  assert.deepEqual([seen.map((bulk) => bulk.refresh), calls], [[0, 0, 0], 1]);
});

test('a piece ends after so many bytes, too', async () => {
  const seen: messages.BulkShardRequest[] = [];
  const line = `{"index":{"_index":"h"}}\n{"t":"${'x'.repeat(2 ** 20)}"}\n`;
  await fakeCoordinator(ONE_SHARD, acknowledgeAll(seen)).bulk(request(line.repeat(20)), CALL);
  assert.deepEqual(
    seen.map((bulk) => bulk.items.length),
    [8, 8, 4],
  );
});

test('nothing of a large bulk is written when it is malformed further on', async () => {
  const seen: messages.BulkShardRequest[] = [];
  const coordinator = fakeCoordinator(ONE_SHARD, acknowledgeAll(seen));
  const lines = '{"index":{"_index":"h"}}\n{}\n'.repeat(10_000);
  const reason = async (rest: string): Promise<string | null> =>
    (await failure(() => coordinator.bulk(request(lines + rest), CALL))).reason;
  assert.match((await reason('{"foo":{}}\n{}\n'))!, /^Malformed action\/metadata line \[20001\]/);
  assert.match((await reason('{"index":{"_index":"h"}}'))!, /must be terminated by a newline/);
  assert.match((await reason('{"delete":{"_index":"h"}}\n'))!, /^Validation Failed: 1: id is missing;/);
  assert.deepEqual(seen, []);
});

test('a bulk whose answer would take too much is refused before anything is written', async () => {
  const seen: messages.BulkShardRequest[] = [];
  const coordinator = fakeCoordinator(ONE_SHARD, acknowledgeAll(seen), undefined, {
    inFlightBytesMax: () => 3_000_000,
  });
  const refused = await failure(() =>
    coordinator.bulk(request('{"delete":{"_index":"h","_id":"1"}}\n'.repeat(10_001)), CALL),
  );
  assert.deepEqual(
    [refused.status, refused.type, seen.length, coordinator.inFlight.tripped],
    [429, 'circuit_breaking_exception', 0, 1],
  );
});

test('operations count besides their bytes while they are written', async () => {
  const taken: number[] = [];
  const coordinator = fakeCoordinator(ONE_SHARD, acknowledgeAll(), undefined, {
    takeWrite: (bytes) => (taken.push(bytes), () => void taken.push(-bytes)),
  });
  const line = '{"delete":{"_index":"h","_id":"1"}}\n';
  await coordinator.bulk(request(line.repeat(3)), CALL);
  assert.deepEqual(taken, [3 * (line.length + 200), -3 * (line.length + 200)]);
});

test('a large bulk for which there is no room is refused before it is read', async () => {
  const checked: number[] = [];
  const checkWrite = (bytes: number): void => {
    checked.push(bytes);
    throw errors.rejectedExecution('no room');
  };
  const coordinator = fakeCoordinator(ONE_SHARD, acknowledgeAll(), undefined, {
    checkWrite,
    takeWrite: () => assert.fail('it was read'),
  });
  const line = '{"index":{"_index":"h"}}\n{"a":1}\n';
  const refused = await failure(() => coordinator.bulk(request(line.repeat(5_000)), CALL));
  const bytes = 5_000 * (line.length + 200);
  assert.deepEqual([refused.status, checked.length], [429, 1]);
  assert.ok(Math.abs(checked[0]! - bytes) < bytes / 100, `${checked[0]} of ${bytes}`);
});

test('an answer has the keys and values that Elasticsearch gives', async () => {
  const coordinator = fakeCoordinator(ONE_SHARD, acknowledgeAll());
  const answer = await coordinator.bulk(
    request('{"index":{"_index":"h","_id":"1"}}\n{"a":1}\n', { refresh: 'now' }),
    CALL,
  );
  assert.equal(
    Buffer.concat(answer.chunks).toString('utf8'),
    '{"errors":false,"took":0,"items":[{"index":{"_index":"h","_id":"1","_version":1,"result":"created",' +
      '"forced_refresh":true,"_shards":{"total":1,"successful":1,"failed":0},"_seq_no":0,"_primary_term":1,' +
      '"status":201}}]}',
  );
});

test('an item that fails fails alone', async () => {
  const error = errors.versionConflict('[1]: version conflict, document already exists (current version [1])', {
    meta: { index_uuid: 'u', shard: '0', index: 'h' },
  });
  const coordinator = fakeCoordinator(ONE_SHARD, {
    bulk: () => ({
      items: [result({ outcome: 5, error: errorMessage(error) }), result({ outcome: 1 })],
      forcedRefresh: false,
    }),
  });
  const body = '{"create":{"_index":"h","_id":"1"}}\n{}\n{"index":{"_index":"h","_id":"1"}}\n{}\n';
  const answer = jsonOf(await coordinator.bulk(request(body), CALL)) as { errors: boolean; items: unknown[] };
  assert.equal(answer.errors, true);
  assert.deepEqual(answer.items[0], {
    create: {
      _index: 'h',
      _id: '1',
      status: 409,
      error: {
        type: 'version_conflict_engine_exception',
        reason: '[1]: version conflict, document already exists (current version [1])',
        index_uuid: 'u',
        shard: '0',
        index: 'h',
      },
    },
  });
});

test('malformed action lines fail the whole request', async () => {
  assert.equal(
    await reasonOf('{"foo":{}}\n{}\n'),
    'Malformed action/metadata line [1], expected field [create], [delete], [index] or [update] but found [foo]',
  );
  assert.equal(
    await reasonOf('{"index":"x"}\n{}\n'),
    'Malformed action/metadata line [1], expected START_OBJECT or END_OBJECT but found [VALUE_STRING]',
  );
  assert.equal(
    await reasonOf('{}\n{}\n'),
    'Malformed action/metadata line [1], expected FIELD_NAME but found [END_OBJECT]',
  );
  assert.equal(
    await reasonOf('[]\n{}\n'),
    'Malformed action/metadata line [1], expected START_OBJECT but found [START_ARRAY]',
  );
  assert.equal(
    await reasonOf('{"index":{"_index":"h","_id":["a"]}}\n{}\n'),
    'Malformed action/metadata line [1], expected a simple value for field [_id] but found [START_ARRAY]',
  );
  assert.equal(
    await reasonOf('{"index":{"_index":"h","_id":1,"x":2}}\n{}\n'),
    'Action/metadata line [1] contains an unknown parameter [x]',
  );
  assert.equal(
    await reasonOf('{"index":{"_index":"h"}}\n{"a":1}'),
    'The bulk request must be terminated by a newline [\\n]',
  );
});

test('a request without operations, index or id is invalid', async () => {
  assert.equal(await reasonOf('\n'), 'Validation Failed: 1: no requests added;');
  assert.equal(await reasonOf('{"index":{}}\n{}\n'), 'Validation Failed: 1: index is missing;');
  assert.equal(await reasonOf('{"delete":{"_index":"h"}}\n'), 'Validation Failed: 1: id is missing;');
  assert.equal(
    await reasonOf(
      '{"create":{"_index":"h","_id":"2","version":3,"version_type":"external"}}\n{}\n' +
        '{"index":{"_index":"h","_id":"2","version":3}}\n{}\n',
    ),
    'Validation Failed: 1: create operations only support internal versioning. use index instead;2: internal ' +
      'versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` ' +
      'instead;',
  );
});

test('an unknown key of an update is named with its place', async () => {
  assert.equal(
    await reasonOf('{"update":{"_index":"h","_id":"1"}}\n{"foo":1}\n'),
    '[1:2] [UpdateRequest] unknown field [foo]',
  );
});

test('carriage returns before newlines and blank lines between items are skipped', async () => {
  const coordinator = fakeCoordinator(ONE_SHARD, acknowledgeAll());
  const answer = jsonOf(
    await coordinator.bulk(
      request('{"index":{"_index":"h","_id":"1"}}\r\n{"a":1}\r\n\n{"delete":{"_index":"h","_id":"2"}}\n'),
      CALL,
    ),
  ) as { items: unknown[] };
  assert.equal(answer.items.length, 2);
});

test('missing indices are created, but not for deletes', async () => {
  const created: string[] = [];
  const coordinator = fakeCoordinator(stateWith([]), acknowledgeAll(), (task, body) => {
    assert.equal(task, 'auto-create-index');
    created.push((body as { index: string }).index);
    return stateWith([{ name: 'new', shards: [['n1']] }]);
  });
  const answer = jsonOf(
    await coordinator.bulk(request('{"index":{"_index":"new"}}\n{}\n{"delete":{"_index":"gone","_id":"1"}}\n'), CALL),
  ) as { items: Record<string, { status: number; error?: { type: string } }>[] };
  assert.deepEqual(created, ['new']);
  assert.equal(answer.items[0]!['index']!.status, 201);
  assert.equal(answer.items[1]!['delete']!.error!.type, 'index_not_found_exception');
});

test('ids made here have 20 characters and do not repeat', async () => {
  const coordinator = fakeCoordinator(ONE_SHARD, acknowledgeAll());
  const answer = jsonOf(await coordinator.bulk(request('{"index":{}}\n{}\n'.repeat(1000), { index: 'h' }), CALL)) as {
    items: { index: { _id: string } }[];
  };
  const ids = answer.items.map((item) => item.index._id);
  assert.equal(new Set(ids).size, 1000);
  for (const id of ids) assert.match(id, /^[\w-]{20}$/);
});

test('required routing, closed indices, missing pipelines and absent aliases are refused by item', async () => {
  const state = stateWith([
    { name: 'r', shards: [['n1']], mapping: { _routing: { required: true } } },
    { name: 'c', shards: [['n1']], state: 'close' },
    { name: 'h', shards: [['n1']] },
  ]);
  const body =
    '{"index":{"_index":"r","_id":"1"}}\n{}\n{"index":{"_index":"c","_id":"1"}}\n{}\n' +
    '{"index":{"_index":"h","pipeline":"p"}}\n{}\n{"index":{"_index":"h","require_alias":true}}\n{}\n' +
    '{"create":{"_index":"h","_id":""}}\n{}\n';
  const answer = jsonOf(await fakeCoordinator(state, acknowledgeAll()).bulk(request(body), CALL)) as {
    items: Record<string, { error: { reason: string }; _id: string | null }>[];
  };
  assert.deepEqual(
    answer.items.map((item) => Object.values(item)[0]!.error.reason),
    [
      'routing is required for [r]/[1]',
      'closed',
      'pipeline with id [p] does not exist',
      'no such index [h] and [require_alias] request flag is [true] and [h] is not an alias',
      'if _id is specified it must not be empty',
    ],
  );
});

test('too few active copies are named with the request', async () => {
  const coordinator = fakeCoordinator(ONE_SHARD, acknowledgeAll());
  const answer = jsonOf(
    await coordinator.bulk(
      request('{"index":{"_index":"h","_id":"1"}}\n{}\n', { waitForActiveShards: 2, timeoutMs: 10 }),
      CALL,
    ),
  ) as { items: { index: { status: number; error: { reason: string } } }[] };
  assert.equal(answer.items[0]!.index.status, 503);
  assert.equal(
    answer.items[0]!.index.error.reason,
    '[h][0] Not enough active copies to meet shard count of [2] (have 1, needed 2). Timeout: [10ms], request: ' +
      '[BulkShardRequest [[h][0]] containing [index {[h][1], source[_na_]}]]',
  );
});

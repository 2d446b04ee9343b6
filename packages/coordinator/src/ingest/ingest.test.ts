import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@shoal/errors';
import { coordinator as protocol, shard as messages } from '@shoal/protocol';
import { CALL, failure, fakeCoordinator, jsonOf, stateWith } from '../fake-cluster.js';
import type { BulkRequest } from '../bulk/bulk-request.js';
import { PIECE_OPERATIONS_MAX } from '../bulk/parse-bulk.js';
import type { ClusterState } from '@shoal/state';

const set = (field: string, value: string): unknown => ({ set: { field, value } });

const PIPELINES = {
  mark: { processors: [set('by', '{{by}}m')] },
  final: { processors: [set('by', '{{by}}f')] },
  drop: { processors: [{ drop: {} }] },
  move: { processors: [set('_index', 'other'), set('_id', 'new'), set('_routing', 'r')] },
};

const STATE = stateWith(
  [
    { name: 'plain', shards: [['n1']] },
    { name: 'other', shards: [['n1']], settings: { 'index.final_pipeline': 'final' } },
    {
      name: 'marked',
      shards: [['n1']],
      settings: { 'index.default_pipeline': 'mark', 'index.final_pipeline': 'final' },
    },
  ],
  { customs: new Map([['pipelines', PIPELINES]]) },
);

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

interface Written {
  /** `index/id(routing) source` of what reached a shard. */
  readonly writes: string[];
  readonly answer: { readonly ingest_took?: number; readonly items: Record<string, Record<string, unknown>>[] };
}

async function written(body: string, change: Partial<BulkRequest> = {}, state: ClusterState = STATE): Promise<Written> {
  const writes: string[] = [];
  const coordinator = fakeCoordinator(state, {
    bulk(bulk: messages.BulkShardRequest) {
      for (const item of bulk.items) {
        const source = Buffer.from(bulk.sources.subarray(item.sourceStart, item.sourceEnd)).toString();
        writes.push(`${bulk.indexName}/${item.id}(${item.routing ?? ''}) ${source}`);
      }
      const items = bulk.items.map(() => ({
        outcome: 0,
        version: 1,
        seqNo: 0,
        primaryTerm: 1,
        error: undefined,
        get: undefined,
      }));
      return { items, forcedRefresh: false };
    },
  });
  return { writes, answer: jsonOf(await coordinator.bulk(request(body, change), CALL)) as Written['answer'] };
}

test('the pipelines of request and index run before a document reaches its shard', async () => {
  const lines =
    '{"index":{"_index":"plain","_id":"1"}}\n{ "a":1 }\n{"index":{"_index":"marked","_id":"2"}}\n{}\n' +
    '{"index":{"_index":"marked","_id":"3","pipeline":"_none"}}\n{}\n' +
    '{"create":{"_index":"plain","_id":"4","pipeline":"mark"}}\n{}\n';
  const { writes, answer } = await written(lines, { listsPipelines: true });
  assert.deepEqual(writes.sort(), [
    'marked/2() {"by":"mf"}',
    'marked/3() {"by":"f"}',
    'plain/1() { "a":1 }',
    'plain/4() {"by":"m"}',
  ]);
  assert.equal(answer.ingest_took, 0);
  assert.deepEqual(
    answer.items.map((item) => Object.values(item)[0]!['executed_pipelines']),
    [[], ['mark', 'final'], ['final'], ['mark']],
  );
});

test('a bulk without pipelines does not speak of them', async () => {
  const { answer } = await written('{"index":{"_index":"plain","_id":"1"}}\n{}\n');
  assert.equal(answer.ingest_took, undefined);
});

test('a pipeline sends a document elsewhere, drops it, or is missing; other items are not touched', async () => {
  const lines =
    '{"index":{"_index":"plain","pipeline":"move"}}\n{}\n{"index":{"_index":"plain","pipeline":"drop"}}\n{}\n' +
    '{"index":{"_index":"plain","_id":"3","pipeline":"no"}}\n{}\n{"delete":{"_index":"plain","_id":"4"}}\n';
  const { writes, answer } = await written(lines);
  assert.deepEqual(writes.sort(), ['other/new(r) {"by":"f"}', 'plain/4() ']);
  const [moved, dropped, missing] = answer.items.map((item) => Object.values(item)[0]!);
  assert.equal(moved!['_index'], 'other');
  assert.deepEqual(dropped, {
    _index: 'plain',
    _id: 'auto-generated',
    _version: -3,
    result: 'noop',
    _shards: { total: 0, successful: 0, failed: 0 },
    status: 200,
  });
  assert.equal(missing!['status'], 400);
});

test('an update runs pipelines on the document that it would create', async () => {
  const lines =
    '{"update":{"_index":"marked","_id":"1"}}\n{"doc":{"a":1},"upsert":{"b":2.0}}\n' +
    '{"update":{"_index":"marked","_id":"2"}}\n{"doc":{"a":1},"doc_as_upsert":true}\n' +
    '{"update":{"_index":"marked","_id":"3"}}\n{"doc":{"a":1}}\n' +
    '{"update":{"_index":"plain","_id":"4"}}\n{"doc":{"a":1},"doc_as_upsert":true}\n';
  const { writes } = await written(lines, { pipeline: 'drop' });
  assert.deepEqual(writes.sort(), [
    'marked/2() {"doc":{"a":1,"by":"mf"},"doc_as_upsert":true}',
    'marked/3() {"doc":{"a":1}}',
    'plain/4() {"doc":{"a":1},"doc_as_upsert":true}',
  ]);
  const upsert = await written(lines);
  assert.equal(upsert.writes[0], 'marked/1() {"doc":{"a":1},"upsert":{"b":2.0,"by":"mf"}}');
});

test('templates give the pipelines of an index that is not there yet', async () => {
  const template = {
    indexPatterns: ['new*'],
    template: { settings: { 'index.default_pipeline': 'no' }, mappings: null, aliases: {} },
  };
  const state = { ...STATE, customs: new Map([...STATE.customs, ['indexTemplates', { t: template }]]) };
  const { answer } = await written('{"index":{"_index":"new1"}}\n{}\n', {}, state);
  assert.deepEqual(answer.items[0]!['index']!['error'], {
    type: 'illegal_argument_exception',
    reason: 'pipeline with id [no] does not exist',
  });
});

function nodeWith(roles: readonly string[]): unknown {
  return { id: 'n', roles };
}

test('a node without the role ingest asks one that has it', async () => {
  const nodes = new Map([
    ['n1', nodeWith(['data'])],
    ['n2', nodeWith(['ingest'])],
  ]) as unknown as ClusterState['nodes'];
  const ingesting = fakeCoordinator(STATE, {});
  const asked: string[] = [];
  const writes: string[] = [];
  const coordinator = fakeCoordinator(
    { ...STATE, nodes },
    {
      bulk(bulk) {
        writes.push(Buffer.from(bulk.sources).toString());
        const items = bulk.items.map(() => ({
          outcome: 0,
          version: 1,
          seqNo: 0,
          primaryTerm: 1,
          error: undefined,
          get: undefined,
        }));
        return { items, forcedRefresh: false };
      },
      async other(action, nodeId, payload) {
        asked.push(`${action} ${nodeId}`);
        const { ingest } = protocol.methods;
        const message = ingest.decodeRequest(payload);
        return ingest.encodeAnswer(await ingesting.handlers.ingest(message, CALL.signal));
      },
    },
  );
  const lines =
    '{"index":{"_index":"marked","_id":"1"}}\n{}\n{"index":{"_index":"plain","_id":"2","pipeline":"no"}}\n{}\n' +
    '{"index":{"_index":"plain","_id":"2","pipeline":"drop"}}\n{}\n';
  const answer = jsonOf(await coordinator.bulk(request(lines), CALL)) as Written['answer'];
  assert.deepEqual(asked, ['coordinator/ingest n2']);
  assert.deepEqual(writes, ['{"by":"mf"}']);
  const reason = (answer.items[1]!['index']!['error'] as { reason: string }).reason;
  assert.equal(reason, 'pipeline with id [no] does not exist');
  assert.equal(answer.items[2]!['index']!['result'], 'noop');
});

test('documents that grow beyond the memory for writes are refused, and what they took is freed', async () => {
  let used = 0;
  const coordinator = fakeCoordinator(
    STATE,
    {
      bulk(bulk) {
        const items = bulk.items.map(() => ({
          outcome: 0,
          version: 1,
          seqNo: 0,
          primaryTerm: 1,
          error: undefined,
          get: undefined,
        }));
        return { items, forcedRefresh: false };
      },
    },
    undefined,
    {
      takeWrite(bytes) {
        if (bytes === 17) throw errors.rejectedExecution('no room');
        used += bytes;
        return () => void (used -= bytes);
      },
    },
  );
  const lines =
    '{"index":{"_index":"marked","_id":"1"}}\n{}\n{"index":{"_index":"plain","_id":"2","pipeline":"mark"}}\n{}\n' +
    '{"index":{"_index":"plain","_id":"3"}}\n{}\n';
  const refused = jsonOf(await coordinator.bulk(request(lines), CALL)) as Written['answer'];
  assert.deepEqual(
    refused.items.map(({ index }) => index!['status']),
    [429, 429, 201],
  );
  await coordinator.bulk(request('{"index":{"_index":"marked","_id":"1"}}\n{}\n'), CALL);
  assert.equal(used, 0);
});

test('without any node of the role the bulk fails', async () => {
  const nodes = new Map([['n1', nodeWith(['data'])]]) as unknown as ClusterState['nodes'];
  const coordinator = fakeCoordinator({ ...STATE, nodes }, {});
  const error = await failure(() => coordinator.bulk(request('{"index":{"_index":"marked"}}\n{}\n'), CALL));
  assert.match(error.reason ?? '', /^There are no ingest nodes in this cluster/);
});

test('a node that dies between the pieces of a bulk fails the documents of its piece only', async () => {
  const nodes = new Map([
    ['n1', nodeWith(['data'])],
    ['n2', nodeWith(['ingest'])],
  ]) as unknown as ClusterState['nodes'];
  const ingesting = fakeCoordinator(STATE, {});
  let asked = 0;
  const coordinator = fakeCoordinator(
    { ...STATE, nodes },
    {
      bulk: (bulk) => ({
        items: bulk.items.map(() => ({
          outcome: 0,
          version: 1,
          seqNo: 0,
          primaryTerm: 1,
          error: undefined,
          get: undefined,
        })),
        forcedRefresh: false,
      }),
      async other(_action, _nodeId, payload) {
        if (asked++ > 0) throw errors.nodeDisconnected('n2 has gone');
        const { ingest } = protocol.methods;
        return ingest.encodeAnswer(await ingesting.handlers.ingest(ingest.decodeRequest(payload), CALL.signal));
      },
    },
  );
  const count = PIECE_OPERATIONS_MAX + 3;
  const answer = await coordinator.bulk(request('{"index":{"_index":"marked"}}\n{"by":"c"}\n'.repeat(count)), CALL);
  const { items } = jsonOf(answer) as Written['answer'];
  const failed = items.filter((item) => 'error' in item['index']!);
  assert.deepEqual([items.length, failed.length], [count, 3]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@shoal/errors';
import { errorMessage, shard as messages } from '@shoal/protocol';
import type { ClusterState } from '@shoal/state';
import type { BulkRequest } from '../bulk/bulk-request.js';
import { CALL, fakeCoordinator, type FakeIndex, jsonOf, stateWith } from '../fake-cluster.js';

const ON = { 'index.shoal.quarantine': 'true' };
const LOGS: FakeIndex = { name: 'logs', shards: [['n1']], settings: ON };
const PLAIN: FakeIndex = { name: 'plain', shards: [['n1']] };
const KEPT: FakeIndex = {
  name: '.quarantine-logs-000001',
  shards: [['n1']],
  aliases: { '.quarantine-logs': { isWriteIndex: true, isHidden: true } },
};
const PIPELINES = { fails: { processors: [{ fail: { message: 'no', tag: 't' } }] } };
const withPipelines = (indices: readonly FakeIndex[]): ClusterState =>
  stateWith(indices, { customs: new Map([['pipelines', PIPELINES]]) });

interface Entry {
  readonly document: Record<string, unknown>;
  readonly error: Record<string, unknown>;
}

/** A cluster whose shards refuse sources that say `bad`, and answer conflicts to those that say `conflict`. */
function cluster(state = withPipelines([LOGS, PLAIN, KEPT]), refusesEntries: string | null = null) {
  const entries: Entry[] = [];
  const tasks: [string, unknown][] = [];
  const bulk = (request: messages.BulkShardRequest): messages.BulkShardResponse => {
    const isEntry = request.indexName.startsWith('.quarantine');
    const items = request.items.map((item, seqNo) => {
      const source = Buffer.from(request.sources.subarray(item.sourceStart, item.sourceEnd)).toString();
      const failure = failureOf(source, isEntry, refusesEntries);
      if (failure) return { outcome: 5, version: 0, seqNo: 0, primaryTerm: 0, error: errorMessage(failure) };
      if (isEntry) entries.push(JSON.parse(source) as Entry);
      return { outcome: 0, version: 1, seqNo, primaryTerm: 1 };
    });
    return { items, forcedRefresh: false } as messages.BulkShardResponse;
  };
  const onTask = (task: string, body: unknown, now: ClusterState): ClusterState => {
    tasks.push([task, body]);
    return task === 'create-index' ? { ...now, ...withPipelines([LOGS, PLAIN, KEPT]), version: now.version + 1 } : now;
  };
  return { coordinator: fakeCoordinator(state, { bulk }, onTask), entries, tasks };
}

function failureOf(source: string, isEntry: boolean, refusesEntries: string | null) {
  if (!isEntry && source.includes('bad')) return errors.documentParsing('failed to parse');
  if (!isEntry && source.includes('conflict')) return errors.versionConflict('already exists');
  if (isEntry && refusesEntries !== null && source.includes(refusesEntries)) return errors.documentParsing('too deep');
  return null;
}

function request(lines: readonly unknown[], change: Partial<BulkRequest> = {}): BulkRequest {
  return {
    body: Buffer.from(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')),
    index: null,
    routing: null,
    pipeline: null,
    requireAlias: null,
    updateSource: undefined,
    listsPipelines: false,
    allowType: false,
    refresh: 'none',
    timeoutMs: 1000,
    waitForActiveShards: null,
    ...change,
  };
}

type Answer = { errors: boolean; items: Record<string, { status: number; quarantined?: { _index: string } }>[] };

async function run(given: ReturnType<typeof cluster>, lines: readonly unknown[], change: Partial<BulkRequest> = {}) {
  const answer = jsonOf(await given.coordinator.bulk(request(lines, change), CALL)) as Answer;
  const items = answer.items.map((item) => Object.values(item)[0]!);
  return { errors: answer.errors, items, kept: items.map(({ quarantined }) => quarantined?._index ?? null) };
}

const to = (index: string, pipeline?: string): unknown => ({
  index: { _index: index, ...(pipeline ? { pipeline } : {}) },
});
const IN = '.quarantine-logs-000001';

test('items that mapping or pipeline refuse are kept and say where; others are as they were', async () => {
  const given = cluster();
  const lines = [
    to('logs'),
    { n: 1 },
    to('logs'),
    { n: 'bad' },
    to('logs', 'fails'),
    { n: 2 },
    to('logs'),
    { n: 'conflict' },
  ];
  const { errors: hasErrors, items, kept } = await run(given, [...lines, to('plain'), { n: 'bad' }]);
  assert.equal(hasErrors, true);
  assert.deepEqual(kept, [null, IN, IN, null, null]);
  assert.deepEqual(
    items.map(({ status }) => status),
    [201, 400, 500, 409, 400],
  );
  assert.deepEqual(
    given.entries.map(({ document, error }) => [document['source'], error['stage'], error['processor_tag'] ?? null]),
    [
      [{ n: 2 }, 'pipeline', 't'],
      [{ n: 'bad' }, 'mapping', null],
    ],
  );
  assert.deepEqual(given.coordinator.quarantine.stats(), { kept: 2, lost: 0, replayed: 0 });
});

test('a request says more than the setting of an index', async () => {
  const lines = [to('logs'), { n: 'bad' }, to('plain'), { n: 'bad' }];
  assert.deepEqual((await run(cluster(), lines, { quarantine: false })).kept, [null, null]);
  const asked = cluster(withPipelines([LOGS, PLAIN, KEPT]));
  await run(asked, lines, { quarantine: true });
  const [name, body] = asked.tasks[0]!;
  assert.equal(name, 'create-index');
  assert.equal((body as { name: string }).name, '.quarantine-plain-000001');
});

test('the index of a quarantine is made with the first document; nothing is made without one', async () => {
  const given = cluster(withPipelines([LOGS, PLAIN]));
  await run(given, [to('logs'), { n: 1 }]);
  assert.equal(given.tasks.length, 0);
  assert.deepEqual((await run(given, [to('logs'), { n: 'bad' }])).kept, [IN]);
  const [, body] = given.tasks[0] as [string, { body: { aliases: unknown; settings: Record<string, string> } }];
  assert.deepEqual(body.body.aliases, { '.quarantine-logs': { is_write_index: true, is_hidden: true } });
  assert.equal(body.body.settings['index.hidden'], 'true');
});

test('an entry that its index refuses is kept with its source as text', async () => {
  const given = cluster(undefined, '"source":');
  assert.deepEqual((await run(given, [to('logs'), { n: 'bad' }])).kept, [IN]);
  assert.equal(given.entries[0]!.document['raw'], '{"n":"bad"}');
});

test('a document that cannot be kept changes nothing of the answer, and counts', async () => {
  const [broken, plain] = [cluster(undefined, 'bad'), cluster()];
  const lines = [to('logs'), { n: 'bad' }];
  const { items, errors: hasErrors } = await run(broken, lines);
  assert.deepEqual(
    { items, hasErrors },
    {
      items: (await run(plain, lines, { quarantine: false })).items.map((item, i) => ({
        ...item,
        _id: (items[i] as unknown as { _id: string })._id,
      })),
      hasErrors: true,
    },
  );
  assert.deepEqual(broken.coordinator.quarantine.stats(), { kept: 0, lost: 1, replayed: 0 });
});

test('with the answer created, kept items are no errors; items that are not kept still are', async () => {
  const created = { persistentSettings: { 'shoal.quarantine.answer': 'created' } };
  const given = cluster({ ...withPipelines([LOGS, PLAIN, KEPT]), ...created });
  const first = await run(given, [to('logs'), { n: 'bad' }]);
  assert.deepEqual([first.errors, first.items[0]!.status, first.kept], [false, 201, [IN]]);
  assert.equal((await run(given, [to('logs'), { n: 'bad' }, to('plain'), { n: 'bad' }])).errors, true);
});

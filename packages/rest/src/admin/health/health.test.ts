import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClusterState, emptyState, type IndexMetadata, type NodeInfo, type ShardRouting } from '@shoal/state';
import type { Services } from '../../services.js';
import { dataStreamLifecycle } from './data-stream-lifecycle.js';
import { disk } from './disk.js';
import { type HealthFacts, type Indicator, indicationJson } from './indicator.js';
import { masterIsStable } from './master-is-stable.js';
import { shardsCapacity } from './shards-capacity.js';

const nodeOf = (id: string, roles: readonly string[]) => ({ id, name: id, roles }) as unknown as NodeInfo;

interface Given {
  readonly nodes: readonly NodeInfo[];
  /** Free bytes of each node's disk of 1000 bytes. */
  readonly free?: Readonly<Record<string, number>>;
  /** By index: the node of its only shard. */
  readonly indices?: Readonly<Record<string, string>>;
  readonly blocked?: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
  /** Names of the masters in order; the last one is the present master. */
  readonly masters?: readonly (string | null)[];
  readonly streamFailures?: HealthFacts['streamFailures'];
}

function report(
  name: string,
  indicator: Indicator,
  { nodes, free = {}, indices = {}, blocked = [], settings = {}, masters = [], streamFailures = {} }: Given,
  verbose = true,
) {
  const metas = Object.keys(indices).map(
    (index) =>
      ({
        name: index,
        uuid: index,
        state: 'open',
        numberOfShards: 1,
        numberOfReplicas: 0,
        settings: blocked.includes(index) ? { 'index.blocks.read_only_allow_delete': 'true' } : {},
      }) as unknown as IndexMetadata,
  );
  const state: ClusterState = {
    ...emptyState(),
    nodes: new Map(nodes.map((node) => [node.id, node])),
    indices: new Map(metas.map((meta) => [meta.uuid, meta])),
    routing: new Map(Object.entries(indices).map(([index, nodeId]) => [index, [[{ nodeId } as ShardRouting]]])),
    persistentSettings: settings,
    masterNodeId: masters.at(-1) ?? null,
  };
  const services = {
    cluster: {
      state: () => state,
      recentMasters: () => masters.map((name) => nodes.find(({ id }) => id === name) ?? null),
    },
    node: { settings: {} },
  } as unknown as Services;
  const reports = nodes
    .filter(({ id }) => free[id] !== undefined)
    .map((node) => ({ node, json: { fs: { total: { total_in_bytes: 1000, available_in_bytes: free[node.id] } } } }));
  return indicationJson(
    name,
    indicator({ services, reports, streamFailures } as unknown as HealthFacts),
    verbose,
    1000,
  ) as {
    status: string;
    symptom: string;
    details?: Record<string, unknown>;
    impacts?: { id: string; severity: number; description: string }[];
    diagnosis?: { id: string; cause: string; affected_resources?: Record<string, unknown> }[];
  };
}

const ALL = ['data', 'ingest', 'master'];
const lastOf = (id: string): string => id.split(':').at(-1)!;

test('a node over the high watermark endangers its indices, the master on it and what else it does', () => {
  const { status, symptom, impacts, diagnosis } = report('disk', disk, {
    nodes: [nodeOf('a', ALL), nodeOf('b', ALL)],
    free: { a: 80, b: 900 },
    indices: { i1: 'a', i2: 'b' },
  });
  assert.equal(status, 'yellow');
  assert.equal(symptom, '1 node with roles: [data, ingest, master] is out of disk or running low on disk space.');
  assert.deepEqual(
    impacts!.map(({ id, severity, description }) => [lastOf(id), severity, description]),
    [
      [
        'ingest_capability_at_risk',
        1,
        'The cluster is at risk of not being able to insert or update documents in the affected indices [i1].',
      ],
      ['cluster_stability_at_risk', 1, 'Cluster stability might be impaired.'],
      [
        'ingest_capability_at_risk',
        2,
        '1 node is out of disk or running low on disk space. this node cannot be used to store data anymore.',
      ],
    ],
  );
  assert.equal(
    diagnosis![0]!.cause,
    '1 index resides on nodes that have run or are likely to run out of disk space, this can temporarily disable ' +
      'writing on this index.',
  );
  assert.deepEqual(diagnosis![0]!.affected_resources, { nodes: [{ id: 'a', name: 'a' }], indices: ['i1'] });
});

test('a block that is still on after there is room again is red until it goes', () => {
  const { status, symptom, impacts } = report('disk', disk, {
    nodes: [nodeOf('a', ALL)],
    free: { a: 900 },
    indices: { i1: 'a' },
    blocked: ['i1'],
  });
  assert.deepEqual(
    [status, symptom],
    [
      'red',
      '1 index is not allowed to be updated. The cluster is recovering and ingest capabilities should be restored ' +
        'within a few minutes.',
    ],
  );
  assert.deepEqual(
    impacts!.map(({ id }) => lastOf(id)),
    ['ingest_capability_unavailable'],
  );
});

test('a full node without data is told of as a master or as what it is', () => {
  const { status, diagnosis } = report('disk', disk, {
    nodes: [nodeOf('m', ['master']), nodeOf('i', ['ingest'])],
    free: { m: 10, i: 10 },
  });
  assert.equal(status, 'red');
  assert.deepEqual(
    diagnosis!.map(({ id, cause }) => [lastOf(id), cause]),
    [
      ['add_disk_capacity_master_nodes', 'Disk is almost full.'],
      ['add_disk_capacity', 'Disk is almost full.'],
    ],
  );
});

test('a node that does not tell of its disk is unknown', () => {
  assert.deepEqual(report('disk', disk, { nodes: [nodeOf('a', ALL)] }, false), {
    status: 'unknown',
    symptom: 'No disk usage data available for 1 node.',
  });
});

test('room for less than five primaries with a replica is red, for less than ten yellow', () => {
  const statuses = [10, 11, 20, 21].map(
    (max) =>
      report('shards_capacity', shardsCapacity, {
        nodes: [nodeOf('a', ALL)],
        indices: { i: 'a' },
        settings: { 'cluster.max_shards_per_node': String(max) },
      }).status,
  );
  assert.deepEqual(statuses, ['red', 'yellow', 'yellow', 'green']);
});

test('the room for shards is shown without being asked for, the diagnosis is not', () => {
  const given: Given = {
    nodes: [nodeOf('a', [...ALL, 'data_frozen'])],
    settings: { 'cluster.max_shards_per_node': '4', 'cluster.max_shards_per_node.frozen': '3' },
  };
  const { symptom, details, diagnosis } = report('shards_capacity', shardsCapacity, given, false);
  assert.equal(
    symptom,
    'Cluster is close to reaching the configured maximum number of shards for data and frozen nodes.',
  );
  assert.deepEqual(details, {
    data: { max_shards_in_cluster: 4, current_used_shards: 0 },
    frozen: { max_shards_in_cluster: 3, current_used_shards: 0 },
  });
  assert.equal(diagnosis, undefined);
  assert.deepEqual(
    report('shards_capacity', shardsCapacity, given).diagnosis!.map((one) => [
      lastOf(one.id),
      'affected_resources' in one,
    ]),
    [
      ['increase_max_shards_per_node', false],
      ['increase_max_shards_per_node_frozen', false],
    ],
  );
});

test('a master that changed four times, or was lost four times, in half an hour is not stable', () => {
  const nodes = [nodeOf('a', ALL), nodeOf('b', ALL)];
  const told = (masters: readonly (string | null)[]) => report('master_is_stable', masterIsStable, { nodes, masters });
  assert.equal(told([null, 'a', null, 'b', 'a', 'b']).status, 'green');
  const { status, symptom, details, diagnosis } = told(['a', 'b', 'a', null, 'b', 'a']);
  assert.deepEqual([status, symptom], ['yellow', 'The elected master node has changed 4 times in the last 30m']);
  assert.deepEqual(details!['current_master'], { node_id: 'a', name: 'a' });
  assert.deepEqual(
    (details!['recent_masters'] as { name: string }[]).map(({ name }) => name),
    ['a', 'b', 'a', 'b', 'a'],
  );
  assert.equal(lastOf(diagnosis![0]!.id), 'contact_support');
  assert.equal(
    told(['a', null, 'a', null, 'a', null, 'a', null, 'a']).symptom,
    "The cluster's master has alternated between [a] and no master multiple times in the last 30m",
  );
  assert.equal(told(['a', null]).status, 'red');
});

test('an index at which the lifecycle of its data stream failed again and again is yellow', () => {
  const told = (retries: number, settings = {}) => {
    const failure = { message: '{}', firstMs: 5, lastMs: 9, retries };
    const given = { nodes: [], indices: { i: 'a', j: 'a' }, settings };
    return report('data_stream_lifecycle', dataStreamLifecycle, {
      ...given,
      streamFailures: { i: failure, j: { ...failure, retries: 0 } },
    });
  };
  assert.deepEqual(
    [told(9).status, told(9).details],
    ['green', { stagnating_backing_indices_count: 0, total_backing_indices_in_error: 2 }],
  );
  const { status, symptom, details, diagnosis } = told(10);
  assert.deepEqual(
    [status, symptom],
    ['yellow', 'A backing index has repeatedly encountered errors whilst trying to advance in its lifecycle'],
  );
  assert.deepEqual(details!['stagnating_backing_indices'], [
    { index_name: 'i', first_occurrence_timestamp: 5, retry_count: 10 },
  ]);
  assert.deepEqual([lastOf(diagnosis![0]!.id), diagnosis!.length], ['stagnating_dsl_backing_index', 1]);
  assert.equal(told(3, { 'data_streams.lifecycle.signalling.error_retry_interval': '3' }).status, 'yellow');
  const unknown = { nodes: [], streamFailures: null };
  assert.equal(report('data_stream_lifecycle', dataStreamLifecycle, unknown).status, 'unknown');
});

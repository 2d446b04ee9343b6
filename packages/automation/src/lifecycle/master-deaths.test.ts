import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterService } from '@shoal/cluster';
import { TestCluster, testNode } from '@shoal/cluster/testing';
import { type Coordinator, mountSettings, type SnapshotInfo } from '@shoal/coordinator';
import { fakeClock, silentLog } from '@shoal/doors';
import { EVERYBODY } from '@shoal/security';
import { type LifecyclePolicy, nameIndex, snapshotInUse } from '@shoal/state';
import { IndexLifecycleRunner, type LifecycleDoors } from './index-lifecycle-runner.js';
import { parsePolicy } from './parse-policy.js';

const DAY_MS = 86_400_000;
const POLICY = parsePolicy({
  policy: {
    phases: {
      hot: { actions: { set_priority: { priority: 100 }, rollover: { max_docs: 5 } } },
      warm: {
        min_age: '1d',
        actions: {
          readonly: {},
          allocate: { number_of_replicas: 0 },
          shrink: { number_of_shards: 1 },
          forcemerge: { max_num_segments: 1 },
        },
      },
      delete: { min_age: '3d', actions: { delete: {} } },
    },
  },
});

const MOUNTING = parsePolicy({
  policy: {
    phases: {
      hot: { actions: { rollover: { max_docs: 5 } } },
      cold: { min_age: '1d', actions: { searchable_snapshot: { snapshot_repository: 'r' } } },
      frozen: { min_age: '2d', actions: { searchable_snapshot: { snapshot_repository: 'r' } } },
      delete: { min_age: '3d', actions: { delete: {} } },
    },
  },
});

const settle = async (): Promise<void> => {
  for (let i = 0; i < 8; i++) await new Promise((resolve) => void setImmediate(resolve));
};

/** When the master dies: before a task of it is applied, or after that and before it learns so. */
interface Death {
  readonly task: number;
  readonly when: 'before' | 'after';
}

/** A cluster of three nodes with one index under the policy, and the master of the moment. */
class World {
  readonly cluster = new TestCluster(['n1', 'n2', 'n3'].map((id) => testNode(id)));
  readonly #clock = fakeClock();
  readonly #death: Death | null;
  tasks = 0;
  /** Milliseconds of a clock by which each look is a poll. */
  #monotonicMs = 0;
  #lives = 0;
  /** Names of the snapshots in the repository. */
  readonly snapshots = new Map<string, SnapshotInfo>();
  #runner = this.#elect();

  constructor(death: Death | null, policy: LifecyclePolicy) {
    this.#death = death;
    this.cluster.run('put-lifecycle-policy', { name: 'p', policy, authentication: null });
    this.cluster.run('put-entry', { section: 'repositories', name: 'r', value: { type: 'fs', settings: {} } });
    this.cluster.run('create-index', {
      name: 'logs-000001',
      body: {
        settings: {
          number_of_shards: 2,
          number_of_replicas: 1,
          'lifecycle.name': 'p',
          'lifecycle.rollover_alias': 'logs',
        },
        aliases: { logs: { is_write_index: true } },
      },
    });
    this.cluster.settle();
  }

  /** A master that lives until its death. What it still does after that reaches nobody. */
  #elect(): IndexLifecycleRunner {
    const life = ++this.#lives;
    /** Does what changes the cluster or the repository, unless the master is dead or dies of it. */
    const change = async <T>(work: () => T): Promise<T> => {
      if (life !== this.#lives) throw new Error('this master is dead');
      const dies = this.tasks++ === this.#death?.task ? this.#death.when : null;
      if (dies === 'before') return this.#die();
      const answer = work();
      this.cluster.settle();
      return dies === 'after' ? this.#die() : answer;
    };
    const submit = (task: string, body: unknown): Promise<unknown> => change(() => this.cluster.run(task, body));
    const waitFor = async (): Promise<void> => new Promise(() => undefined);
    return new IndexLifecycleRunner({
      cluster: { state: () => this.cluster.state, submit, waitFor } as unknown as ClusterService,
      snapshots: this.#snapshotsOf(change),
      placeOf: (repository) => ({ repository, folder: '/r' }),
      coordinator: {
        broadcast: async (metas: readonly { uuid: string }[]) => this.#measure(metas),
      } as unknown as Coordinator,
      downsample: () => Promise.resolve(),
      nodeId: 'n1',
      clock: { ...this.#clock, now: () => this.cluster.nowMs, monotonic: () => (this.#monotonicMs += DAY_MS) },
      log: silentLog,
      authorOf: () => EVERYBODY,
    });
  }

  #snapshotsOf(change: <T>(work: () => T) => Promise<T>): LifecycleDoors['snapshots'] {
    return {
      list: async () => [...this.snapshots.values()],
      create: (_place, { name, indices, metadata }) =>
        change(() => {
          assert.ok(!this.snapshots.has(name));
          const info = {
            name,
            uuid: name,
            state: 'SUCCESS',
            indices,
            failures: [],
            metadata,
          } as unknown as SnapshotInfo;
          this.snapshots.set(name, info);
          return info;
        }),
      restore: (_place, info, [restored]) =>
        change(() => {
          const { from, name, settings, aliases, mount } = restored!;
          const mounted = mountSettings('r', info, from, mount!.isPartial);
          const restoredFrom = {
            repository: 'r',
            snapshot: info.name,
            index: from.name,
            folder: '/r',
            files: [['f'], ['f']],
            bytes: [1, 1],
          };
          const body = {
            name,
            settings,
            mapping: from.mapping,
            aliases,
            routingShards: 1024,
            restoredFrom,
            mount: mounted,
          };
          this.cluster.run('restore-index', body);
          return { total: 2, failed: 0 };
        }),
      delete: (place, infos, besides) =>
        change(() => {
          const inUse = snapshotInUse(
            this.cluster.state,
            place.repository,
            new Set(infos.map(({ uuid }) => uuid)),
            besides,
          );
          if (inUse) throw inUse;
          for (const { name } of infos) this.snapshots.delete(name);
        }),
    };
  }

  #die(): never {
    this.#runner.close();
    this.#runner = this.#elect();
    throw new Error('the master has died');
  }

  #measure(metas: readonly { readonly uuid: string }[]): unknown {
    const shards = metas.flatMap(({ uuid }) =>
      (this.cluster.state.routing.get(uuid) ?? []).flat().map(({ shard, primary }) => ({
        indexUuid: uuid,
        shard,
        primary,
        body: { docs: { count: 5, deleted: 0 }, store: { size_in_bytes: 100 } },
      })),
    );
    return { shards, failures: [] };
  }

  /** Looks until nothing changes. Whatever happens, the documents are in the index or in its shrunken copy. */
  async run(): Promise<void> {
    for (let still = 0; still < 3; ) {
      const before = this.cluster.state;
      await this.#runner.look();
      await settle();
      this.cluster.settle();
      this.cluster.nowMs += 1000;
      still = this.cluster.state.indices === before.indices ? still + 1 : 0;
    }
  }

  get names(): string[] {
    return [...nameIndex(this.cluster.state).keys()].map((name) => name.replace(/^shrink-....-/, 'shrunken ')).sort();
  }

  /** Steps of the indices, by name. */
  get steps(): string[] {
    const metas = [...this.cluster.state.indices.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return metas.map(({ lifecycle }) => `${lifecycle?.phase}/${lifecycle?.action}/${lifecycle?.step}`);
  }
}

/** Runs the policy to its end, and tells what is there on the way. */
async function life(death: Death | null, policy = POLICY): Promise<{ world: World; seen: unknown[] }> {
  const world = new World(death, policy);
  const seen: unknown[] = [];
  for (const days of [0, 1, 1, 1.5]) {
    world.cluster.nowMs += days * DAY_MS;
    await world.run();
    seen.push([world.names, world.steps, world.snapshots.size]);
  }
  return { world, seen };
}

test('a policy rolls over, shrinks and deletes', async () => {
  const world = new World(null, POLICY);
  await world.run();
  assert.ok(world.names.includes('logs-000002'));
  assert.ok(!world.steps.some((step) => step.includes('ERROR')), world.steps.join());
  assert.equal(world.steps[0], 'hot/complete/complete');
});

test('a master that dies at any task leaves nothing half done, and the next one comes to the same end', async () => {
  const { world, seen } = await life(null);
  assert.ok(world.tasks > 20);
  for (let task = 0; task < world.tasks; task++)
    for (const when of ['before', 'after'] as const) {
      const other = await life({ task, when });
      assert.deepEqual(other.seen, seen, `death ${when} task ${task}`);
    }
});

test('a policy mounts an index in full, then through the cache, and deletes it with its snapshot', async () => {
  const { world, seen } = await life(null, MOUNTING);
  const names = seen.map((one) => (one as [string[]])[0].filter((name) => name.endsWith('logs-000001')));
  assert.deepEqual(names, [['logs-000001'], ['restored-logs-000001'], ['partial-logs-000001'], []]);
  assert.deepEqual(
    seen.map((one) => (one as [unknown, unknown, number])[2]),
    [0, 1, 1, 0],
  );
  assert.ok(!world.steps.some((step) => step.includes('ERROR')), world.steps.join());
  for (let task = 0; task < world.tasks; task++)
    for (const when of ['before', 'after'] as const)
      assert.deepEqual((await life({ task, when }, MOUNTING)).seen, seen, `death ${when} task ${task}`);
});

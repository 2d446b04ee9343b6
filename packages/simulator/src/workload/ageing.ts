import { parsePolicy, parseSnapshotPolicy } from '@shoal/automation';
import type { SnapshotInfo } from '@shoal/coordinator';
import { isApiError } from '@shoal/errors';
import type { AssembledNode } from '@shoal/node';
import { REPOSITORY } from '../cluster/repository.js';
import type { SimulatedNode } from '../cluster/simulated-node.js';
import type { World } from '../cluster/world.js';
import type { AgeingAct } from '../plan/plan.js';
import { callOf } from './enter.js';

/** Data streams under lifecycle policies of the same names: what one of them takes stays, the other one deletes it. */
export const KEPT = 'kept';
export const GONE = 'gone';
/** The policy that takes snapshots by a schedule. */
export const SCHEDULED = 'scheduled';
const STREAMS = [KEPT, GONE];
const TIMEOUT_MS = 20_000;
const DOCUMENTS_MAX = 4;
/** Names of the snapshots that clients take and clone, which clients delete. */
const OF_CLIENTS = /^[sc]\d+$/;
const SETTINGS = { 'indices.lifecycle.poll_interval': '1s', 'slm.retention_schedule': '0/5 * * * * ?' };

/** Clients of indices that age: they write to data streams, and take, clone, restore and delete snapshots. */
export class Ageing {
  readonly #world: World;
  /** Ids of documents, by stream: those that were sent, and those of them that were acknowledged. */
  readonly sent = new Map(STREAMS.map((stream) => [stream, new Set<string>()]));
  readonly acked = new Map(STREAMS.map((stream) => [stream, new Set<string>()]));
  /** Whether policies, templates and streams are there. */
  isMade = false;
  #steps = 0;
  #isMaking = false;
  #names = 0;

  constructor(world: World) {
    this.#world = world;
  }

  do(node: SimulatedNode, act: AgeingAct, which: number): void {
    const running = node.running!;
    if (!this.isMade) {
      if (this.#isMaking) return;
      this.#isMaking = true;
      void this.#tried('make', () => this.#make(running)).finally(() => (this.#isMaking = false));
      return;
    }
    void this.#tried(act, () => this.#act(running, act, which));
  }

  async #tried(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isApiError(error))
        this.#world.violate('exception', `ageing ${what}: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }

  #act(running: AssembledNode, act: AgeingAct, which: number): Promise<unknown> {
    if (act === 'write') return this.#write(running, which);
    if (act === 'clean') return running.snapshots.cleanup(REPOSITORY);
    if (act === 'execute') return atMaster(running, 'slm-execute', { id: SCHEDULED });
    if (act === 'retain') return atMaster(running, 'slm-execute-retention', null);
    return this.#onSnapshot(running, act, which);
  }

  async #onSnapshot(
    { snapshots, cluster }: AssembledNode,
    act: Extract<AgeingAct, 'delete' | 'clone' | 'restore'>,
    which: number,
  ): Promise<void> {
    const all = await snapshots.list(REPOSITORY);
    // A snapshot that runs may be deleted, which ends it.
    const some =
      act === 'delete'
        ? all.filter(({ name, state }) => OF_CLIENTS.test(name) && (state === 'SUCCESS' || state === 'IN_PROGRESS'))
        : all.filter(({ state }) => state === 'SUCCESS');
    const info = some[Math.floor(which * some.length)];
    if (info === undefined) return;
    if (act === 'delete') {
      this.#world.snapshots.doomed.add(info.name);
      await snapshots.delete(REPOSITORY, [info]);
    } else if (act === 'clone') await snapshots.clone(REPOSITORY, info, `c${this.#names++}`, info.indices);
    else await this.#restore({ snapshots, cluster }, info);
  }

  /** Restores an index of a snapshot under another name, and deletes it again. */
  async #restore({ snapshots, cluster }: Pick<AssembledNode, 'snapshots' | 'cluster'>, info: SnapshotInfo) {
    const [from] = info.indices;
    if (from === undefined) return;
    const name = `again-${this.#names++}`;
    const settings = Object.fromEntries(
      Object.entries(from.settings).filter(([key]) => !/^index\.(lifecycle|store)/.test(key)),
    );
    await snapshots.restore(REPOSITORY, info, [{ from, name, settings, aliases: {} }]);
    const uuid = [...cluster.state().indices.values()].find((meta) => meta.name === name)?.uuid;
    if (uuid !== undefined) await cluster.submit('delete-index', { uuids: [uuid] }, { timeoutMs: TIMEOUT_MS });
  }

  async #write({ coordinator }: AssembledNode, which: number): Promise<void> {
    const stream = STREAMS[Math.floor(which * STREAMS.length)]!;
    const count = 1 + (Math.floor(which * 1000) % DOCUMENTS_MAX);
    const ids = Array.from({ length: count }, () => `a${this.#names++}`);
    for (const id of ids) this.sent.get(stream)!.add(id);
    const lines = ids.map((_id) => `{"create":{"_id":"${_id}"}}\n{"@timestamp":"2026-01-01T00:00:00Z","n":1}\n`);
    const options = { routing: null, pipeline: null, requireAlias: null, updateSource: null } as const;
    const { chunks } = await coordinator.bulk(
      {
        ...{ body: Buffer.from(lines.join('')), index: stream, ...options, listsPipelines: false, allowType: false },
        ...{ refresh: 'none', timeoutMs: TIMEOUT_MS, waitForActiveShards: null },
      },
      callOf(),
    );
    const { items } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
      items: { create: { _id: string; status: number } }[];
    };
    for (const { create } of items) if (create.status === 201) this.acked.get(stream)!.add(create._id);
  }

  /** Makes what is not there yet of settings, repository, policies, templates and streams. */
  async #make({ cluster }: AssembledNode): Promise<void> {
    const submit = (task: string, body: unknown) => cluster.submit(task, body, { timeoutMs: TIMEOUT_MS });
    const random = this.#world.randomFor('ageing policies');
    const [hasShrink, hasMount, isPartial] = [random.next() < 0.6, random.next() < 0.7, random.next() < 0.3];
    const policyOf = (stream: string) => ({
      name: stream,
      policy: lifecycleOf({ hasShrink, hasMount, isPartial, deletes: stream === GONE }),
      authentication: null,
    });
    const steps = [
      () => submit('cluster-settings', { persistent: SETTINGS, transient: {} }),
      () => submit('put-entry', { section: 'repositories', name: REPOSITORY.repository, value: REGISTERED }),
      ...STREAMS.flatMap((stream) => [
        () => submit('put-lifecycle-policy', policyOf(stream)),
        () => submit('put-index-template', { name: stream, body: templateOf(stream) }),
        () => submit('create-data-stream', { name: stream }),
      ]),
      () => submit('put-snapshot-policy', { id: SCHEDULED, policy: schedule(), authentication: null }),
    ];
    while (this.#steps < steps.length) {
      await steps[this.#steps]!().catch((error: unknown) => {
        if (!isApiError(error) || error.type !== 'resource_already_exists_exception') throw error;
      });
      this.#steps++;
    }
    this.isMade = true;
  }
}

const REGISTERED = { type: 'fs', settings: { location: REPOSITORY.location } };

const schedule = () =>
  parseSnapshotPolicy(
    SCHEDULED,
    {
      schedule: '0/3 * * * * ?',
      name: '<scheduled-{now/d}>',
      repository: REPOSITORY.repository,
      config: { indices: STREAMS, include_global_state: true, partial: true },
      retention: { max_count: 2 },
    },
    { nowMs: 0, minimumInterval: '1s' },
  );

interface Phases {
  readonly hasShrink: boolean;
  readonly hasMount: boolean;
  readonly isPartial: boolean;
  readonly deletes: boolean;
}

function lifecycleOf({ hasShrink, hasMount, isPartial, deletes }: Phases) {
  const mount = { searchable_snapshot: { snapshot_repository: REPOSITORY.repository } };
  const shrink = hasShrink ? { shrink: { number_of_shards: 1 } } : {};
  return parsePolicy({
    policy: {
      phases: {
        hot: { actions: { rollover: { max_docs: 6 } } },
        warm: { min_age: '500ms', actions: { readonly: {}, ...shrink, forcemerge: { max_num_segments: 1 } } },
        ...(hasMount ? { [isPartial ? 'frozen' : 'cold']: { min_age: '1s', actions: mount } } : {}),
        ...(deletes ? { delete: { min_age: '5s', actions: { delete: {} } } } : {}),
      },
    },
  });
}

const templateOf = (stream: string) => ({
  index_patterns: [stream],
  data_stream: {},
  template: {
    settings: {
      number_of_shards: 2,
      number_of_replicas: 1,
      'index.lifecycle.name': stream,
      'index.unassigned.node_left.delayed_timeout': '2s',
    },
    mappings: { properties: { n: { type: 'long' } } },
  },
});

async function atMaster({ cluster, coordinator }: AssembledNode, action: string, body: unknown): Promise<void> {
  const { masterNodeId } = cluster.state();
  if (masterNodeId === null) return;
  const [answer] = await coordinator.callNodes([masterNodeId], action, body);
  if (answer!.error) throw answer!.error;
}

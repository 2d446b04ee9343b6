import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterService } from '@shoal/cluster';
import { errors } from '@shoal/errors';
import { TestCluster, testNode } from '@shoal/cluster/testing';
import type { SnapshotInfo, SnapshotService } from '@shoal/coordinator';
import { fakeClock, seededRandom, silentLog } from '@shoal/doors';
import { EVERYBODY } from '@shoal/security';
import { type ClusterState, operationMode } from '@shoal/state';
import { SnapshotLifecycleRunner, snapshotPolicies } from './snapshot-lifecycle-runner.js';

const START_MS = 1_700_000_000_000;

/** A master with the policy `often`, which takes a snapshot every two seconds. */
class World {
  readonly #cluster = new TestCluster([testNode('n1')]);
  readonly #clock = fakeClock(START_MS);
  readonly #waiting = new Set<() => void>();
  readonly #runner: SnapshotLifecycleRunner;
  /** Milliseconds that pass after each reading of the clock. */
  readMs = 0;
  /** How far the clock is ahead of the time that passed. */
  aheadMs = 0;
  /** Whether snapshots go on until `finish`. */
  isHeld = false;
  taken = 0;
  /** Whether changes of the cluster's state reach a master. */
  hasMaster = true;
  /** Snapshots that retention finds. */
  repository: readonly SnapshotInfo[] = [];
  #finish: () => void = () => undefined;

  constructor() {
    this.#cluster.nowMs = START_MS;
    const policy = { name: 'often', schedule: '0/2 * * * * ?', repository: 'backup' };
    this.#cluster.run('put-snapshot-policy', { id: 'often', policy, authentication: null });
    this.#runner = new SnapshotLifecycleRunner({
      cluster: {
        state: () => this.state,
        submit: async (name: string, body: unknown) => this.#submit(name, body),
        waitFor: (condition: (next: ClusterState) => boolean, ms: number) => this.#waitFor(condition, ms),
      } as unknown as ClusterService,
      snapshots: {
        create: () => this.#create(),
        list: async () => this.repository,
        delete: async (_place: unknown, [gone]: readonly SnapshotInfo[]) => this.deleteByHand(gone!.name),
      } as unknown as SnapshotService,
      placeOf: () => ({}) as never,
      nodeId: 'n1',
      clock: { ...this.#clock, now: () => this.#read() },
      random: seededRandom(1),
      log: silentLog,
      authorOf: () => EVERYBODY,
    });
  }

  get state(): ClusterState {
    return { ...this.#cluster.state, masterNodeId: 'n1' };
  }

  get policy() {
    return snapshotPolicies(this.state)['often']!;
  }

  #read(): number {
    const nowMs = this.#clock.now();
    if (this.readMs > 0) this.#clock.advance(this.readMs);
    return nowMs + this.aheadMs;
  }

  #submit(name: string, body: unknown): unknown {
    if (!this.hasMaster) throw errors.masterNotDiscovered('no master');
    this.#cluster.nowMs = this.#clock.now();
    const answer = this.#cluster.run(name, body);
    for (const look of [...this.#waiting]) look();
    return answer;
  }

  #waitFor(condition: (next: ClusterState) => boolean, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.#waiting.has(look) && condition(this.state)) end(true);
      };
      const end = (isMet: boolean): void => {
        this.#waiting.delete(look);
        resolve(isMet);
      };
      this.#waiting.add(look);
      this.#clock.after(ms, () => end(false));
      look();
    });
  }

  async #create(): Promise<SnapshotInfo> {
    if (this.isHeld) await new Promise<void>((resolve) => (this.#finish = resolve));
    this.taken++;
    return { state: 'SUCCESS', failures: [], totalShards: 0, indices: [] } as unknown as SnapshotInfo;
  }

  follow(): () => void {
    void this.#runner.follow();
    return () => this.#runner.close();
  }

  async pass(ms: number): Promise<void> {
    this.#clock.advance(ms);
    for (let i = 0; i < 8; i++) await new Promise((resolve) => void setImmediate(resolve));
  }

  async finish(): Promise<void> {
    this.#finish();
    await this.pass(0);
  }

  /** Changes the policy at a time. */
  change(nowMs: number): void {
    this.#cluster.nowMs = nowMs;
    const policy = { name: 'changed', schedule: '0/2 * * * * ?', repository: 'backup' };
    this.#cluster.run('put-snapshot-policy', { id: 'often', policy, authentication: null });
  }

  deleteByHand(name: string): void {
    this.repository = this.repository.filter((info) => info.name !== name);
  }

  /** Snapshots of the policy, one for each day before now. */
  keep(names: readonly string[], retention: Record<string, unknown>): void {
    const policy = { name: 'often', schedule: '0 0 0 1 1 ? 2199', repository: 'backup', retention };
    this.#cluster.run('put-snapshot-policy', { id: 'often', policy, authentication: null });
    this.repository = names.map(
      (name, i) =>
        ({
          ...{ name, uuid: name, state: 'SUCCESS', metadata: { policy: 'often' }, failures: [] },
          startedAtMs: this.#clock.now() - (names.length - i) * 86_400_000,
        }) as unknown as SnapshotInfo,
    );
  }

  async retain(): Promise<readonly string[]> {
    await this.#runner.calls['slm-execute-retention']();
    await this.pass(0);
    return this.repository.map(({ name }) => name);
  }

  stop(): void {
    this.#submit('set-operation-mode', { service: 'slm', mode: 'STOPPING' });
  }
}

test('a run that falls due between any two readings of the clock begins at once', async () => {
  for (let beforeMs = 1; beforeMs <= 8; beforeMs++) {
    const world = new World();
    await world.pass(2000 - beforeMs);
    world.readMs = 1;
    const close = world.follow();
    await world.pass(0);
    world.readMs = 0;
    await world.pass(beforeMs);
    assert.equal(world.taken, 1, `first look ${beforeMs} ms before it`);
    close();
  }
});

test('a run that fell due while its forerunner went on begins when that one ends', async () => {
  const world = new World();
  const close = world.follow();
  await world.pass(0);
  world.isHeld = true;
  await world.pass(2000);
  const first = world.policy.running?.snapshot;
  await world.pass(3000);
  assert.equal(world.policy.running?.snapshot, first);
  await world.finish();
  assert.equal(world.policy.lastSuccess?.snapshot, first);
  assert.ok(world.policy.running, 'the next snapshot goes on');
  assert.notEqual(world.policy.running.snapshot, first);
  assert.equal(world.policy.lastFailure, undefined);
  close();
});

test('snapshots are stopped as soon as the last one ends', async () => {
  const world = new World();
  const close = world.follow();
  await world.pass(0);
  world.isHeld = true;
  await world.pass(2000);
  world.stop();
  await world.pass(10);
  assert.equal(operationMode(world.state, 'slm'), 'STOPPING');
  await world.finish();
  assert.equal(operationMode(world.state, 'slm'), 'STOPPED');
  close();
});

test('a clock that jumps a year ahead and back stops no policy', async () => {
  const world = new World();
  const close = world.follow();
  await world.pass(0);
  await world.pass(2000);
  assert.equal(world.taken, 1);
  world.aheadMs = 365 * 86_400_000;
  await world.pass(2000);
  assert.equal(world.taken, 2, 'the runs of a year are one');
  await world.pass(2000);
  assert.equal(world.taken, 3);
  world.aheadMs = 0;
  // The longest wait for a look, and the next time of the schedule.
  await world.pass(60_000);
  await world.pass(2000);
  const { taken } = world;
  assert.ok(taken > 3, `${taken} snapshots`);
  await world.pass(2000);
  assert.equal(world.taken, taken + 1);
  assert.ok(world.policy.triggeredMs! < START_MS + 86_400_000);
  close();
});

test('a policy that was changed while the clock was a year ahead runs by its schedule', async () => {
  const world = new World();
  world.change(START_MS + 365 * 86_400_000);
  const close = world.follow();
  await world.pass(0);
  await world.pass(2000);
  assert.equal(world.taken, 1);
  close();
});

test('a clock that is seconds behind that of the last master takes no snapshot again', async () => {
  const world = new World();
  const close = world.follow();
  await world.pass(0);
  await world.pass(2000);
  assert.equal(world.taken, 1);
  world.aheadMs = -3000;
  await world.pass(2000);
  assert.equal(world.taken, 1);
  await world.pass(4000);
  assert.equal(world.taken, 2);
  close();
});

test('retention counts what is in the repository: snapshots that were deleted by hand are not missed', async () => {
  const world = new World();
  world.keep(['a', 'b', 'c', 'd', 'e'], { max_count: 3 });
  world.deleteByHand('b');
  world.deleteByHand('e');
  assert.deepEqual(await world.retain(), ['a', 'c', 'd']);

  world.keep(['a', 'b', 'c', 'd', 'e'], { expire_after: '1d', min_count: 2 });
  for (const name of ['c', 'd', 'e']) world.deleteByHand(name);
  assert.deepEqual(await world.retain(), ['a', 'b'], 'the last ones stay, however old they are');
  world.keep(['a', 'b', 'c', 'd', 'e'], { expire_after: '1d', min_count: 2 });
  world.deleteByHand('d');
  assert.deepEqual(await world.retain(), ['c', 'e']);
  assert.equal(world.policy.stats?.deleted ?? 0, 2);
});

// Example: n1 is the master and begins retention, and n2 is elected before n1 has noted that it did.
test('retention that loses its master ends without harm to the node, and the next one runs', async () => {
  const world = new World();
  world.keep(['a', 'b', 'c'], { max_count: 1 });
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  try {
    world.hasMaster = false;
    assert.deepEqual(await world.retain(), ['a', 'b', 'c']);
    assert.deepEqual(unhandled, []);
  } finally {
    process.off('unhandledRejection', note);
  }
  world.hasMaster = true;
  assert.deepEqual(await world.retain(), ['c']);
});

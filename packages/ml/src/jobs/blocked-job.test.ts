import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock, silentLog } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { PersistentTask } from '@shoal/state';
import type { MlDoors } from '../ml-doors.js';
import { type AskedDoors, awaitWork, BlockedJobExecutor, type DoJobWork, endFailedBlock } from './blocked-job.js';
import { BLOCKED_JOB_TASK, jobTaskId } from './job-task.js';

const ALLOCATION = 5;
const ID = jobTaskId('j');

const taskOf = (allocationId: number): PersistentTask => ({
  ...{ type: BLOCKED_JOB_TASK, role: 'master', node: 'n1', explanation: '', status: null, allocationId },
  params: { id: 'j', reason: 'reset', taskId: 'n1:7', options: {} },
});

/** A node with the task of a blocked job, and what it tells the master. */
class BlockedNode {
  readonly clock = fakeClock(0);
  readonly told: string[] = [];
  readonly end = new AbortController();
  /** Submissions that find no master before the first one that does. */
  withoutMaster = 0;
  allocationId = ALLOCATION;
  attempts = 0;
  isOver = false;
  executor: BlockedJobExecutor | null = null;
  /** Failures of the next calls to nodes that had the job. */
  readonly writers: Error[] = [];

  run(work: () => void): Promise<void> {
    const doWork: DoJobWork = async () => {
      this.attempts++;
      work();
    };
    const coordinator = {
      callNodes: async (nodeIds: readonly string[], action: string) => {
        assert.deepEqual([nodeIds, action], [['n2'], 'ml-job-ended']);
        const error = this.writers.shift() ?? null;
        return [{ nodeId: 'n2', body: {}, error }];
      },
    };
    const doors = { clock: this.clock, log: silentLog, cluster: this, coordinator } as unknown as MlDoors;
    this.executor = new BlockedJobExecutor(doors, { reset: doWork, delete: doWork, revert: doWork });
    return this.executor.run(ID, taskOf(ALLOCATION), this.end.signal).finally(() => (this.isOver = true));
  }

  /** Turns the clock until the run is over, a minute a turn at most. */
  async turn(turns: number): Promise<void> {
    for (let i = 0; i < turns && !this.isOver; i++) {
      await new Promise(setImmediate);
      this.clock.advance(60_000);
    }
    await new Promise(setImmediate);
  }

  state(): unknown {
    const nodes = [
      { id: 'n1', roles: ['master'] },
      { id: 'n2', roles: ['ml'] },
    ];
    return {
      nodes: new Map(nodes.map((node) => [node.id, node])),
      customs: new Map([['persistentTasks', { [ID]: taskOf(this.allocationId) }]]),
    };
  }

  async submit(task: string, { status }: { status?: { reason: string } }): Promise<void> {
    if (this.withoutMaster-- > 0) throw errors.status('no master', { status: 503 });
    if (task === 'update-persistent-task' && this.allocationId !== ALLOCATION)
      throw errors.resourceNotFound('the task is gone');
    this.told.push(status === undefined ? task : `${task}: ${status.reason}`);
  }
}

const REMOVED = 'remove-persistent-task';

test('the end of work, or its failure, is told the master until it has heard', async () => {
  for (const isFailing of [false, true]) {
    const node = new BlockedNode();
    node.withoutMaster = 8;
    const run = node.run(() => {
      if (isFailing) throw errors.illegalArgument('broken');
    });
    await node.turn(20);
    await run;
    assert.deepEqual(node.told, isFailing ? ['update-persistent-task: broken', REMOVED] : [REMOVED]);
    assert.equal(node.attempts, 1);
  }
});

test('work begins once no node writes results of the job; nodes of earlier versions are not waited for', async () => {
  const node = new BlockedNode();
  node.writers.push(errors.timeout('a bulk is under way', { status: 503 }));
  node.writers.push(errors.illegalArgument('unknown call [ml-job-ended] to a node'));
  const run = node.run(() => assert.equal(node.writers.length, 0));
  await node.turn(5);
  await run;
  assert.deepEqual([node.attempts, node.told], [1, [REMOVED]]);
});

test('telling ends with the signal', async () => {
  const node = new BlockedNode();
  node.withoutMaster = Number.POSITIVE_INFINITY;
  const run = node.run(() => undefined);
  await node.turn(3);
  assert.equal(node.isOver, false);
  node.end.abort();
  await run;
  assert.deepEqual(node.told, []);
});

test('a conflict is tried again while this node has the task, and fails in the end', async () => {
  const passing = new BlockedNode();
  const run = passing.run(() => {
    if (passing.attempts === 1) throw errors.versionConflict('written meanwhile');
  });
  await passing.turn(5);
  await run;
  assert.deepEqual([passing.attempts, passing.told], [2, [REMOVED]]);

  const lasting = new BlockedNode();
  const failed = lasting.run(() => {
    throw errors.versionConflict('always');
  });
  await lasting.turn(10);
  await failed;
  assert.ok(lasting.told[0]!.includes('always'));
});

test('a conflict with a later assignment ends the run in silence', async () => {
  const node = new BlockedNode();
  const run = node.run(() => {
    node.allocationId = ALLOCATION + 3;
    throw errors.versionConflict('of a later assignment');
  });
  await node.turn(5);
  await run;
  assert.equal(node.attempts, 1);
  assert.deepEqual(
    node.told.filter((told) => told !== REMOVED),
    [],
  );
});

test('a failed block that nobody comes for is ended with its own assignment; one that goes on stays', async () => {
  const cluster = (status: PersistentTask['status'], type: string = BLOCKED_JOB_TASK) => {
    const told: unknown[] = [];
    const task = { ...taskOf(ALLOCATION), type, status };
    const state = () => ({ customs: new Map([['persistentTasks', { [ID]: task }]]) });
    const submit = async (name: string, body: unknown) => void told.push([name, body]);
    return { told, state, submit } as unknown as MlDoors['cluster'] & { told: unknown[] };
  };
  const failed = cluster({ state: 'failed', reason: 'broken', status: 400 });
  await endFailedBlock(failed, 'j');
  assert.deepEqual(failed.told, [[REMOVED, { id: ID, allocationId: ALLOCATION }]]);
  // Work that goes on; a job that is open and has failed; another job.
  for (const other of [cluster(null), cluster({ state: 'failed' }, 'ml-job')]) {
    await endFailedBlock(other, 'j');
    assert.deepEqual(other.told, []);
  }
  await endFailedBlock(failed, 'k');
  assert.equal(failed.told.length, 1);
});

test('who asked for work gets its failure though another request ended the block before it was seen', async () => {
  const node = new BlockedNode();
  const run = node.run(() => {
    throw errors.illegalArgument('broken');
  });
  await node.turn(20);
  await run;
  const nodes = new Map([['n1', { id: 'n1', roles: ['master'] }]]);
  const asker = (isFailureSeen: boolean): AskedDoors => {
    const states = isFailureSeen ? [{ state: 'failed', reason: 'broken', status: 400 }] : [];
    const shown = states.map((status) => ({
      nodes,
      customs: new Map([['persistentTasks', { [ID]: { ...taskOf(ALLOCATION), status } }]]),
    }));
    const gone = { nodes, customs: new Map() };
    return {
      cluster: {
        state: () => shown[0] ?? gone,
        waitFor: async (isOver: (state: unknown) => boolean) => isOver(shown[0] ?? gone),
        submit: async () => {
          throw errors.status('no master', { status: 503 });
        },
      },
      coordinator: {
        callNodes: async (ids: readonly string[], action: string, body: unknown) => {
          assert.equal(action, 'ml-job-work-failure');
          return ids.map((nodeId) => ({ nodeId, error: null, body: node.executor!.calls[action](body) }));
        },
      },
    } as unknown as AskedDoors;
  };
  const work = { id: 'j', reason: 'reset', taskId: 'n1:7', options: {} } as const;
  // The master that does not answer the end of the block hides no failure.
  for (const isSeen of [true, false])
    await assert.rejects(awaitWork(asker(isSeen), work), { status: 400, reason: 'broken' });
  await awaitWork(asker(false), { ...work, taskId: 'n1:8' });
});

test('a failure that the master has not heard is not told: another node does the work', async () => {
  const node = new BlockedNode();
  const run = node.run(() => {
    node.allocationId = ALLOCATION + 3;
    throw errors.illegalArgument('broken');
  });
  await node.turn(5);
  await run;
  assert.equal(node.executor!.calls['ml-job-work-failure']({ taskId: 'n1:7' }), null);
});

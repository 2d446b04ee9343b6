import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterService } from '@shoal/cluster';
import { fakeClock, silentLog } from '@shoal/doors';
import { type ClusterState, emptyState, type IndexMetadata, type ShardRouting } from '@shoal/state';
import type { DownsampleRequest } from '../downsample/downsample.js';
import type { StreamFailure } from './stream-failures.js';
import { StreamLifecycleRunner } from './stream-lifecycle-runner.js';

const SERIES = { 'index.mode': 'time_series', 'index.time_series.end_time': '1970-01-02T00:00:00Z' };

const index = (uuid: string, name: string, settings: object, more: object = {}): [string, IndexMetadata] => [
  uuid,
  { uuid, name, state: 'open', aliases: {}, settings, ...more } as unknown as IndexMetadata,
];

const copies = (...states: readonly string[]): readonly (readonly ShardRouting[])[] => [
  states.map((state) => ({ state }) as ShardRouting),
];

/** A data stream whose first index is to be downsampled, and what has been submitted. */
class World {
  readonly submitted: [task: string, body: unknown][] = [];
  readonly made: DownsampleRequest[] = [];
  state: ClusterState = {
    ...emptyState(),
    indices: new Map([
      index('old', 'raw', SERIES, { rolloverInfo: { s: { time: 0 } } }),
      index('now', 'write', SERIES),
    ]),
    customs: new Map([
      [
        'dataStreams',
        {
          s: {
            name: 's',
            indices: ['old', 'now'],
            generation: 2,
            lifecycle: { downsampling: [{ after: '1d', fixed_interval: '1h' }] },
          },
        },
      ],
    ]),
  };

  /** States of the copies of the first index. */
  source: readonly string[] = ['STARTED', 'STARTED'];
  waits = 0;
  nowMs = 3 * 86_400_000;

  /** `states` are those of the copies of the downsampled index. */
  runner(states: readonly string[]): StreamLifecycleRunner {
    const clock = { ...fakeClock(), now: () => this.nowMs };
    const cluster = {
      state: () => this.state,
      submit: async (task: string, body: unknown) => void this.submitted.push([task, body]),
      waitFor: async () => {
        this.waits++;
        return false;
      },
    } as unknown as ClusterService;
    const downsample = async (request: DownsampleRequest): Promise<void> => {
      this.made.push(request);
      const made = index('new', request.target, { ...SERIES, 'index.downsample.status': 'success' });
      this.state = {
        ...this.state,
        indices: new Map([...this.state.indices, made]),
        routing: new Map([
          ['old', copies(...this.source)],
          ['new', copies(...states)],
        ]),
      };
    };
    const coordinator = { broadcast: async () => ({ shards: [], failures: [] }) } as never;
    return new StreamLifecycleRunner({ cluster, coordinator, downsample, nodeId: 'n1', clock, log: silentLog });
  }

  async look(states: readonly string[], times = 1): Promise<Readonly<Record<string, StreamFailure>>> {
    const runner = this.runner(states);
    for (let time = 0; time < times; time++) {
      await runner.look(this.state);
      for (let i = 0; i < 20; i++) await new Promise((resolve) => void setImmediate(resolve));
      this.nowMs += 1000;
    }
    return runner.calls['stream-lifecycle-failures']();
  }
}

test('an index is made coarser, and replaced once all copies of the new one are there', async () => {
  const world = new World();
  assert.deepEqual(await world.look(['STARTED', 'STARTED']), {});
  assert.deepEqual(world.made, [{ source: 'raw', target: 'downsample-1h-raw', interval: '1h' }]);
  assert.deepEqual(world.submitted, [
    ['update-settings', { uuids: ['old'], settings: { 'index.blocks.write': 'true' } }],
    ['modify-data-streams', { replace: [{ dataStream: 's', from: 'old', to: 'new' }] }],
  ]);
});

test('an index stays in its stream while a copy of what replaces it is not there', async () => {
  const world = new World();
  const { old } = await world.look(['STARTED', 'INITIALIZING']);
  assert.match(old!.message, /not all shards of \[downsample-1h-raw\] are active/);
  // The next look tries again: none waits, and keeps other indices waiting.
  assert.equal(world.waits, 0);
  assert.deepEqual(
    world.submitted.map(([task]) => task),
    ['update-settings'],
  );
});

test('an index is replaced by one with as many active copies as it has, though more are wanted', async () => {
  const world = new World();
  world.source = ['STARTED', 'UNASSIGNED'];
  assert.deepEqual(await world.look(['STARTED', 'UNASSIGNED']), {});
  assert.equal(world.submitted.at(-1)![0], 'modify-data-streams');
  for (const source of [['STARTED', 'STARTED'], ['UNASSIGNED']]) {
    const other = new World();
    other.source = source;
    assert.match((await other.look(['UNASSIGNED']))['old']!.message, /not all shards/);
  }
});

test('a failure that comes again is counted from its first time on', async () => {
  const world = new World();
  const firstMs = world.nowMs;
  const { old } = await world.look(['STARTED', 'INITIALIZING'], 4);
  assert.deepEqual({ ...old, message: '' }, { message: '', firstMs, lastMs: firstMs + 3000, retries: 3 });
});

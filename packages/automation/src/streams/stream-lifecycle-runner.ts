import { type ClusterService, meetsConditions } from '@shoal/cluster';
import type { Coordinator } from '@shoal/coordinator';
import type { Clock, Log } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { clusterSetting, type ClusterState, type IndexMetadata, nameIndex } from '@shoal/state';
import { parseTimeValue } from '@shoal/values';
import { isAsSafe } from '../lifecycle/actions/replacement.js';
import { measureIndices } from '../lifecycle/measure-indices.js';
import type { Downsample } from '../downsample/downsample.js';
import { MasterPoll } from '../master-poll.js';
import { StreamFailures } from './stream-failures.js';
import { coarserName, rolloverConditions, streamWork, type StreamWork } from './stream-rules.js';

const POLL_INTERVAL = 'data_streams.lifecycle.poll_interval';
/** Indices whose shards are measured by one call. */
const MEASURED_MAX = 200;

/** What the runner needs of its node. */
export interface StreamLifecycleDoors {
  readonly cluster: ClusterService;
  readonly coordinator: Pick<Coordinator, 'broadcast'>;
  readonly downsample: Downsample;
  readonly nodeId: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Rolls data streams over and deletes what is older than their retention, while its node is the elected master. */
export class StreamLifecycleRunner {
  readonly #doors: StreamLifecycleDoors;
  readonly #poll: MasterPoll;
  readonly #failures = new StreamFailures();
  #isDownsampling = false;

  constructor(doors: StreamLifecycleDoors) {
    this.#doors = doors;
    this.#poll = new MasterPoll({
      ...doors,
      what: 'the lifecycle of data streams',
      waitMs: (state) => parseTimeValue(String(clusterSetting(state, POLL_INTERVAL)), POLL_INTERVAL),
      isNews: (known, next) =>
        known.customs.get('dataStreams') !== next.customs.get('dataStreams') ||
        clusterSetting(known, POLL_INTERVAL) !== clusterSetting(next, POLL_INTERVAL),
      look: (state) => this.look(state),
    });
  }

  follow(): Promise<void> {
    return this.#poll.follow();
  }

  /** Answers calls of other nodes: the failures of indices by uuid. */
  readonly calls = { 'stream-lifecycle-failures': () => this.#failures.all };

  /** Does what is to be done now. */
  async look(state: ClusterState): Promise<void> {
    const work = streamWork(state, this.#doors.clock.now());
    this.#failures.keepOnly((uuid) => state.indices.has(uuid));
    for (const { meta, targets } of work.expired) {
      const uuids = [meta, ...targets].map(({ uuid }) => uuid);
      await this.#attempt(meta.uuid, () => this.#doors.cluster.submit('delete-index', { uuids }));
    }
    for (let i = 0; i < work.candidates.length; i += MEASURED_MAX)
      await this.#rollOver(state, work.candidates.slice(i, i + MEASURED_MAX));
    void this.#downsample(work.coarser);
  }

  /** Downsamples one index after the other, beside the looks; the next look finds what is left. */
  async #downsample(indices: StreamWork['coarser']): Promise<void> {
    if (this.#isDownsampling) return;
    this.#isDownsampling = true;
    for (const { stream, meta, interval } of indices)
      await this.#attempt(meta.uuid, () => this.#makeCoarser(stream.name, meta, interval));
    this.#isDownsampling = false;
  }

  /** Makes the buckets of an index, and puts them in its place. */
  async #makeCoarser(dataStream: string, meta: IndexMetadata, interval: string): Promise<void> {
    const { cluster, downsample } = this.#doors;
    const settings = { 'index.blocks.write': 'true' };
    if (meta.settings['index.blocks.write'] !== 'true')
      await cluster.submit('update-settings', { uuids: [meta.uuid], settings });
    const target = coarserName(meta, interval);
    await downsample({ source: meta.name, target, interval });
    const to = nameIndex(cluster.state()).get(target);
    if (!to) return;
    // The source goes once as many copies of the target are there; the next look tries again.
    if (!isAsSafe(cluster.state(), meta, to)) throw errors.illegalState(`not all shards of [${target}] are active`);
    await cluster.submit('modify-data-streams', { replace: [{ dataStream, from: meta.uuid, to: to.uuid }] });
  }

  async #rollOver(state: ClusterState, candidates: StreamWork['candidates']): Promise<void> {
    const { cluster, coordinator, clock } = this.#doors;
    const metas = candidates.map(({ meta }) => meta);
    const measured = await measureIndices(coordinator, metas, clock.now());
    for (const { stream, meta } of candidates) {
      const sizes = measured.get(meta.uuid);
      if (sizes === undefined) continue;
      const conditions = rolloverConditions(state, stream);
      const results = new Map(conditions.map((condition) => [condition.text, condition.met(sizes)]));
      if (!meetsConditions(conditions, results)) continue;
      const metConditions = conditions.map(({ text }) => text).filter((text) => results.get(text));
      const body = { alias: stream.name, newName: null, body: {}, metConditions, answer: {}, onlyFrom: meta.uuid };
      await this.#attempt(meta.uuid, () => cluster.submit('rollover', body));
    }
  }

  async #attempt(uuid: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      this.#failures.succeeded(uuid);
    } catch (error) {
      this.#failures.failed(uuid, error, this.#doors.clock.now());
      this.#doors.log.write('warn', 'the lifecycle of a data stream failed', { index: uuid, error });
    }
  }

  close(): void {
    this.#poll.close();
  }
}

import { errors, isApiError } from '@shoal/errors';
import type { AssembledNode } from '@shoal/node';
import { persistentTasks } from '@shoal/state';
import type { SimulatedNode } from '../cluster/simulated-node.js';
import type { World } from '../cluster/world.js';
import type { JobAct } from '../plan/plan.js';
import { callOf } from './enter.js';

/** Names of the job that clients post to, of the one with a datafeed, and of the index that this one reads. */
export const POSTED = 'posted';
export const FED = 'fed';
const SOURCE = 'jobsource';
const SPAN_S = 60;
const START_S = 600_000;
const TIMEOUT_MS = 20_000;
const SOURCE_BUCKETS = 40;
const DOCUMENTS_MAX = 12;

/** Documents of one bucket, posted at once; `answer` of the post. */
interface Batch {
  readonly documents: readonly JobDocument[];
  answer: 'none' | 'acked' | 'failed';
}

/** A document of a job; `time` in milliseconds. */
export interface JobDocument {
  readonly time: number;
  readonly p: string;
  readonly v: number;
}

/** Lines of documents, as `_data` takes them. */
export const linesOf = (documents: readonly JobDocument[]): Uint8Array =>
  Buffer.from(documents.map((one) => `${JSON.stringify(one)}\n`).join(''));

const JOB = {
  analysis_config: {
    bucket_span: `${SPAN_S}s`,
    detectors: [{ function: 'count' }, { function: 'mean', field_name: 'v', partition_field_name: 'p' }],
    influencers: ['p'],
  },
  data_description: { time_field: 'time', time_format: 'epoch_ms' },
};
const MAPPINGS = { properties: { time: { type: 'date' }, p: { type: 'keyword' }, v: { type: 'double' } } };

/** Start of the bucket of a batch, in milliseconds. */
export const bucketMs = (batch: number): number => 1000 * (START_S + batch * SPAN_S);

/** Clients of anomaly detection jobs: one posts batches of documents, one after the other; one runs a datafeed. */
export class Jobs {
  readonly #world: World;
  readonly batches: Batch[] = [];
  /** Times to which the posted job was told to go on, whether it has or not. */
  readonly advances = new Set<number>();
  readonly source: readonly JobDocument[];
  /** Assignments that nodes have shown of the posted job, by the version of the state. */
  readonly allocations = new Map<number, number>();
  /** Whether the posted job was made; the steps of the datafeed that are done. */
  isMade = false;
  #feedSteps = 0;
  #isBusy = false;
  #isFeeding = false;

  constructor(world: World) {
    this.#world = world;
    this.source = Array.from({ length: SOURCE_BUCKETS }, (_, i) => this.#documents(i)).flat();
  }

  /** Documents of a bucket, in order of time; drawn from the bucket alone. */
  #documents(bucket: number): readonly JobDocument[] {
    const random = this.#world.randomFor(`job/${bucket}`);
    const count = 1 + Math.floor(random.next() * DOCUMENTS_MAX);
    return Array.from({ length: count }, (_, i) => ({
      time: bucketMs(bucket) + i * 1000,
      p: `p${Math.floor(random.next() * 3)}`,
      v: Math.floor(random.next() * 64) / 4 + (bucket % 17 === 16 ? 100 : 0),
    }));
  }

  do(node: SimulatedNode, act: JobAct): void {
    const running = node.running!;
    if (act === 'feed') {
      if (this.#isFeeding) return;
      this.#isFeeding = true;
      void this.#tried(act, () => this.feed(running)).finally(() => (this.#isFeeding = false));
      return;
    }
    if (this.#isBusy) return;
    this.#isBusy = true;
    void this.#tried(act, () => this.#act(running, act)).finally(() => (this.#isBusy = false));
  }

  async #tried(act: JobAct, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isApiError(error))
        this.#world.violate('exception', `job ${act}: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }

  async #act(running: AssembledNode, act: Exclude<JobAct, 'feed'>): Promise<void> {
    const { jobs } = running.ml;
    if (!this.isMade) {
      await exists(() => running.ml.putJob(POSTED, JOB, callOf()));
      this.isMade = true;
    }
    if (jobs.stateOf(POSTED) === 'closed') await jobs.open(POSTED, TIMEOUT_MS);
    this.#note(running);
    if (act === 'post') await this.#post(running);
    else if (act === 'flush') await this.advance(running);
    else await jobs.close([await jobs.get(POSTED)], false, TIMEOUT_MS);
  }

  /** Makes the posted job go on to the end of the last batch that was posted. */
  async advance({ ml }: AssembledNode): Promise<void> {
    const advanceToMs = bucketMs(this.batches.length);
    this.advances.add(advanceToMs);
    await ml.jobs.flush(POSTED, { calcInterim: false, advanceToMs, skipToMs: null });
  }

  async #post(running: AssembledNode): Promise<void> {
    const batch: Batch = { documents: this.#documents(this.batches.length), answer: 'none' };
    this.batches.push(batch);
    try {
      await running.ml.jobs.post(POSTED, linesOf(batch.documents));
      batch.answer = 'acked';
    } catch (error) {
      batch.answer = 'failed';
      throw error;
    }
  }

  #note({ cluster }: AssembledNode): void {
    const state = cluster.state();
    const task = persistentTasks(state)[`job-${POSTED}`];
    if (task !== undefined) this.allocations.set(state.version, task.allocationId);
  }

  /** Makes the datafeed and what it needs, as far as it was not made before, and starts it. */
  async feed(running: AssembledNode): Promise<void> {
    const { ml, cluster } = running;
    const steps = [
      () => cluster.submit('create-index', { name: SOURCE, body: { mappings: MAPPINGS } }, { timeoutMs: TIMEOUT_MS }),
      () => this.#writeSource(running),
      () =>
        ml.putJob(FED, { ...JOB, datafeed_config: { datafeed_id: FED, indices: [SOURCE], scroll_size: 20 } }, callOf()),
      () => this.#start(running),
    ];
    while (this.#feedSteps < steps.length) {
      await exists(steps[this.#feedSteps]!);
      this.#feedSteps++;
    }
  }

  /** An earlier request may have opened the job, or have taken it back because no node had room. */
  async #start({ ml }: AssembledNode): Promise<void> {
    await exists(() => ml.jobs.open(FED, TIMEOUT_MS));
    await ml.datafeeds.start(FED, bucketMs(0), bucketMs(SOURCE_BUCKETS), TIMEOUT_MS);
  }

  async #writeSource({ coordinator }: AssembledNode): Promise<void> {
    const lines = this.source.map((one, i) => `{"index":{"_id":"${i}"}}\n${JSON.stringify(one)}\n`);
    const options = { routing: null, pipeline: null, requireAlias: null, updateSource: null } as const;
    const { chunks } = await coordinator.bulk(
      {
        ...{ body: Buffer.from(lines.join('')), index: SOURCE, ...options, listsPipelines: false, allowType: false },
        ...{ refresh: 'now', timeoutMs: TIMEOUT_MS, waitForActiveShards: null },
      },
      callOf(),
    );
    const answer = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { errors: boolean };
    // It is written again.
    if (answer.errors) throw errors.status('a document of the source was refused', { status: 429 });
  }
}

/** Makes something that may have been made before, by a request that got no answer. */
async function exists(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isThere =
      isApiError(error) &&
      (error.type === 'resource_already_exists_exception' || /already been (opened|started)/.test(error.reason ?? ''));
    if (!isThere) throw error;
  }
}

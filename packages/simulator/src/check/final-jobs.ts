import type { Value } from '@shoal/codec';
import type { JsonObject } from '@shoal/json';
import { createJobRoom, stepOf } from '@shoal/ml/room';
import type { AssembledNode } from '@shoal/node';
import { persistentTasks } from '@shoal/state';
import type { World } from '../cluster/world.js';
import { callOf } from '../workload/enter.js';
import { FED, bucketMs, type JobDocument, type Jobs, linesOf, POSTED } from '../workload/jobs.js';
import { jsonOf, searchOf } from '../workload/requests.js';
import { perform } from './final-state.js';

const STEP_MS = 30_000;
/** Times that a job is looked at until it must be open, or its datafeed at its end: pauses of retries are a minute. */
const LOOKS = 8;

/** Results of a job by their ids: buckets, records and influencers. */
type Results = ReadonlyMap<string, JsonObject>;

/** Members of results that depend on data alone; scores that are adjusted later are not among them. */
const LASTING = [
  ...['timestamp', 'bucket_span', 'event_count', 'is_interim', 'initial_anomaly_score', 'initial_record_score'],
  ...['initial_influencer_score', 'probability', 'actual', 'typical', 'detector_index', 'result_type'],
];
const KINDS = new Set(['bucket', 'record', 'influencer']);

/**
 * Checks jobs after all has healed: M1 to M5 of machine learning. Each acknowledged batch is in the model once, others
 * once or not at all; each bucket has one result; counts are those of the input; results are those of a model that was
 * given the same documents and was never disturbed.
 */
export function checkJobs(world: World, jobs: Jobs): void {
  if (world.plan.hasJobs !== true) return;
  const indices = [...world.nodes[0]!.running!.cluster.state().indices.values()];
  if (indices.some(({ name, uuid }) => /^\.ml-|^jobsource$/.test(name) && world.copies.wasDamagedAnywhere(uuid)))
    return;
  checkAllocations(world, jobs);
  if (jobs.isMade) checkPosted(world, jobs);
  if (world.violations.length === 0) checkFed(world, jobs);
}

function checkAllocations(world: World, { allocations }: Jobs): void {
  let before = 0;
  for (const [version, allocation] of [...allocations].sort(([a], [b]) => a - b)) {
    if (allocation < before)
      world.violate('M4', `the allocation ${allocation} of version ${version} is below ${before}`);
    before = allocation;
  }
}

const nodeOf = (world: World): AssembledNode => world.nodes[0]!.running!;

/** Looks until something is so. Reports a job that has failed, and one that is never so. */
function becomes(world: World, id: string, what: string, isSo: () => Promise<boolean>): boolean {
  for (let look = 0; look < LOOKS && world.violations.length === 0; look++) {
    if (perform(world, what, isSo) === true) return true;
    const task = persistentTasks(nodeOf(world).cluster.state())[`job-${id}`];
    if (task?.status?.['state'] === 'failed') {
      world.violate('M1', `job ${id} has failed: ${String(task.status['reason'])}`);
      return false;
    }
    world.run(world.loop.now + STEP_MS);
  }
  if (world.violations.length === 0) world.violate('liveness', `${what}: it never is`);
  return false;
}

function checkPosted(world: World, jobs: Jobs): void {
  const { ml } = nodeOf(world);
  const isOpen = async (): Promise<boolean> => {
    const refused = (error: unknown): false => (world.tail.note(`the job is not flushed: ${String(error)}`), false);
    if (ml.jobs.stateOf(POSTED) === 'closed') await ml.jobs.open(POSTED, STEP_MS).catch(refused);
    if (ml.jobs.stateOf(POSTED) !== 'opened') return refused(`it is ${ml.jobs.stateOf(POSTED)}`);
    return jobs.advance(nodeOf(world)).then(() => true, refused);
  };
  if (!becomes(world, POSTED, 'opening and flushing a job', isOpen)) return;
  const read = perform(world, 'reading the results of a job', () => readJob(nodeOf(world), POSTED));
  if (read === null) return;
  const taken = jobs.batches.flatMap(({ documents, answer }, i) => {
    const count = Number(read.results.get(`${POSTED}_bucket_${bucketMs(i)}_60`)?.['event_count'] ?? 0);
    const mayLack = answer !== 'acked';
    if (count !== documents.length && !(mayLack && count === 0))
      world.violate('M5', `batch ${i} (${answer}) of ${documents.length} documents has ${count} in its bucket`);
    return count > 0 ? [documents] : [];
  });
  const firstMs = Math.min(...[...read.results.values()].map(({ timestamp }) => Number(timestamp)));
  // Without data a job begins at the time to which it was told to go on first.
  const beginMs = firstMs < (taken[0]?.[0]?.time ?? Number.POSITIVE_INFINITY) ? firstMs : null;
  if (beginMs !== null && !jobs.advances.has(beginMs))
    world.violate('M2', `the first bucket begins at ${firstMs}: nobody has made the job begin there`);
  compare(world, POSTED, read, { batches: taken, beginMs, endMs: bucketMs(jobs.batches.length) });
}

function checkFed(world: World, jobs: Jobs): void {
  const isStarted = async (): Promise<boolean> =>
    jobs.feed(nodeOf(world)).then(
      () => true,
      (error: unknown) => (world.tail.note(`the datafeed is not started: ${String(error)}`), false),
    );
  if (!becomes(world, FED, 'starting a datafeed', isStarted)) return;
  const isClosed = async (): Promise<boolean> => nodeOf(world).ml.jobs.stateOf(FED) === 'closed';
  if (!becomes(world, FED, 'waiting for the end of a datafeed', isClosed)) return;
  const read = perform(world, 'reading the results of a datafeed', () => readJob(nodeOf(world), FED));
  if (read !== null) compare(world, FED, read, { batches: [jobs.source], beginMs: null, endMs: null });
}

interface ReadJob {
  readonly config: JsonObject;
  readonly results: Results;
  readonly counts: JsonObject;
}

async function readJob({ ml, coordinator }: AssembledNode, id: string): Promise<ReadJob> {
  const job = await ml.jobs.get(id);
  await ml.doors.documents.refresh(`.ml-anomalies-${id}`);
  const [{ data_counts: counts } = {}] = await ml.jobs.stats([job]);
  const { chunks } = await coordinator.search(searchOf(`.ml-anomalies-${id}`), callOf());
  const { hits } = jsonOf(chunks) as { hits: { hits: { _id: string; _source: JsonObject }[] } };
  return {
    config: job.json,
    results: lasting(hits.hits.map((hit) => [hit._id, hit._source])),
    counts: counts as JsonObject,
  };
}

function lasting(found: readonly (readonly [id: string, source: JsonObject])[]): Results {
  const own = found.filter(([, source]) => KINDS.has(String(source['result_type'])) && source['is_interim'] !== true);
  return new Map(own.map(([id, source]) => [id, Object.fromEntries(LASTING.map((key) => [key, source[key] ?? null]))]));
}

/** What a model was given, and to which time it was told to go on: before all data, and after it. */
interface Given {
  readonly beginMs: number | null;
  readonly batches: readonly (readonly JobDocument[])[];
  readonly endMs: number | null;
}

/** Compares what a job has found with what an undisturbed model finds in the same documents. */
function compare(world: World, id: string, { config, results, counts }: ReadJob, given: Given): void {
  const documents = given.batches.reduce((sum, { length }) => sum + length, 0);
  if (counts['processed_record_count'] !== documents)
    world.violate('M3', `job ${id} has counted ${String(counts['processed_record_count'])} of ${documents} documents`);
  world.tail.note(`job ${id}: ${given.batches.length} batches, ${documents} documents, ${results.size} results`);
  const expected = perform(world, 'running an undisturbed model', () => undisturbed(id, config, given));
  if (expected === null) return;
  for (const [result, source] of expected) {
    const found = results.get(result);
    if (JSON.stringify(found) !== JSON.stringify(source))
      world.violate('M1', `${result} is ${JSON.stringify(found ?? null)}, not ${JSON.stringify(source)}`);
  }
  for (const result of results.keys())
    if (!expected.has(result)) world.violate('M2', `${result} is there, and an undisturbed job has no such result`);
}

async function undisturbed(id: string, config: JsonObject, { batches, beginMs, endMs }: Given): Promise<Results> {
  const room = createJobRoom(() => 0);
  const opened = { id, config, filters: {}, calendar: [], pieces: 0, nowMs: 0, mostBytes: 1 << 30 };
  await room.call('open', opened as unknown as Value);
  const lines: string[] = [];
  const step = async (action: string, body: Value): Promise<void> => {
    for await (const part of stepOf(room, action, body)) {
      const own = Buffer.from(part.lines).toString('utf8').split('\n');
      lines.push(...own.filter((line) => line !== ''));
    }
  };
  const advance = (toMs: number): Promise<void> => step('advance', { id, advanceToMs: toMs, skipToMs: null });
  if (beginMs !== null) await advance(beginMs);
  for (const documents of batches) await step('data', { id, documents: linesOf(documents) });
  if (endMs !== null) await advance(endMs);
  const found: [string, JsonObject][] = [];
  for (let i = 0; i < lines.length; i += 2) {
    const { index } = JSON.parse(lines[i]!) as { index: { _id: string } };
    found.push([index._id, JSON.parse(lines[i + 1]!) as JsonObject]);
  }
  return lasting(found);
}

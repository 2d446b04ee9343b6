import { type ClusterService, downsampleStatus } from '@shoal/cluster';
import { type Coordinator, OwnCalls } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { EVERYBODY } from '@shoal/security';
import { type IndexMetadata, isActive, nameIndex, timeWindow } from '@shoal/state';
import { type BucketField, bucketFields, type Mapping } from './bucket-fields.js';

/** A request to downsample. */
export interface DownsampleRequest {
  readonly source: string;
  readonly target: string;
  /** Length of a bucket, such as `1h`. */
  readonly interval: string;
}

/** Downsamples an index, until its node ends. */
export type Downsample = (request: DownsampleRequest) => Promise<void>;

/** What downsampling needs of its node. */
export interface DownsampleDoors {
  readonly cluster: Pick<ClusterService, 'state' | 'submit' | 'waitFor'>;
  readonly coordinator: Coordinator;
}

/** How far downsampling is. */
export interface DownsampleProgress {
  /** Documents of the source, and those that are in buckets by now. */
  total: number;
  processed: number;
  written: number;
}

const START_MS = 60_000;
/** Results of aggregations in one page. */
const RESULTS_MAX = 20_000;
const PAGE_MAX = 2000;

interface Page {
  readonly buckets: readonly (JsonObject & { readonly key: { readonly s: JsonObject; readonly t: number } })[];
  readonly after_key?: JsonObject;
}

function pageRequest(fields: readonly BucketField[], interval: string, after: JsonObject | null): JsonObject {
  const size = Math.max(10, Math.min(PAGE_MAX, Math.floor(RESULTS_MAX / (1 + fields.length))));
  const sources = [
    { s: { terms: { field: '_tsid' } } },
    { t: { date_histogram: { field: '@timestamp', fixed_interval: interval } } },
  ];
  const aggs = Object.assign({}, ...fields.map(({ aggregations }) => aggregations)) as JsonObject;
  return {
    size: 0,
    track_total_hits: false,
    aggs: { pages: { composite: { size, sources, ...(after === null ? {} : { after }) }, aggs } },
  };
}

/** The dimensions of a series as a source has them: keys of `flattened` fields below their field. */
function dimensionsJson(series: JsonObject, mapping: Mapping): JsonObject {
  const json: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(series)) {
    const owner = mapping.field(name)?.keyOf;
    if (owner === undefined) json[name] = value;
    else json[owner] = { ...(json[owner] as JsonObject | undefined), [name.slice(owner.length + 1)]: value };
  }
  return json;
}

/** How the documents of buckets are made. */
interface BucketPlan {
  readonly mapping: Mapping;
  readonly fields: readonly BucketField[];
  /** Begin of the window of the index: that of its first bucket. */
  readonly startMs: number;
}

function documentOf(bucket: Page['buckets'][number], { mapping, fields, startMs }: BucketPlan): JsonObject {
  const { s: series, t: timeMs } = bucket.key;
  const document: Record<string, unknown> = {
    '@timestamp': Math.max(timeMs, startMs),
    _doc_count: bucket['doc_count'],
    ...dimensionsJson(series, mapping),
  };
  for (const field of fields) {
    const value = field.value(bucket);
    if (value !== undefined) document[field.name] = value;
  }
  return document;
}

async function writeBuckets(
  calls: OwnCalls,
  { source, target, interval }: DownsampleRequest,
  meta: IndexMetadata,
  coordinator: Coordinator,
  progress: DownsampleProgress,
): Promise<void> {
  const mapping = coordinator.mappingOf(meta);
  const plan: BucketPlan = { mapping, fields: bucketFields(mapping), startMs: timeWindow(meta.settings).startMs };
  progress.total = await calls.count([source], { match_all: {} }, undefined);
  for (let after: JsonObject | null = null; ; ) {
    const answer = await calls.searchPlain([source], pageRequest(plan.fields, interval, after));
    const page = (answer['aggregations'] as unknown as { readonly pages: Page }).pages;
    const documents = page.buckets.map((bucket) => ({ id: null, source: documentOf(bucket, plan) }));
    await calls.write(target, documents, '_none');
    for (const bucket of page.buckets) progress.processed += Number(bucket['doc_count']);
    progress.written += documents.length;
    if (page.after_key === undefined) return;
    after = page.after_key;
  }
}

async function awaitShards({ cluster }: DownsampleDoors, uuid: string, target: string): Promise<void> {
  const areStarted = await cluster.waitFor(
    (state) => (state.routing.get(uuid) ?? []).every((copies) => copies.some((copy) => copy.primary && isActive(copy))),
    START_MS,
  );
  if (!areStarted) throw errors.illegalState(`the shards of [${target}] did not start`);
}

/**
 * Waits for writes that were sent before the index refused writes, and makes them visible: all nodes know of the block,
 * and what they had sent to the primaries until then is done. A primary of an earlier build cannot tell that, and fails
 * the run: lifecycles try again until its node has this build.
 */
async function settleWrites({ cluster, coordinator }: DownsampleDoors, source: IndexMetadata): Promise<void> {
  await cluster.submit('await-applied', {});
  const { failures } = await coordinator.broadcast([source], 'await_writes', {}, 'primaries');
  if (failures.length > 0) throw failures[0]!.error;
  await coordinator.refresh([source]);
}

/**
 * Downsamples an index of time series: each series gets one document for each interval. Nothing happens if it is done;
 * what was begun is made again, and documents have the ids that they had. Ends early with the error of `signal`.
 */
export async function downsample(
  doors: DownsampleDoors,
  request: DownsampleRequest,
  signal: AbortSignal,
  progress: DownsampleProgress = { total: 0, processed: 0, written: 0 },
): Promise<void> {
  const { cluster, coordinator } = doors;
  const { uuid } = (await cluster.submit('create-downsampled', request)) as { readonly uuid: string };
  const source = nameIndex(cluster.state()).get(request.source);
  const known = cluster.state().indices.get(uuid);
  if (source === undefined || (known && downsampleStatus(known) === 'success')) return;
  await awaitShards(doors, uuid, request.target);
  await settleWrites(doors, source);
  await writeBuckets(new OwnCalls(coordinator, EVERYBODY, signal), request, source, coordinator, progress);
  const target = cluster.state().indices.get(uuid);
  if (target === undefined) throw errors.illegalState(`the index [${request.target}] was deleted while it was made`);
  await coordinator.refresh([target]);
  const merge = { maxNumSegments: 1, onlyExpungeDeletes: false, flush: true };
  const { failures } = await coordinator.broadcast([target], 'force_merge', merge);
  if (failures.length > 0) throw failures[0]!.error;
  await cluster.submit('finish-downsampled', { uuid });
}

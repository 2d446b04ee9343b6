import { ACTIONS, accessOf } from '../access.js';
import { refresh } from '../admin/refresh.js';
import type { CallContext } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { type IndexMetadata, indexSetting, resolveIndices } from '@shoal/state';
import { makeInTurns, takeTurns } from '../turns.js';
import { actionsOf } from './actions.js';
import type { ByQueryRequest } from './by-query-request.js';
import { checkTarget } from './parse-by-query.js';
import { Progress, progressJson, sumOf } from './progress.js';
import { refuseLimited } from './refuse-limited.js';
import { changeAccess, readingCall } from './reading-call.js';
import { RemoteScroll } from './remote-scroll.js';
import { PointInTime } from './source-pages.js';
import type { SourceHit, SourcePage, SourceReader } from './source-reader.js';
import { pause, writePage } from './write-page.js';

/** Slices of a search of an index that does not say. */
const SLICES_MAX = 1024;
/** Slices of `auto` at most. */
const AUTO_SLICES_MAX = 20;

/** A running call: its counters, its rate, its end. */
export interface ByQueryRun {
  /** Counters as `_tasks` shows them. */
  status(): Record<string, unknown>;
  /** Changes the documents a second of the whole call; slices share them. */
  rethrottle(requestsPerSecond: number): void;
  /** Resolves with the body of the answer and its status. */
  readonly done: Promise<{ readonly status: number; readonly json: Record<string, unknown> }>;
}

/** A wait of the throttle that a new rate can end early. */
interface Throttle {
  end: () => void;
}

interface SliceRun {
  readonly progress: Progress;
  readonly slice: { readonly id: number; readonly max: number } | null;
  readonly maxDocs: number;
  readonly throttle: Throttle;
}

/** What is done with the documents that a call finds. */
export interface PageWork {
  /** Whether a document that fails ends the call, as in 8.12. */
  readonly endsOnFailure: boolean;
  /** Works on the documents of a page, and counts the results. */
  page(hits: readonly SourceHit[], progress: Progress): Promise<void>;
  /** Names of the indices that were written to, for the refresh at the end. */
  readonly written: ReadonlySet<string>;
}

/** Runs the call to its end. Throws what its first search throws, and errors of its script. */
export function startByQuery(context: CoordinatorContext, request: ByQueryRequest, call: CallContext): ByQueryRun {
  return startPages(context, request, call, () => writesOf(context, request, call));
}

/** Runs a call that does something of its own with the documents; `makeWork` is called when it begins. */
export function startPages(
  context: CoordinatorContext,
  request: ByQueryRequest,
  call: CallContext,
  makeWork: () => PageWork | Promise<PageWork>,
): ByQueryRun {
  const startedMs = context.clock.monotonic();
  checkSource(context, request, call);
  checkTarget(request, context.cluster.state(), accessOf(call, ACTIONS.search), context.clock.now());
  const reading = readingCall(request, call);
  refuseLimited(context.cluster.state(), request, reading, context.clock.now());
  const runs = sliceRuns(request, sliceCount(context, request, reading));
  const slices = runs.map((run) => run.progress);
  const now = (): number => context.clock.monotonic();
  return {
    status: () => progressJson(slices, now()),
    rethrottle: (requestsPerSecond) => {
      for (const { progress, throttle } of runs) {
        progress.requestsPerSecond = requestsPerSecond / runs.length;
        throttle.end();
      }
    },
    done: runAll(context, request, runs, call, makeWork).then(() => {
      const sum = sumOf(slices);
      const { failures } = sum;
      const json = {
        took: Math.round(now() - startedMs),
        timed_out: sum.timedOut,
        ...progressJson(slices, now()),
        failures,
      };
      return { status: sum.status, json };
    }),
  };
}

/** Throws for an index in which the caller may not change documents, also where none of its documents would match. */
function checkSource(context: CoordinatorContext, request: ByQueryRequest, call: CallContext): void {
  const access = changeAccess(request, call);
  if (access === null) return;
  const { names, options } = request.source;
  resolveIndices(context.cluster.state(), names, options, access, context.clock.now());
}

function sliceCount(
  context: CoordinatorContext,
  { slices, source, remote }: ByQueryRequest,
  call: CallContext,
): number {
  if (remote !== null || slices === 1) return 1;
  const state = context.cluster.state();
  const indices = resolveIndices(
    state,
    source.names,
    source.options,
    accessOf(call, ACTIONS.search),
    context.clock.now(),
  );
  if (slices !== 'auto') return checkedSlices(slices, indices);
  const shards = indices.reduce((most, index) => Math.max(most, index.numberOfShards), 1);
  return Math.min(shards, AUTO_SLICES_MAX);
}

/** Refuses what the search of a slice would refuse, before there is one for each. */
function checkedSlices(slices: number, indices: readonly IndexMetadata[]): number {
  const limits = indices.map(({ settings }) =>
    Number(indexSetting(settings, 'index.max_slices_per_scroll') ?? SLICES_MAX),
  );
  const bound = limits.length === 0 ? SLICES_MAX : limits.reduce((least, limit) => Math.min(least, limit));
  if (slices <= bound) return slices;
  throw errors.illegalArgument(
    `The number of slices [${slices}] is too large. It must be less than [${bound}]. This limit can be set by ` +
      'changing the [index.max_slices_per_scroll] index level setting.',
  );
}

/** The number of the slice that a call itself asks for. */
function ownSlice({ search }: ByQueryRequest): number | null {
  const { slice } = search;
  return isPlainObject(slice) && typeof slice['id'] === 'number' ? slice['id'] : null;
}

function sliceRuns(request: ByQueryRequest, count: number): SliceRun[] {
  const { kind, maxDocs, requestsPerSecond } = request;
  return Array.from({ length: count }, (_none, id) => ({
    progress: new Progress(kind, requestsPerSecond / count, count === 1 ? ownSlice(request) : id),
    slice: count === 1 ? null : { id, max: count },
    maxDocs: maxDocs === null ? Infinity : Math.floor(maxDocs / count) + (id < maxDocs % count ? 1 : 0),
    throttle: { end: () => undefined },
  }));
}

async function runAll(
  context: CoordinatorContext,
  request: ByQueryRequest,
  runs: readonly SliceRun[],
  call: CallContext,
  makeWork: () => PageWork | Promise<PageWork>,
): Promise<void> {
  const work = await makeWork();
  const source =
    request.remote === null
      ? await PointInTime.open(context, request, call)
      : new RemoteScroll(context, request, request.remote, call);
  try {
    const part: Part = { context, request, source, work, call, hasFailed: false };
    // All are waited for: nothing is written any more when the call is answered.
    const ends = await Promise.allSettled(runs.map((run) => runSlice(part, run)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  } finally {
    await source.close();
  }
  if (request.refresh) await refreshWritten(context, work.written);
}

async function refreshWritten(context: CoordinatorContext, names: ReadonlySet<string>): Promise<void> {
  const state = context.cluster.state();
  const indices = [...state.indices.values()].filter((index) => names.has(index.name));
  if (indices.length > 0) await refresh(context, indices);
}

/** What all slices of a call share. */
interface Part {
  readonly context: CoordinatorContext;
  readonly request: ByQueryRequest;
  readonly source: SourceReader;
  readonly work: PageWork;
  readonly call: CallContext;
  /** Set by the first slice that throws: the others end with their page. */
  hasFailed: boolean;
}

/** Runs a slice to its end. A cancelled one ends with what it has done; its searches and writes fail then. */
async function runSlice(part: Part, run: SliceRun): Promise<void> {
  try {
    await runPages(part, run);
  } catch (error) {
    if (isCancelled(run.progress, part.call)) return;
    part.hasFailed = true;
    throw error;
  }
}

/** Works on the pages of a slice one after the other. */
export async function runPages(part: Part, run: SliceRun): Promise<void> {
  const { context, request, source, work, call } = part;
  const { progress, slice, maxDocs } = run;
  const { pageSize } = request;
  let left = maxDocs;
  const read = (after: readonly unknown[] | null): Promise<SourcePage> => {
    const waitMs = (pageSize / progress.requestsPerSecond) * 1000;
    return source.page(slice, after, Math.min(pageSize, left), waitMs);
  };
  let ahead: Promise<SourcePage> | null = null;
  let after: readonly unknown[] | null = null;
  try {
    while (left > 0 && !part.hasFailed && !(work.endsOnFailure && progress.failures.length > 0)) {
      const startedMs = context.clock.monotonic();
      const page: SourcePage = await (ahead ?? read(after));
      ahead = null;
      if (page.total !== null) progress.total = Math.min(page.total, maxDocs);
      if (page.hits.length === 0 || isCancelled(progress, call)) return;
      progress.batches++;
      left -= page.hits.length;
      after = page.after;
      const isLast = page.hits.length < pageSize || left <= 0;
      if (!isLast && readsAhead(page, progress)) ahead = read(after);
      // Told when it is awaited.
      ahead?.catch(() => undefined);
      await work.page(page.hits, progress);
      if (isLast || isCancelled(progress, call)) return;
      await throttle(context, run, page.hits.length, startedMs, call.signal);
    }
  } finally {
    // Its search uses the point in time, which is closed next.
    await ahead?.catch(() => undefined);
  }
}

/** Bytes of sources of a page up to which the next one is read while it is written. */
const AHEAD_BYTES_MAX = 8 * 2 ** 20;

/** Whether the next page is read while this one is written: not while the throttle has it wait, nor if it is large. */
const readsAhead = ({ bytes }: SourcePage, { requestsPerSecond }: Progress): boolean =>
  bytes <= AHEAD_BYTES_MAX && !Number.isFinite(requestsPerSecond);

function isCancelled(progress: Progress, { signal }: CallContext): boolean {
  if (!signal.aborted) return false;
  const { reason } = signal as { reason: unknown };
  progress.cancelled = reason instanceof Error ? reason.message : 'by user request';
  return true;
}

/** What the calls of 8.12 do: a bulk for each page. */
function writesOf(context: CoordinatorContext, request: ByQueryRequest, call: CallContext): PageWork {
  const toAction = actionsOf(context.cluster.state(), request, context.clock.now());
  const written = new Set<string>();
  // Taken before the first search: what resolves a page is none of this call's work.
  const turns = takeTurns(context.clock, call.signal);
  return {
    endsOnFailure: true,
    written,
    async page(hits, progress) {
      const actions = await makeInTurns(hits, toAction, turns);
      progress.noops += actions.filter((action) => action === null).length;
      const changed = actions.filter((action) => action !== null);
      if (changed.length > 0) await writePage({ context, request, turns, call }, changed, progress, written);
    },
  };
}

/** Waits as long as a page of so many documents has to take at the rate. */
async function throttle(
  context: CoordinatorContext,
  { progress, throttle: wait }: SliceRun,
  count: number,
  startedMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = context;
  const beganMs = clock.monotonic();
  const untilMs = (): number => startedMs + (count / progress.requestsPerSecond) * 1000;
  while (Number.isFinite(progress.requestsPerSecond) && clock.monotonic() < untilMs() && !signal.aborted) {
    progress.throttledUntilMs = untilMs();
    const early = new AbortController();
    wait.end = () => early.abort();
    await pause(clock, untilMs() - clock.monotonic(), AbortSignal.any([signal, early.signal]));
  }
  progress.throttledUntilMs = 0;
  progress.throttledMs += Math.round(clock.monotonic() - beganMs);
}

import { doubleNumber, parseJson, stringify } from '@shoal/json';
import { refresh } from '../admin/refresh.js';
import { writeOperations } from '../bulk/bulk.js';
import { plainWrite } from '../bulk/plain-write.js';
import type { WriteOperation, WriteOptions } from '../bulk/write-request.js';
import { writeUnkept } from '../bulk/write.js';
import type { Progress } from '../by-query/progress.js';
import { type ByQueryRun, type PageWork, startPages } from '../by-query/run-by-query.js';
import type { SourceHit } from '../by-query/source-reader.js';
import { pause, RETRIES_MAX, RETRY_FIRST_MS } from '../by-query/write-page.js';
import type { CallContext } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { copyRequest } from '../enrich/copy-request.js';
import { type EntryOperation, operationOfEntry } from './entry-operation.js';
import { errorOf } from './entry.js';
import { Foresight } from './foresee.js';
import { writeOwn } from './own-writes.js';
import { withQuarantines } from './quarantine-access.js';
import type { Quarantine } from './quarantine-index.js';
import { RefusedDocument } from './refusal.js';
import { failedReplay, type Replayed } from './replayed.js';
import type { ReplayRequest } from './replay-request.js';

/** Entries of a page. */
const PAGE_SIZE = 200;
/** Failures that are listed; more are only counted. */
const FAILURES_MAX = 1000;
const CONFLICT = 409;
const TOO_MANY_REQUESTS = 429;

/** What a replay counts besides the counters of by-query calls. */
interface Counts {
  replayed: number;
  failed: number;
}

/**
 * Writes the documents of quarantines again, the oldest first, as the caller. An entry whose document was written goes;
 * one that fails stays, with one attempt more and its new error. A failure does not end the replay.
 */
export function startReplay(
  context: CoordinatorContext,
  found: readonly Quarantine[],
  request: ReplayRequest,
  call: CallContext,
): ByQueryRun {
  const counts: Counts = { replayed: 0, failed: 0 };
  const indices = found.flatMap((one) => one.indices.filter(({ state }) => state === 'open'));
  const render = (json: Record<string, unknown>): Record<string, unknown> => {
    const { failures, took, timed_out: timedOut, deleted: _deleted, ...rest } = json;
    const first = took === undefined ? {} : { took, timed_out: timedOut };
    const last = failures === undefined ? {} : { failures };
    return { ...first, dry_run: request.isDryRun, ...rest, ...counts, ...last };
  };
  if (indices.length === 0) return nothing(render);
  const names = indices.map(({ name }) => name);
  const search = {
    ...(request.query === undefined ? {} : { query: request.query }),
    sort: [{ '@timestamp': 'asc' }],
  };
  const { maxDocs, requestsPerSecond, refresh: refreshes, timeoutMs, waitForActiveShards } = request;
  const copy = { ...copyRequest(names, search, null), pageSize: PAGE_SIZE };
  const asked = { ...copy, maxDocs, requestsPerSecond, refresh: refreshes, timeoutMs, waitForActiveShards };
  const run = startPages(context, asked, withQuarantines(call, found), async () => {
    await refresh(context, indices);
    return replayWork(context, request, counts, call);
  });
  return {
    ...run,
    status: () => render(run.status()),
    done: run.done.then(({ json }) => ({ status: 200, json: render(json) })),
  };
}

/** The run of a replay of no quarantine. */
function nothing(render: (json: Record<string, unknown>) => Record<string, unknown>): ByQueryRun {
  const counters = {
    ...{ total: 0, updated: 0, created: 0, batches: 0, version_conflicts: 0, noops: 0 },
    ...{ retries: { bulk: 0, search: 0 }, throttled_millis: 0, requests_per_second: doubleNumber(-1) },
    throttled_until_millis: 0,
  };
  return {
    status: () => render(counters),
    rethrottle: () => undefined,
    done: Promise.resolve({ status: 200, json: render({ took: 0, timed_out: false, ...counters, failures: [] }) }),
  };
}

/** An entry with its write. */
interface ReplayEntry extends EntryOperation {
  readonly hit: SourceHit;
}

function replayWork(context: CoordinatorContext, request: ReplayRequest, counts: Counts, call: CallContext): PageWork {
  const written = new Set<string>();
  const options: WriteOptions = { ...request, refresh: 'none', quarantine: false };
  const foresight = request.isDryRun ? new Foresight(context, options, call) : null;
  return {
    endsOnFailure: false,
    written,
    async page(hits, progress) {
      const entries = hits.flatMap((hit): ReplayEntry[] => {
        const entry = operationOfEntry(hit, request.pipeline);
        return entry === null ? [] : [{ hit, ...entry }];
      });
      const outcomes = foresight
        ? await foresight.of(entries.map(({ operation }) => operation))
        : await writeAll(
            context,
            entries.map(({ operation }) => operation),
            options,
            progress,
            call,
          );
      const settled = entries.map((entry, i) => settledAs(entry, outcomes[i]!));
      settled.forEach((outcome, i) => count(entries[i]!, outcome, counts, progress, written));
      if (!request.isDryRun) await settle(context, entries, settled, request.timeoutMs, call);
    },
  };
}

/**
 * A document without an id of the client's has the id of its entry: if it is there, an earlier replay has written it.
 */
function settledAs({ isAutoId, operation }: ReplayEntry, outcome: Replayed): Replayed {
  const isThere = isAutoId && 'status' in outcome && outcome.status === CONFLICT;
  return isThere ? { result: 'noop', index: operation.index } : outcome;
}

function count(
  { hit, operation }: ReplayEntry,
  outcome: Replayed,
  counts: Counts,
  progress: Progress,
  written: Set<string>,
): void {
  if ('result' in outcome) {
    counts.replayed++;
    written.add(outcome.index);
    if (outcome.result === 'created') progress.created++;
    else if (outcome.result === 'updated') progress.updated++;
    else progress.noops++;
    return;
  }
  const { status, cause } = outcome;
  counts.failed++;
  if (status === CONFLICT) progress.versionConflicts++;
  if (progress.failures.length >= FAILURES_MAX) return;
  const entry = { _index: hit.index, _id: hit.id };
  progress.fail({ index: operation.index, id: operation.id, entry, cause, status }, status);
}

/** Writes documents in order: updates one by one, as the calls that they came by, all others as bulks. */
async function writeAll(
  context: CoordinatorContext,
  operations: readonly WriteOperation[],
  options: WriteOptions,
  progress: Progress,
  call: CallContext,
): Promise<Replayed[]> {
  const outcomes: Replayed[] = [];
  for (let from = 0; from < operations.length; ) {
    let to = from + 1;
    if (operations[from]!.op === 'update') {
      outcomes.push(await update(context, { ...options, operation: operations[from]! }, call));
    } else {
      while (to < operations.length && operations[to]!.op !== 'update') to++;
      outcomes.push(...(await writeGroup(context, operations.slice(from, to), options, progress, call)));
    }
    from = to;
  }
  return outcomes;
}

async function update(
  context: CoordinatorContext,
  request: WriteOptions & { readonly operation: WriteOperation },
  call: CallContext,
): Promise<Replayed> {
  try {
    const { chunks } = await writeUnkept(context, request, call);
    const { _index: index, result } = parseJson(Buffer.concat(chunks)) as { _index: string; result: 'updated' };
    return { result, index };
  } catch (thrown) {
    if (thrown instanceof RefusedDocument) return failedReplay(thrown.error, thrown);
    return failedReplay(context.apiError(thrown));
  }
}

interface ItemAnswer {
  readonly _index: string;
  readonly status: number;
  readonly result?: 'created' | 'updated' | 'deleted' | 'noop';
  readonly error?: Record<string, unknown>;
}

/** Writes documents as a bulk, again those that were rejected for lack of memory or of threads. */
async function writeGroup(
  context: CoordinatorContext,
  operations: readonly WriteOperation[],
  options: WriteOptions,
  progress: Progress,
  call: CallContext,
): Promise<Replayed[]> {
  const outcomes: Replayed[] = [];
  let waiting = operations.map((_operation, i) => i);
  for (let attempt = 0; ; attempt++) {
    const answers = await bulkOnce(
      context,
      waiting.map((i) => operations[i]!),
      options,
      call,
    );
    answers.forEach((answer, i) => (outcomes[waiting[i]!] = answer));
    const isLast = attempt === RETRIES_MAX || call.signal.aborted;
    waiting = isLast ? [] : waiting.filter((i) => isRejected(outcomes[i]!));
    if (waiting.length === 0) return outcomes;
    progress.bulkRetries++;
    await pause(context.clock, RETRY_FIRST_MS * 2 ** attempt, call.signal);
  }
}

const isRejected = (outcome: Replayed): boolean => 'status' in outcome && outcome.status === TOO_MANY_REQUESTS;

async function bulkOnce(
  context: CoordinatorContext,
  operations: readonly WriteOperation[],
  options: WriteOptions,
  call: CallContext,
): Promise<Replayed[]> {
  try {
    const { json, refused } = await writeOperations(context, options, call, operations);
    const items = parseJson(Buffer.concat([Buffer.from('['), json, Buffer.from(']')])) as Record<string, ItemAnswer>[];
    const refusals = new Map(refused.map((item) => [item.position, item]));
    return items.map((item, position): Replayed => {
      const { _index: index, status, result, error } = Object.values(item)[0]!;
      if (error === undefined) return { result: result!, index };
      const refusal = refusals.get(position);
      const known = refusal ? errorOf(refusal) : { type: error['type'], reason: error['reason'] };
      return { status, cause: error, error: known };
    });
  } catch (thrown) {
    const failure = failedReplay(context.apiError(thrown));
    return operations.map(() => failure);
  }
}

/** Deletes the entries whose documents were written, and counts the attempt at the others. */
async function settle(
  context: CoordinatorContext,
  entries: readonly ReplayEntry[],
  outcomes: readonly Replayed[],
  timeoutMs: number,
  call: CallContext,
): Promise<void> {
  // The node had no room for them, or the call was cancelled: that says nothing about the documents.
  const decided = entries.filter((_entry, i) => !isRejected(outcomes[i]!));
  const results = outcomes.filter((outcome) => !isRejected(outcome));
  const changes = decided.map(({ hit }, i) => changeOf(hit, results[i]!, context.clock.now()));
  if (changes.length === 0) return;
  const release = context.takeWrite(changes.reduce((sum, { source }) => sum + source.length, 0));
  try {
    const outcome = await writeOwn(context, changes, timeoutMs, call);
    context.quarantine.replayed += results.filter((one) => 'result' in one).length;
    const failure = outcome.find((one) => 'status' in one && one.status !== CONFLICT && one.status !== 404);
    // The documents are written: another replay would write them again.
    if (failure !== undefined) throw failure;
  } finally {
    release();
  }
}

/** The change of an entry, if nobody else has changed it since it was read. */
function changeOf(hit: SourceHit, outcome: Replayed, nowMs: number): WriteOperation {
  const isDone = 'result' in outcome;
  const source = isDone
    ? new Uint8Array(0)
    : Buffer.from(stringify(triedAgain(hit.source!.read(), outcome.error, nowMs)));
  return plainWrite(isDone ? 'delete' : 'index', hit.index, hit.id, source, hit);
}

function triedAgain(
  source: Readonly<Record<string, unknown>>,
  error: Readonly<Record<string, unknown>>,
  nowMs: number,
): Record<string, unknown> {
  const attempts = Number(source['attempts'] ?? 1);
  return {
    ...source,
    error,
    attempts: Number.isInteger(attempts) ? attempts + 1 : 2,
    last_attempt: new Date(nowMs).toISOString(),
  };
}

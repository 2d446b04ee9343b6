import type { Clock } from '@shoal/doors';
import { parseJson, stringify } from '@shoal/json';
import { bulk } from '../bulk/bulk.js';
import type { CallContext } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import type { Action } from './actions.js';
import type { ByQueryRequest } from './by-query-request.js';
import type { Progress } from './progress.js';

/** Waits between attempts of writes that were rejected for lack of memory or of threads. */
export const RETRY_FIRST_MS = 500;
export const RETRIES_MAX = 11;
const TOO_MANY_REQUESTS = 429;
const CONFLICT = 409;

/** Waits; resolves at once when the signal aborts. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted || ms <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      timer.cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.after(ms, end);
    signal.addEventListener('abort', end);
  });
}

interface ItemAnswer {
  readonly _index: string;
  readonly _id: string;
  readonly status: number;
  readonly result?: string;
  readonly error?: Record<string, unknown>;
}

function linesOf(actions: readonly Action[]): Uint8Array {
  const lines = actions.map(({ op, meta, source }) => {
    const head = `${JSON.stringify({ [op]: meta })}\n`;
    return source === null ? head : `${head}${stringify(source)}\n`;
  });
  return Buffer.from(lines.join(''), 'utf8');
}

async function send(
  context: CoordinatorContext,
  request: ByQueryRequest,
  actions: readonly Action[],
  call: CallContext,
): Promise<readonly ItemAnswer[]> {
  const answer = await bulk(
    context,
    {
      body: linesOf(actions),
      index: null,
      routing: null,
      pipeline: null,
      requireAlias: null,
      updateSource: undefined,
      listsPipelines: false,
      allowType: false,
      refresh: 'none',
      timeoutMs: request.timeoutMs,
      waitForActiveShards: request.waitForActiveShards,
      // What is refused is still where it was read.
      quarantine: false,
    },
    call,
  );
  const { items } = parseJson(Buffer.concat(answer.chunks)) as { items: readonly Record<string, ItemAnswer>[] };
  return items.map((item) => Object.values(item)[0]!);
}

/** Writes the documents of a page, again those that were rejected, and counts the results. */
export async function writePage(
  context: CoordinatorContext,
  request: ByQueryRequest,
  actions: readonly Action[],
  progress: Progress,
  written: Set<string>,
  call: CallContext,
): Promise<void> {
  let waiting = actions;
  for (let attempt = 0; waiting.length > 0; attempt++) {
    const sent = waiting;
    const isLast = attempt === RETRIES_MAX;
    const answers = await sendUnlessFull(context, request, sent, isLast, call);
    waiting = answers === null ? sent : sent.filter((_a, i) => answers[i]!.status === TOO_MANY_REQUESTS && !isLast);
    countAll(answers ?? [], isLast, request.proceedsOnConflict, progress, written);
    if (waiting.length === 0) return;
    progress.bulkRetries++;
    await pause(context.clock, RETRY_FIRST_MS * 2 ** attempt, call.signal);
    if (call.signal.aborted) return;
  }
}

function countAll(
  answers: readonly ItemAnswer[],
  isLast: boolean,
  proceeds: boolean,
  progress: Progress,
  written: Set<string>,
): void {
  for (const answer of answers) {
    if (answer.error === undefined) written.add(answer._index);
    if (answer.status !== TOO_MANY_REQUESTS || isLast) count(answer, proceeds, progress);
  }
}

/** Sends a bulk; null if the node has no room for any of it now, unless this is the last attempt. */
async function sendUnlessFull(
  context: CoordinatorContext,
  request: ByQueryRequest,
  actions: readonly Action[],
  isLast: boolean,
  call: CallContext,
): Promise<readonly ItemAnswer[] | null> {
  try {
    return await send(context, request, actions, call);
  } catch (error) {
    if (isLast || context.apiError(error).status !== TOO_MANY_REQUESTS) throw error;
    return null;
  }
}

function count(answer: ItemAnswer, proceeds: boolean, progress: Progress): void {
  const { status, result, error } = answer;
  if (error === undefined) {
    if (result === 'created') progress.created++;
    else if (result === 'updated') progress.updated++;
    else if (result === 'deleted') progress.deleted++;
    else if (result === 'noop') progress.noops++;
    return;
  }
  if (status === CONFLICT) {
    progress.versionConflicts++;
    if (proceeds) return;
  }
  progress.fail({ index: answer._index, id: answer._id, cause: error, status }, status);
}

import type { Clock } from '@shoal/doors';
import { parseJson, stringify } from '@shoal/json';
import { parseVersionType } from '../bulk/action-line.js';
import { writeOperations } from '../bulk/bulk.js';
import { documentValuesMax } from '../bulk/document-values.js';
import { validateOperation, validationError } from '../bulk/validate-operation.js';
import type { WriteOperation, WriteOptions } from '../bulk/write-request.js';
import type { CallContext } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { makeInTurns, type Turns } from '../turns.js';
import type { Action } from './actions.js';
import type { ByQueryRequest } from './by-query-request.js';
import type { Progress } from './progress.js';
import { SourceText } from './source-reader.js';

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

const NO_SOURCE = new Uint8Array(0);

function bytesOf(source: Action['source']): Uint8Array {
  if (source === null) return NO_SOURCE;
  return source instanceof SourceText ? source.bytes : Buffer.from(stringify(source), 'utf8');
}

const textOf = (value: unknown): string | null => (value === undefined ? null : String(value));
const longOf = (value: unknown): number | null => (value === undefined ? null : Math.trunc(Number(value)));

/** The operation of a bulk whose line and source these are. */
function operationOf({ op, meta, source }: Action): WriteOperation {
  const versionType = textOf(meta['version_type']);
  return {
    op,
    index: textOf(meta['_index']) ?? '',
    id: textOf(meta['_id']),
    routing: textOf(meta['routing']),
    requireAlias: meta['require_alias'] === true,
    pipeline: textOf(meta['pipeline']),
    version: longOf(meta['version']),
    versionType: versionType === null ? 'internal' : parseVersionType(versionType),
    ifSeqNo: longOf(meta['if_seq_no']),
    ifPrimaryTerm: longOf(meta['if_primary_term']),
    retryOnConflict: 0,
    source: bytesOf(source),
    updateSource: undefined,
    dynamicTemplates: null,
    executedPipelines: null,
  };
}

/** Makes the operations of a page. Throws if any is malformed: then nothing is written. */
async function operationsOf(
  context: CoordinatorContext,
  actions: readonly Action[],
  turns: Turns,
): Promise<readonly WriteOperation[]> {
  const messages: string[] = [];
  const valuesMax = documentValuesMax(context.cluster.state());
  const checked = (action: Action): WriteOperation => {
    const operation = operationOf(action);
    validateOperation(operation, messages, valuesMax);
    return operation;
  };
  const operations = await makeInTurns(actions, checked, turns);
  if (messages.length > 0) throw validationError(messages);
  return operations;
}

/** Bytes of sources that are written at once. */
const PIECE_BYTES_MAX = 8 * 2 ** 20;

function* piecesOf(operations: readonly WriteOperation[]): Generator<readonly WriteOperation[]> {
  let from = 0;
  let bytes = 0;
  for (let i = 0; i < operations.length; i++) {
    bytes += operations[i]!.source.length;
    if (bytes < PIECE_BYTES_MAX && i < operations.length - 1) continue;
    yield operations.slice(from, i + 1);
    [from, bytes] = [i + 1, 0];
  }
}

/** Writes operations piece by piece. Each is counted when it is answered: a later one may throw. */
async function send(
  context: CoordinatorContext,
  options: WriteOptions,
  operations: readonly WriteOperation[],
  { isLast, countPiece }: Attempt,
  call: CallContext,
): Promise<readonly ItemAnswer[]> {
  const answers: ItemAnswer[] = [];
  for (const piece of piecesOf(operations)) {
    const more = await sendUnlessFull(context, options, piece, { isLast, isLater: answers.length > 0 }, call);
    countPiece(more);
    answers.push(...more);
  }
  return answers;
}

/** An attempt to write what is left of a page. */
interface Attempt {
  readonly isLast: boolean;
  /** Counts what became of a piece. */
  countPiece(answers: readonly ItemAnswer[]): void;
}

/** The call whose pages are written. */
interface WritingCall {
  readonly context: CoordinatorContext;
  readonly request: ByQueryRequest;
  readonly turns: Turns;
  readonly call: CallContext;
}

/** Writes the documents of a page, again those that were rejected, and counts the results. */
export async function writePage(
  { context, request, turns, call }: WritingCall,
  actions: readonly Action[],
  progress: Progress,
  written: Set<string>,
): Promise<void> {
  const { timeoutMs, waitForActiveShards, proceedsOnConflict } = request;
  // What is refused is still where it was read.
  const options: WriteOptions = { refresh: 'none', timeoutMs, waitForActiveShards, quarantine: false };
  let waiting = await operationsOf(context, actions, turns);
  for (let attempt = 0; waiting.length > 0; attempt++) {
    const isLast = attempt === RETRIES_MAX;
    const countPiece = (answers: readonly ItemAnswer[]): void =>
      countAll(answers, isLast, proceedsOnConflict, progress, written);
    const answers = await send(context, options, waiting, { isLast, countPiece }, call);
    waiting = isLast ? [] : waiting.filter((_operation, i) => answers[i]!.status === TOO_MANY_REQUESTS);
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

/** Writes a piece; if the node has no room for any of it now, all are rejected, unless this is the last attempt. */
async function sendUnlessFull(
  context: CoordinatorContext,
  options: WriteOptions,
  operations: readonly WriteOperation[],
  { isLast, isLater }: { readonly isLast: boolean; readonly isLater: boolean },
  call: CallContext,
): Promise<readonly ItemAnswer[]> {
  try {
    const { json } = await writeOperations(context, options, call, operations, isLater);
    const items = parseJson(Buffer.concat([OPEN, json, CLOSE])) as readonly Record<string, ItemAnswer>[];
    return items.map((item) => Object.values(item)[0]!);
  } catch (error) {
    const { status, type, reason } = context.apiError(error);
    if (isLast || status !== TOO_MANY_REQUESTS) throw error;
    return operations.map(({ index, id }) => ({ _index: index, _id: id ?? '', status, error: { type, reason } }));
  }
}

const [OPEN, CLOSE] = [Buffer.from('['), Buffer.from(']')];

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

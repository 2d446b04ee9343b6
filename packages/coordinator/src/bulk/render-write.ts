import type { IndexMetadata } from '@shoal/state';
import { type ApiError, renderCause } from '@shoal/errors';
import { errorOf, type shard as messages } from '@shoal/protocol';
import type { RefusedWrite, RoutedWrite } from './resolve-operation.js';
import type { WriteOperation } from './write-request.js';

/** Values that all results of the batch of one shard share. */
export interface BatchOutcome {
  readonly forcedRefresh: boolean;
  /** `_shards` of writes that changed a document, as JSON. */
  readonly shards: string;
  readonly withType: boolean;
  /** Whether the write was sent outside of a bulk; its `_shards` are then 0 if it changed nothing. */
  readonly isSingle?: true;
}

const RESULTS = ['created', 'updated', 'deleted', 'noop', 'not_found'];
const STATUSES = [201, 200, 200, 200, 404];
const OUTCOME_NOOP = 3;
const OUTCOME_FAILED = 5;
/** Version of a write that names none. */
const MATCH_ANY = -3;
const NO_SHARDS = '{"total":0,"successful":0,"failed":0}';

/**
 * Renders `_shards` of the writes of a batch. If the shard reports nothing about its copies, all `active` copies have
 * the write.
 */
export function shardsJson(
  batch: { readonly index: IndexMetadata },
  response: messages.BulkShardResponse,
  active: number,
): string {
  const { copiesTotal, copiesSuccessful } = response;
  if (!copiesTotal) return `{"total":${1 + batch.index.numberOfReplicas},"successful":${active},"failed":0}`;
  return `{"total":${copiesTotal},"successful":${copiesSuccessful ?? copiesTotal},"failed":0}`;
}

/** Whether a string needs no escapes in JSON: ASCII without control characters, quotes and backslashes. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || unit > 0x7e || unit === 0x22 || unit === 0x5c) return false;
  }
  return true;
}

function quoted(text: string): string {
  return isPlain(text) ? `"${text}"` : JSON.stringify(text);
}

/** Whether a write failed. */
export function isFailed(result: messages.WriteResult): boolean {
  return result.outcome === OUTCOME_FAILED;
}

/** Returns the HTTP status of a result. */
export function statusOfResult(result: messages.WriteResult): number {
  return STATUSES[result.outcome]!;
}

/** Returns the error of a failed result. */
export function resultError(result: messages.WriteResult): ApiError {
  return errorOf(result.error!);
}

function bytesText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

/** Renders the members of the answer of a write before and after the value of `_seq_no`. */
function aroundSeqNo(
  result: messages.WriteResult,
  outcome: BatchOutcome,
): { readonly before: string; readonly after: string } {
  const forced = outcome.forcedRefresh && result.outcome !== OUTCOME_NOOP ? ',"forced_refresh":true' : '';
  const shards = result.outcome === OUTCOME_NOOP && outcome.isSingle === true ? NO_SHARDS : outcome.shards;
  const get = result.get ? `,"get":${bytesText(result.get)}` : '';
  const type = outcome.withType ? ',"_type":"_doc"' : '';
  return {
    before:
      `,"_version":${result.version},"result":"${RESULTS[result.outcome]}"${forced},` +
      `"_shards":${shards},"_seq_no":`,
    after: `,"_primary_term":${result.primaryTerm}${get}${type}`,
  };
}

/** Renders `executed_pipelines` of a write that lists them. */
function executedJson({ op, executedPipelines }: WriteOperation): string {
  if (executedPipelines === null || (op !== 'index' && op !== 'create')) return '';
  return `,"executed_pipelines":${JSON.stringify(executedPipelines)}`;
}

/** Renders the members of the answer of a write, without braces. */
export function resultMembers(write: RoutedWrite, result: messages.WriteResult, outcome: BatchOutcome): string {
  const { before, after } = aroundSeqNo(result, outcome);
  const executed = executedJson(write.operation);
  return `"_index":${quoted(write.index.name)},"_id":${quoted(write.id)}${before}${result.seqNo}${after}${executed}`;
}

/** Returns the key of an item in the answer: its action, `create` for `op_type: create`. */
function actionName(operation: WriteOperation): string {
  return operation.op;
}

function failureJson(operation: WriteOperation, indexName: string, id: string | null, error: ApiError): string {
  const idText = id === null ? 'null' : quoted(id);
  return (
    `{"${actionName(operation)}":{"_index":${quoted(indexName)},"_id":${idText},"status":${error.status},` +
    `"error":${JSON.stringify(renderCause(error))}}}`
  );
}

/** Renders one entry of `items`. */
export function itemJson(write: RoutedWrite, result: messages.WriteResult, outcome: BatchOutcome): string {
  if (isFailed(result)) return failureJson(write.operation, write.index.name, write.id, resultError(result));
  const members = resultMembers(write, result, outcome);
  return `{"${actionName(write.operation)}":{${members},"status":${STATUSES[result.outcome]!}}}`;
}

/** Number of strings for each item in the array that `ItemWriter` fills. */
export const ITEM_PIECES = 5;

/**
 * Writes the items of one batch to `json`: `ITEM_PIECES` strings for each item, to be joined. The last one ends with a
 * comma.
 */
export class ItemWriter {
  readonly #json: string[];
  readonly #outcome: BatchOutcome;
  readonly #heads = new Map<string, string>();
  /**
   * Result that `#middle` (between id and `_seq_no`) and `#tail` (after it) were rendered for. They are reused while
   * results are alike.
   */
  #last: messages.WriteResult | null = null;
  #middle = '';
  #tail = '';

  constructor(json: string[], outcome: BatchOutcome) {
    this.#json = json;
    this.#outcome = outcome;
  }

  write(position: number, write: RoutedWrite, result: messages.WriteResult): void {
    const isPlainResult = !isFailed(result) && !result.get && write.operation.executedPipelines === null;
    if (!isPlainResult) return setItem(this.#json, position, itemJson(write, result, this.#outcome));
    if (!isAlike(this.#last, result)) this.#prepare(result);
    const at = position * ITEM_PIECES;
    const json = this.#json;
    json[at] = this.#head(write);
    json[at + 1] = isPlain(write.id) ? write.id : JSON.stringify(write.id).slice(1, -1);
    json[at + 2] = this.#middle;
    json[at + 3] = String(result.seqNo);
    json[at + 4] = this.#tail;
  }

  #head({ operation, index }: RoutedWrite): string {
    const known = this.#heads.get(operation.op);
    if (known !== undefined) return known;
    const head = `{"${actionName(operation)}":{"_index":${quoted(index.name)},"_id":"`;
    this.#heads.set(operation.op, head);
    return head;
  }

  #prepare(result: messages.WriteResult): void {
    this.#last = result;
    const { before, after } = aroundSeqNo(result, this.#outcome);
    this.#middle = `"${before}`;
    this.#tail = `${after},"status":${STATUSES[result.outcome]!}}},`;
  }
}

const isAlike = (a: messages.WriteResult | null, b: messages.WriteResult): boolean =>
  a !== null && a.outcome === b.outcome && a.version === b.version && a.primaryTerm === b.primaryTerm;

/** Sets an item as one string. */
export function setItem(json: string[], position: number, item: string): void {
  const at = position * ITEM_PIECES;
  json[at] = item;
  json[at + ITEM_PIECES - 1] = ',';
}

/** Returns an item that was set as one string. */
export function takeItem(json: readonly string[], position: number): string {
  return json[position * ITEM_PIECES]!;
}

/** Makes the array of strings for `count` items. */
export const emptyItems = (count: number): string[] => new Array<string>(count * ITEM_PIECES).fill('');

/** Joins the items to JSON, without brackets. */
export function joinItems(json: string[]): string {
  const last = json.length - 1;
  json[last] = json[last]!.slice(0, -1);
  return json.join('');
}

/** Renders an item whose batch failed. */
export function failedItemJson(write: RoutedWrite, error: ApiError): string {
  return failureJson(write.operation, write.index.name, write.id, error);
}

/** Id of a dropped document that has none, as 8.12 shows it. */
const NO_ID = 'auto-generated';

/** Renders the members of the answer of a write whose document a pipeline dropped, without braces. */
export function droppedMembers({ index, id, version }: WriteOperation): string {
  return (
    `"_index":${quoted(index)},"_id":${quoted(id ?? NO_ID)},"_version":${version ?? MATCH_ANY},"result":"noop",` +
    `"_shards":${NO_SHARDS}`
  );
}

/** Renders the item of a write whose document a pipeline dropped. */
export function droppedItemJson(operation: WriteOperation): string {
  return `{"${actionName(operation)}":{${droppedMembers(operation)},"status":200}}`;
}

/** Renders an item that was refused before it was sent to a shard. */
export function refusedItemJson(write: RefusedWrite): string {
  return failureJson(write.operation, write.indexName, write.id, write.error);
}

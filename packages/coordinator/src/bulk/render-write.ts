import type { IndexMetadata } from '@shoal/cluster';
import { type WireError, decodeError, renderCause, type ApiError } from '@shoal/errors';
import type { shard as messages } from '@shoal/protocol';
import { decodeJson } from '../json-bytes.js';
import { statusName } from './status-name.js';
import type { RefusedWrite, RoutedWrite } from './resolve-operation.js';
import type { WriteOperation } from './write-request.js';

/** What all results of one shard's batch share. */
export interface BatchOutcome {
  readonly forcedRefresh: boolean;
  /** `_shards` of writes that changed something, as JSON. */
  readonly shards: string;
  readonly withType: boolean;
}

const RESULTS = ['created', 'updated', 'deleted', 'noop', 'not_found'];
const STATUSES = [201, 200, 200, 200, 404];
const OUTCOME_NOOP = 3;
const OUTCOME_FAILED = 5;
const NO_SHARDS = '{"total":0,"successful":0,"failed":0}';

/** A copy that a write did not reach. */
interface CopyFailure {
  readonly node: string;
  readonly error: WireError;
}

function failureEntry(index: string, shard: number, { node, error }: CopyFailure): Record<string, unknown> {
  return { _index: index, _shard: shard, _node: node, reason: renderCause(decodeError(error)), status: statusName(error.status), primary: false };
}

/** `_shards` of a batch's writes as JSON. Without a word of the shard about its copies, `active` of them have the write. */
export function shardsJson(batch: { readonly index: IndexMetadata; readonly shard: number }, response: messages.BulkShardResponse, active: number): string {
  const { copiesTotal, copiesSuccessful, copyFailures } = response;
  if (!copiesTotal) return `{"total":${1 + batch.index.numberOfReplicas},"successful":${active},"failed":0}`;
  const failures = copyFailures ? (decodeJson(copyFailures) as CopyFailure[]).map((failure) => failureEntry(batch.index.name, batch.shard, failure)) : [];
  const shown = failures.length === 0 ? '' : `,"failures":${JSON.stringify(failures)}`;
  return `{"total":${copiesTotal},"successful":${copiesSuccessful ?? copiesTotal},"failed":${failures.length}${shown}}`;
}

/** Needs no escaping in JSON. */
const PLAIN_TEXT = /^[\w .:/@+=~,;!?#$%&'()*<>|^`{}[\]-]*$/;

function quoted(text: string): string {
  return PLAIN_TEXT.test(text) ? `"${text}"` : JSON.stringify(text);
}

export function isFailed(result: messages.WriteResult): boolean {
  return result.outcome === OUTCOME_FAILED;
}

export function statusOfResult(result: messages.WriteResult): number {
  return STATUSES[result.outcome]!;
}

/** The error of a failed result. */
export function resultError(result: messages.WriteResult): ApiError {
  return decodeError(decodeJson(result.error!) as WireError);
}

function bytesText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

/** Members of a write's answer, without the braces. */
export function resultMembers(write: RoutedWrite, result: messages.WriteResult, outcome: BatchOutcome): string {
  const forced = outcome.forcedRefresh && result.outcome !== OUTCOME_NOOP ? ',"forced_refresh":true' : '';
  const shards = result.outcome === OUTCOME_NOOP ? NO_SHARDS : outcome.shards;
  const get = result.get ? `,"get":${bytesText(result.get)}` : '';
  const type = outcome.withType ? ',"_type":"_doc"' : '';
  return `"_index":"${write.index.name}","_id":${quoted(write.id)},"_version":${result.version},"result":"${RESULTS[result.outcome]}"${forced},"_shards":${shards},"_seq_no":${result.seqNo},"_primary_term":${result.primaryTerm}${get}${type}`;
}

/** The name that a bulk answers under: the action, `create` for `op_type: create`. */
function actionName(operation: WriteOperation): string {
  return operation.op;
}

function failureJson(operation: WriteOperation, indexName: string, id: string | null, error: ApiError): string {
  const idText = id === null ? 'null' : quoted(id);
  return `{"${actionName(operation)}":{"_index":${quoted(indexName)},"_id":${idText},"status":${error.status},"error":${JSON.stringify(renderCause(error))}}}`;
}

/** One entry of a bulk's `items`. */
export function itemJson(write: RoutedWrite, result: messages.WriteResult, outcome: BatchOutcome): string {
  if (isFailed(result)) return failureJson(write.operation, write.index.name, write.id, resultError(result));
  return `{"${actionName(write.operation)}":{${resultMembers(write, result, outcome)},"status":${STATUSES[result.outcome]!}}}`;
}

export function failedItemJson(write: RoutedWrite, error: ApiError): string {
  return failureJson(write.operation, write.index.name, write.id, error);
}

export function refusedItemJson(write: RefusedWrite): string {
  return failureJson(write.operation, write.indexName, write.id, write.error);
}

import { type ClusterState, type IndexMetadata, indexClosed, noSuchIndex, resolveWriteTarget, routeDocument, section, writeRouting } from '@shoal/cluster';
import { type ApiError, errors, toApiError } from '@shoal/errors';
import { blockOf } from '../blocks.js';
import type { AutoIds } from './auto-id.js';
import type { WriteOperation } from './write-request.js';

/** An operation with its place. */
export interface RoutedWrite {
  readonly operation: WriteOperation;
  readonly index: IndexMetadata;
  readonly shard: number;
  readonly id: string;
  readonly isAutoId: boolean;
  readonly routing: string | null;
}

/** An operation that failed before it reached a shard. */
export interface RefusedWrite {
  readonly operation: WriteOperation;
  readonly indexName: string;
  readonly id: string | null;
  readonly error: ApiError;
}

/** Whether the mapping asks every document for a routing value. */
export function requiresRouting(index: IndexMetadata): boolean {
  const routing = index.mapping['_routing'] as { required?: unknown } | undefined;
  return routing !== undefined && (routing.required === true || routing.required === 'true');
}

export function routingMissing(index: string, id: string): ApiError {
  return errors.routingMissing(`routing is required for [${index}]/[${id}]`, { meta: { index_uuid: '_na_', index } });
}

/** Names that an operation would create an index for; null when it would not. */
export function indexToCreate(state: ClusterState, operation: WriteOperation, nowMs: number): string | null {
  if (operation.requireAlias) return null;
  if (operation.op === 'delete' && operation.versionType === 'internal') return null;
  try {
    return resolveWriteTarget(state, operation.index, nowMs) ? null : operation.index;
  } catch {
    return null;
  }
}

function checkAlias(state: ClusterState, operation: WriteOperation, nowMs: number): void {
  const target = resolveWriteTarget(state, operation.index, nowMs);
  if (target?.alias) return;
  const name = operation.index;
  throw errors.indexNotFound(`no such index [${name}] and [require_alias] request flag is [true] and [${name}] is not an alias`, {
    meta: { index_uuid: '_na_', index: name },
  });
}

function checkPipeline(state: ClusterState, pipeline: string | null): void {
  if (pipeline === null || pipeline === '_none') return;
  if (!Object.hasOwn(section(state, 'pipelines'), pipeline)) throw errors.illegalArgument(`pipeline with id [${pipeline}] does not exist`);
}

function defaultPipeline(index: IndexMetadata): string | null {
  const setting = index.settings['index.default_pipeline'];
  return typeof setting === 'string' ? setting : null;
}

function checkIndex(state: ClusterState, operation: WriteOperation, index: IndexMetadata): void {
  if (index.state === 'close') throw indexClosed(index);
  const block = blockOf(state, index, 'write');
  if (block) throw block;
  if (operation.op === 'index' || operation.op === 'create') checkPipeline(state, operation.pipeline ?? defaultPipeline(index));
}

function place(state: ClusterState, operation: WriteOperation, autoIds: AutoIds, nowMs: number): RoutedWrite {
  const target = resolveWriteTarget(state, operation.index, nowMs);
  if (!target) throw noSuchIndex(operation.index);
  const { index } = target;
  if (target.dataStream && operation.op !== 'create') {
    throw errors.illegalArgument('only write ops with an op_type of create are allowed in data streams');
  }
  checkIndex(state, operation, index);
  const routing = target.alias ? writeRouting(target, operation.index, operation.routing) : operation.routing;
  const id = operation.id ?? autoIds.next();
  if (routing === null && requiresRouting(index)) throw routingMissing(index.name, id);
  return { operation, index, id, routing, isAutoId: operation.id === null, shard: routeDocument(index, id, routing) };
}

/** Finds index, id, routing and shard of an operation. What is wrong with it alone comes back as a refusal. */
export function routeOperation(state: ClusterState, operation: WriteOperation, autoIds: AutoIds, nowMs: number): RoutedWrite | RefusedWrite {
  try {
    if (operation.id === '') throw errors.illegalArgument('if _id is specified it must not be empty');
    if (operation.requireAlias) checkAlias(state, operation, nowMs);
    return place(state, operation, autoIds, nowMs);
  } catch (error) {
    return { operation, indexName: operation.index, id: operation.id, error: toApiError(error) };
  }
}

export function isRefused(write: RoutedWrite | RefusedWrite): write is RefusedWrite {
  return 'error' in write;
}

import {
  type ClusterState,
  grantedNames,
  type IndexMetadata,
  indexClosed,
  noSuchIndex,
  requireName,
  resolveDateMath,
  resolveWriteTarget,
  isTimeSeries,
  refuseRouting,
  routeDocument,
  type WriteTarget,
  indexBlock,
} from '@shoal/state';
import type { IndexMappings } from '@shoal/cluster';
import { placePoint } from './place-point.js';
import { writeRouting } from './write-routing.js';
import { type ApiError, errors, toApiError } from '@shoal/errors';
import type { Subject } from '@shoal/security';
import { ACTIONS } from '../access.js';
import type { CallContext } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import type { AutoIds } from './auto-id.js';
import { checkValues } from './document-values.js';
import { withStoredScript } from './stored-update-script.js';
import type { WriteOperation } from './write-request.js';

/** An operation with its index, id, routing and shard. */
export interface RoutedWrite {
  readonly operation: WriteOperation;
  readonly index: IndexMetadata;
  readonly shard: number;
  readonly id: string;
  readonly isAutoId: boolean;
  readonly routing: string | null;
}

/** An operation that failed before it was sent to a shard. */
export interface RefusedWrite {
  readonly operation: WriteOperation;
  readonly indexName: string;
  readonly id: string | null;
  readonly error: ApiError;
}

/** Whether the mapping requires a routing value for every document. */
export function requiresRouting(index: IndexMetadata): boolean {
  const routing = index.mapping['_routing'] as { required?: unknown } | undefined;
  return routing !== undefined && (routing.required === true || routing.required === 'true');
}

/** Makes routing_missing_exception. */
export function routingMissing(index: string, id: string): ApiError {
  return errors.routingMissing(`routing is required for [${index}]/[${id}]`, { meta: { index_uuid: '_na_', index } });
}

/** Whether a write was refused because the mapping of its index requires a routing value. */
export const isRoutingMissing = ({ type }: ApiError): boolean => type === 'routing_missing_exception';

/** Returns the name of the index that an operation would create; null for none. */
export function indexToCreate(state: ClusterState, operation: WriteOperation, nowMs: number): string | null {
  if (operation.requireAlias) return null;
  if (operation.op === 'delete' && operation.versionType === 'internal') return null;
  try {
    return resolveWriteTarget(state, operation.index, nowMs) ? null : operation.index;
  } catch {
    return null;
  }
}

/** Throws index_not_found_exception unless `name` is an alias: what `require_alias` asks of a destination. */
export function checkAlias(state: ClusterState, name: string, nowMs: number): void {
  const target = resolveWriteTarget(state, name, nowMs);
  if (target?.alias) return;
  throw errors.indexNotFound(
    `no such index [${name}] and [require_alias] request flag is [true] and [${name}] is not an alias`,
    {
      meta: { index_uuid: '_na_', index: name },
    },
  );
}

function checkIndex(state: ClusterState, index: IndexMetadata): void {
  if (index.state === 'close') throw indexClosed(index);
  const block = indexBlock(state, index, 'write');
  if (block) throw block;
}

/** What places writes: ids for documents without one, and mappings for those of time series. */
export interface WritePlaces {
  readonly autoIds: AutoIds;
  readonly mappings: IndexMappings;
}

/** Places a write on an index of time series. */
function placeInSeries(
  state: ClusterState,
  operation: WriteOperation,
  target: WriteTarget,
  { mappings }: WritePlaces,
  nowMs: number,
): RoutedWrite {
  if (operation.op === 'update') throw refuseRouting(target.index, 'update');
  if (operation.op === 'delete') {
    const { index } = target;
    const id = operation.id ?? '';
    checkIndex(state, index);
    const shard = routeDocument(index, id, operation.routing);
    return { operation, index, id, routing: null, isAutoId: false, shard };
  }
  const { index, id } = placePoint(state, operation, target, mappings, nowMs);
  checkIndex(state, index);
  return { operation, index, id, routing: null, isAutoId: false, shard: routeDocument(index, id, null) };
}

function place(state: ClusterState, operation: WriteOperation, places: WritePlaces, nowMs: number): RoutedWrite {
  const target = resolveWriteTarget(state, operation.index, nowMs);
  if (!target) throw noSuchIndex(operation.index);
  const { index } = target;
  if (target.dataStream && operation.op !== 'create') {
    throw errors.illegalArgument('only write ops with an op_type of create are allowed in data streams');
  }
  if (isTimeSeries(index)) return placeInSeries(state, operation, target, places, nowMs);
  checkIndex(state, index);
  const routing = target.alias ? writeRouting(target, operation.index, operation.routing) : operation.routing;
  const id = operation.id ?? places.autoIds.next();
  if (routing === null && requiresRouting(index)) throw routingMissing(index.name, id);
  return { operation, index, id, routing, isAutoId: operation.id === null, shard: routeDocument(index, id, routing) };
}

/** The caller of a write whose rights are checked. */
export interface WriteRights {
  readonly subject: Subject;
  /**
   * Whether the call is a single write. Its rights differ: a single write without id needs the right to create, one in
   * a bulk the right to index.
   */
  readonly isSingle: boolean;
}

/** Returns the rights to check; null if security is off. */
export function rightsOf({ subject }: CallContext, isSingle: boolean): WriteRights | null {
  return subject.authentication === null ? null : { subject, isSingle };
}

/**
 * Throws if the caller may not make a single write. The right for its own action is checked first, then the right for
 * bulk.
 */
export function requireWrite(
  { cluster, clock }: CoordinatorContext,
  operation: WriteOperation,
  rights: WriteRights,
): void {
  const { op, index } = operation;
  requireName(
    cluster.state(),
    rights.subject.permissions.indexAccess(`${WRITE}/${op === 'create' ? 'index' : op}`),
    index,
    clock.now(),
  );
  checkRights(cluster.state(), operation, rights, clock.now());
}

/** Whether the caller may make a write. Indices are only created for writes that the caller may make. */
export function mayWrite(
  { cluster, clock }: CoordinatorContext,
  operation: WriteOperation,
  rights: WriteRights,
): boolean {
  try {
    checkRights(cluster.state(), operation, rights, clock.now());
    return true;
  } catch {
    return false;
  }
}

const WRITE = 'indices:data/write';

function actionOf({ op, id }: WriteOperation, isSingle: boolean): string {
  if (op === 'update' || op === 'delete') return `${WRITE}/${op}`;
  return `${WRITE}/index:op_type/${op === 'index' && isSingle && id === null ? 'create' : op}`;
}

function checkRights(
  state: ClusterState,
  operation: WriteOperation,
  { subject, isSingle }: WriteRights,
  nowMs: number,
): void {
  for (const action of [ACTIONS.bulkShard, actionOf(operation, isSingle)])
    requireName(state, subject.permissions.indexAccess(action), operation.index, nowMs);
  if (operation.op === 'update') refuseLimitedUpdate(state, operation, { subject, isSingle }, nowMs);
}

/**
 * Throws for an update if the caller sees only some documents or fields of the index: the update would lose the hidden
 * fields.
 */
function refuseLimitedUpdate(
  state: ClusterState,
  { index: name }: WriteOperation,
  { subject: { permissions }, isSingle }: WriteRights,
  nowMs: number,
): void {
  const target = resolveWriteTarget(state, name, nowMs);
  const concrete = resolveDateMath(name, nowMs);
  const names = target === null ? [concrete] : grantedNames(state, target.index, [concrete]);
  if (
    permissions.indexAccess(ACTIONS.bulkShard).limits(names) === null &&
    permissions.indexAccess(`${WRITE}/update`).limits(names) === null
  )
    return;
  const what = isSingle ? 'an update request' : 'a bulk item request with update requests embedded';
  throw errors.security(`Can't execute ${what} if field or document level security is enabled`, { status: 400 });
}

/**
 * Resolves index, id, routing and shard of an operation. If it fails, the result is a refusal with the error; other
 * operations go on.
 */
export function routeOperation(
  state: ClusterState,
  operation: WriteOperation,
  places: WritePlaces,
  nowMs: number,
  rights: WriteRights | null,
): RoutedWrite | RefusedWrite {
  try {
    if (rights !== null) checkRights(state, operation, rights, nowMs);
    if (operation.id === '') throw errors.illegalArgument('if _id is specified it must not be empty');
    if (operation.requireAlias) checkAlias(state, operation.index, nowMs);
    checkValues(state, operation);
    return place(state, withStoredScript(state, operation), places, nowMs);
  } catch (error) {
    return { operation, indexName: operation.index, id: operation.id, error: toApiError(error) };
  }
}

/** Whether an operation was refused. */
export function isRefused(write: RoutedWrite | RefusedWrite): write is RefusedWrite {
  return 'error' in write;
}

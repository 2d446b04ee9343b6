import {
  type ClusterState,
  grantedNames,
  type IndexAccess,
  type IndexMetadata,
  indexClosed,
  noSuchIndex,
  requireName,
  resolveDateMath,
  routeDocument,
  UNRESTRICTED,
  indexBlock,
  checkClusterBlocks,
} from '@shoal/state';
import { resolveReadTarget } from './resolve-read-target.js';
import { writeRouting } from '../bulk/write-routing.js';
import { errors } from '@shoal/errors';
import type { AccessLimits } from '@shoal/mapping';
import { errorOf, shard as messages } from '@shoal/protocol';
import { ACTIONS, accessOf, limitsBytes } from '../access.js';
import { requiresRouting, routingMissing } from '../bulk/resolve-operation.js';
import type { CoordinatorContext } from '../context.js';
import type { CallContext, JsonAnswer } from '../call.js';
import { copiesToRead, noCopyForGet, requestFirst } from './choose-copy.js';
import { getItem } from './get-message.js';
import type { GetDocumentRequest } from './get-request.js';
import { documentChunks } from './render-get.js';

/** Index, shard and routing of a document. */
export interface DocumentPlace {
  readonly index: IndexMetadata;
  readonly shard: number;
  readonly routing: string | null;
  /** Documents and fields of the index that the caller may see; null for all. */
  readonly limits: AccessLimits | null;
}

interface ReadableIndex {
  readonly index: IndexMetadata;
  readonly limits: AccessLimits | null;
  readonly routingOf: (routing: string | null) => string | null;
}

/** Resolves the index that a read of a single document uses. Throws if the caller may not use the name. */
export function readableIndex(state: ClusterState, name: string, nowMs: number, access: IndexAccess): ReadableIndex {
  requireName(state, access, name, nowMs);
  checkClusterBlocks(state, 'read');
  const target = resolveReadTarget(state, name, nowMs);
  if (!target) throw noSuchIndex(name);
  if (target.index.state === 'close') throw indexClosed(target.index);
  const block = indexBlock(state, target.index, 'read');
  if (block) throw block;
  const limits =
    access === UNRESTRICTED ? null : access.limits(grantedNames(state, target.index, [resolveDateMath(name, nowMs)]));
  return {
    index: target.index,
    limits,
    routingOf: (routing) => (target.alias ? writeRouting(target, name, routing) : routing),
  };
}

/** Resolves index, shard and routing of a document to read. */
export function placeOf(
  state: ClusterState,
  name: string,
  id: string,
  requested: string | null,
  nowMs: number,
  access: IndexAccess,
): DocumentPlace {
  const { index, limits, routingOf } = readableIndex(state, name, nowMs, access);
  const routing = routingOf(requested);
  if (routing === null && requiresRouting(index)) throw routingMissing(index.name, id);
  return { index, routing, limits, shard: routeDocument(index, id, routing) };
}

async function fetchResult(
  context: CoordinatorContext,
  place: DocumentPlace,
  request: GetDocumentRequest,
  call: CallContext,
): Promise<messages.GetResult> {
  const copies = copiesToRead(context, place.index, place.shard, request.preference);
  const wanted: messages.GetRequest = {
    shard: { indexUuid: place.index.uuid, shard: place.shard },
    indexName: place.index.name,
    realtime: request.realtime,
    refresh: request.refresh,
    items: [getItem(request.id, place.routing, request)],
    access: limitsBytes(place.limits, context.clock.now()),
  };
  const answer = await requestFirst(context, {
    copies,
    request: wanted,
    call,
    none: noCopyForGet(place.index.name, request.id, place.routing),
  });
  return answer.items[0]!;
}

function bareSource(index: string, id: string, result: messages.GetResult): JsonAnswer {
  if (!result.found) throw errors.resourceNotFound(`Document not found [${index}]/[${id}]`);
  if (!result.source) throw errors.resourceNotFound(`Source not found [${index}]/[${id}]`);
  return { status: 200, chunks: [result.source] };
}

/** Reads one document by id. `action` is authorised for the name. */
export async function get(
  context: CoordinatorContext,
  request: GetDocumentRequest,
  call: CallContext,
  action: string = ACTIONS.get,
): Promise<JsonAnswer> {
  const place = placeOf(
    context.cluster.state(),
    request.index,
    request.id,
    request.routing,
    context.clock.now(),
    accessOf(call, action),
  );
  const result = await fetchResult(context, place, request, call);
  if (result.error) throw errorOf(result.error);
  if (request.bareSource) return bareSource(place.index.name, request.id, result);
  return {
    status: result.found ? 200 : 404,
    chunks: documentChunks(place.index.name, request.id, result, call.withType),
  };
}

import { errors } from '@shoal/errors';
import { deepEqual, mergeDocuments, parseSource, stringify } from '@shoal/json';
import type { shard } from '@shoal/protocol';
import type { Engine, Located } from '../engine/engine.js';
import type { UpdateRequest } from './update-request.js';
import { type ShardIdentity, versionConflict } from './version-check.js';

/** Result of an update before it is applied. */
export type PlannedUpdate =
  | { readonly kind: 'write'; readonly source: Uint8Array; readonly routing: string | null }
  | { readonly kind: 'noop'; readonly current: Located; readonly source: Uint8Array };

const utf8 = (document: Record<string, unknown>): Uint8Array => Buffer.from(stringify(document), 'utf8');

function checkSequence(
  request: UpdateRequest,
  item: shard.WriteItem,
  current: Located & { kind: 'live' },
  identity: ShardIdentity,
): void {
  if (request.ifSeqNo === undefined) return;
  const required = `required seqNo [${request.ifSeqNo}], primary term [${request.ifPrimaryTerm ?? 0}]`;
  if (current.seqNo === request.ifSeqNo && current.primaryTerm === request.ifPrimaryTerm) return;
  const found = `current document has seqNo [${current.seqNo}] and primary term [${current.primaryTerm}]`;
  throw versionConflict(identity, item.id, `${required}. ${found}`);
}

/** Refuses scripts, as a node of Elasticsearch without script engines does. */
function refuseScript(language: string): never {
  throw errors.illegalArgument('failed to execute script', {
    cause: errors.illegalArgument(`script_lang not supported [${language}]`),
  });
}

function planUpsert(request: UpdateRequest, item: shard.WriteItem, identity: ShardIdentity): PlannedUpdate {
  if (request.scriptLanguage !== null && request.scriptedUpsert && request.upsert) refuseScript(request.scriptLanguage);
  const document = request.docAsUpsert ? request.doc : request.upsert;
  if (document) return { kind: 'write', source: utf8(document), routing: item.routing ?? null };
  throw errors.documentMissing(`[${item.id}]: document missing`, {
    meta: { index_uuid: identity.indexUuid, shard: String(identity.shard), index: identity.index },
  });
}

/**
 * Runs the get and modify steps of an update. The caller indexes the result in the same step, so that no other write
 * comes between. Throws document_missing_exception, version conflicts and parse errors.
 */
export function planUpdate(
  engine: Engine,
  request: UpdateRequest,
  item: shard.WriteItem,
  current: Located | null,
  identity: ShardIdentity,
): PlannedUpdate {
  if (current?.kind !== 'live') return planUpsert(request, item, identity);
  checkSequence(request, item, current, identity);
  const { source, routing } = engine.operation(current.seqNo);
  if (!engine.metadata.mapping.source.enabled) {
    throw errors.documentSourceMissing(`[${item.id}]: document source missing`, {
      meta: { index_uuid: identity.indexUuid, shard: String(identity.shard), index: identity.index },
    });
  }
  if (request.scriptLanguage !== null) refuseScript(request.scriptLanguage);
  const base = parseSource(source);
  const merged = mergeDocuments(base, request.doc!);
  if (request.detectNoop && deepEqual(base, merged)) return { kind: 'noop', current, source };
  return { kind: 'write', source: utf8(merged), routing: item.routing ?? routing };
}

import { errors } from '@shoal/errors';
import { deepEqual, isPlainObject, mergeDocuments, parseSource, setOwn, stringify } from '@shoal/json';
import type { shard } from '@shoal/protocol';
import type { ScriptSource } from '@shoal/script';
import { hashOrder } from '@shoal/values';
import type { Engine, Located } from '../engine/engine.js';
import { runUpdateScript } from './scripted-update.js';
import type { UpdateRequest } from './update-request.js';
import { type ShardIdentity, versionConflict } from './version-check.js';

/** Result of an update before it is applied. */
export type PlannedUpdate =
  | { readonly kind: 'write'; readonly source: Uint8Array; readonly routing: string | null }
  | { readonly kind: 'delete'; readonly source: Uint8Array; readonly routing: string | null }
  | { readonly kind: 'noop'; readonly current: Located; readonly source: Uint8Array }
  /** A script left a document alone that is not there. */
  | { readonly kind: 'nothing' };

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

function planScriptedUpsert(
  script: ScriptSource,
  upsert: Record<string, unknown>,
  item: shard.WriteItem,
  identity: ShardIdentity,
  nowMs: number,
): PlannedUpdate {
  const routing = item.routing ?? null;
  const metadata = { index: identity.index, id: item.id, version: null, routing, nowMs };
  const { kind, document } = runUpdateScript(script, utf8(upsert), 'create', metadata);
  return kind === 'write' ? { kind, source: utf8(document), routing } : { kind: 'nothing' };
}

/** Runs the script of an update on the document that is there. */
function planScripted(
  script: ScriptSource,
  item: shard.WriteItem,
  current: Located & { kind: 'live' },
  stored: { readonly source: Uint8Array; readonly routing: string | null },
  identity: ShardIdentity,
  nowMs: number,
): PlannedUpdate {
  const { routing } = stored;
  const metadata = { index: identity.index, id: item.id, version: current.version, routing, nowMs };
  const { kind, document } = runUpdateScript(script, stored.source, 'index', metadata);
  if (kind === 'noop') return { kind, current, source: stored.source };
  return { kind, source: utf8(document), routing };
}

function planUpsert(
  request: UpdateRequest,
  item: shard.WriteItem,
  identity: ShardIdentity,
  nowMs: number,
): PlannedUpdate {
  if (request.script !== null && request.scriptedUpsert && request.upsert)
    return planScriptedUpsert(request.script, request.upsert, item, identity, nowMs);
  const document = request.docAsUpsert ? request.doc : request.upsert;
  if (document) return { kind: 'write', source: utf8(document), routing: item.routing ?? null };
  throw errors.documentMissing(`[${item.id}]: document missing`, {
    meta: { index_uuid: identity.indexUuid, shard: String(identity.shard), index: identity.index },
  });
}

/** A partial document with its keys in the order of Java's HashMap, in which 8.12 adds those that are new. */
function inHashOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inHashOrder);
  if (!isPlainObject(value)) return value;
  const ordered: Record<string, unknown> = {};
  for (const key of hashOrder(Object.keys(value))) setOwn(ordered, key, inHashOrder(value[key]));
  return ordered;
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
  nowMs: number,
): PlannedUpdate {
  if (current?.kind !== 'live') return planUpsert(request, item, identity, nowMs);
  checkSequence(request, item, current, identity);
  const { source, routing } = engine.operation(current.seqNo);
  if (!engine.metadata.mapping.source.enabled) {
    throw errors.documentSourceMissing(`[${item.id}]: document source missing`, {
      meta: { index_uuid: identity.indexUuid, shard: String(identity.shard), index: identity.index },
    });
  }
  if (request.script !== null) return planScripted(request.script, item, current, { source, routing }, identity, nowMs);
  const base = parseSource(source);
  const merged = mergeDocuments(base, inHashOrder(request.doc!) as Record<string, unknown>);
  if (request.detectNoop && deepEqual(base, merged)) return { kind: 'noop', current, source };
  // Within a bulk the routing of the update finds the document and does not become its own.
  const given = item.updateOptions?.keepsRouting === true ? item.routing : undefined;
  return { kind: 'write', source: utf8(merged), routing: given ?? routing };
}

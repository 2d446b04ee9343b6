import { compile, type InlineScript, plainNumber, WriteContext } from '@shoal/script';
import type { ClusterState } from '@shoal/state';
import { inlineScript } from '../scripts/inline-script.js';
import type { ByQueryRequest } from './by-query-request.js';
import type { SourceHit, SourceText } from './source-reader.js';

/** A line of a bulk with its document: as it was found, or as a script left it. */
export interface Action {
  readonly op: 'index' | 'create' | 'delete';
  readonly meta: Readonly<Record<string, unknown>>;
  readonly source: SourceText | Record<string, unknown> | null;
}

/** What becomes of a document: an action of a bulk; null for none. */
export type ToAction = (hit: SourceHit) => Action | null;

/** Returns what the call does to each document. Throws for a script that does not compile. */
export function actionsOf(state: ClusterState, request: ByQueryRequest, nowMs: number): ToAction {
  if (request.kind === 'delete') return (hit) => ({ op: 'delete', meta: checked(hit), source: null });
  const plain = request.kind === 'update' ? updateAction(request) : reindexAction(request);
  if (request.script === null) return plain;
  return scripted(inlineScript(state, request.script), request.kind === 'reindex', plain, nowMs);
}

const routed = (routing: string | null): Record<string, unknown> => (routing === null ? {} : { routing });

/** The document as it was found: if it was changed since, the write is a conflict. */
function checked(hit: SourceHit): Record<string, unknown> {
  return {
    _index: hit.index,
    _id: hit.id,
    ...routed(hit.routing),
    if_seq_no: hit.seqNo,
    if_primary_term: hit.primaryTerm,
  };
}

function updateAction({ pipeline }: ByQueryRequest): ToAction {
  const also = pipeline === null ? {} : { pipeline };
  return (hit) => ({ op: 'index', meta: { ...checked(hit), ...also }, source: hit.source });
}

function reindexAction({ target, pipeline }: ByQueryRequest): ToAction {
  const { index, opType, versionType, routing, requireAlias } = target!;
  const also = { ...(pipeline === null ? {} : { pipeline }), ...(requireAlias ? { require_alias: true } : {}) };
  return (hit) => ({
    op: opType,
    meta: {
      _index: index,
      _id: hit.id,
      ...routed(newRouting(routing, hit.routing)),
      ...(versionType === 'internal' ? {} : { version: hit.version, version_type: versionType }),
      ...also,
    },
    source: hit.source,
  });
}

function newRouting(wanted: string | null, own: string | null): string | null {
  if (wanted === null || wanted === 'keep') return own;
  return wanted === 'discard' ? null : wanted.slice(1);
}

/** Runs a script on each document, and lets its `ctx` say what becomes of it. */
function scripted(script: InlineScript, isReindex: boolean, plain: ToAction, nowMs: number): ToAction {
  const context = isReindex ? 'reindex' : 'update_by_query';
  const compiled = compile(script, context);
  return (hit) => {
    const before = plain(hit)!;
    const given = {
      _index: hit.index,
      _id: hit.id,
      _version: isReindex ? (before.meta['version'] ?? -1) : hit.version,
      _routing: hit.routing,
      _now: nowMs,
    };
    const ctx = new WriteContext(context, { ...given, op: 'index' }, hit.source!.read());
    compiled.call([script.params, ctx, nowMs]);
    const op = ctx.operation;
    if (op === 'noop') return null;
    const changed = METADATA.filter((name) => ctx.get(name) !== given[name]);
    const meta = changed.reduce((all, name) => withMetadata(all, name, ctx.get(name)), before.meta);
    if (op === 'delete') return { op, meta: deletion(meta), source: null };
    return { op: before.op, meta, source: ctx.source as Record<string, unknown> };
  };
}

const METADATA = ['_index', '_id', '_version', '_routing'] as const;

/** A deletion takes neither pipelines nor `require_alias`. */
function deletion({ pipeline: _pipeline, ...meta }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return meta;
}

/** Changes a member of the bulk's line as a script of `_reindex` has changed it; null takes it away. */
function withMetadata(
  meta: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
): Readonly<Record<string, unknown>> {
  if (name === '_version') {
    const { version: _version, version_type: _type, ...rest } = meta;
    if (value === null) return rest;
    return { ...meta, version: typeof value === 'bigint' ? Number(value) : plainNumber(value) };
  }
  const key = name === '_routing' ? 'routing' : name;
  if (value === null) {
    const { [key]: _gone, ...rest } = meta;
    return rest;
  }
  return { ...meta, [key]: String(value) };
}

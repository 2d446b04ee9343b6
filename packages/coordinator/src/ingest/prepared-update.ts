import { filterSource, isPlainObject, parseJson } from '@shoal/json';
import { type shard as messages, sourceFilterOf } from '@shoal/protocol';
import type { WriteOperation } from '../bulk/write-request.js';

/** Makes `get` of the answer of an update from the result of writing its document; undefined if it is not asked for. */
export type GetOf = (result: messages.WriteResult) => Uint8Array | undefined;

const OUTCOME_CREATED = 0;

/**
 * Returns the write of the document that a shard has prepared for an update; null if there is none. It fails if the
 * document that it replaces has changed, or if there is one by now.
 */
export function preparedOperation(
  update: WriteOperation,
  { outcome, prepared, preparedRouting, seqNo, primaryTerm }: messages.WriteResult,
): WriteOperation | null {
  if (prepared === undefined) return null;
  const isNew = outcome === OUTCOME_CREATED;
  return {
    ...update,
    op: isNew ? 'create' : 'index',
    source: prepared,
    routing: update.routing ?? preparedRouting ?? null,
    ifSeqNo: isNew ? null : seqNo,
    ifPrimaryTerm: isNew ? null : primaryTerm,
    retryOnConflict: 0,
    updateSource: undefined,
  };
}

/** Shows the document as the update made it, before its pipelines, as in 8.12. */
export function answeredGetOf({ source: body, updateSource }: WriteOperation, source: Uint8Array): GetOf {
  const parsed = parseJson(body);
  const wanted = updateSource === undefined && isPlainObject(parsed) ? parsed['_source'] : updateSource;
  const filter = wanted === undefined ? undefined : sourceFilterOf(wanted);
  if (filter === undefined || filter.none) return () => undefined;
  const isWhole = filter.includes.length + filter.excludes.length === 0;
  const shown = isWhole ? source : filterSource(source, filter.includes, filter.excludes);
  return ({ seqNo, primaryTerm }) =>
    Buffer.concat([
      Buffer.from(`{"_seq_no":${seqNo},"_primary_term":${primaryTerm},"found":true,"_source":`),
      shown,
      Buffer.from('}'),
    ]);
}

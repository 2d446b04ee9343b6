import type { WriteOp, WriteOperation } from './write-request.js';

/**
 * The document that a write replaces: it is refused if that has changed since. Nulls for a write that replaces
 * whatever is there.
 */
interface Replaced {
  readonly seqNo: number | null;
  readonly primaryTerm: number | null;
}

/** A write of the node itself: without parameters, and over the document at `over` if that is given. */
export function plainWrite(
  op: WriteOp,
  index: string,
  id: string,
  source: Uint8Array,
  over: Replaced | null = null,
): WriteOperation {
  return {
    op,
    index,
    id,
    routing: null,
    requireAlias: false,
    pipeline: null,
    version: null,
    versionType: 'internal',
    ifSeqNo: over?.seqNo ?? null,
    ifPrimaryTerm: over?.primaryTerm ?? null,
    retryOnConflict: 0,
    source,
    updateSource: undefined,
    dynamicTemplates: null,
    executedPipelines: null,
  };
}

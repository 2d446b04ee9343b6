import { type Value, decodeValue } from '@shoal/codec';
import type { shard as messages } from '@shoal/protocol';

/** Decoded top hits of one shard. */
export interface ShardHits {
  /** Index of the shard in the search. */
  readonly target: number;
  readonly docs: Int32Array;
  readonly scores: Float32Array | null;
  readonly sortValues: readonly (readonly Value[])[] | null;
  readonly collapseValues: readonly Value[] | null;
}

function aligned(bytes: Uint8Array): ArrayBuffer {
  return bytes.byteOffset % 4 === 0 ? (bytes.buffer as ArrayBuffer) : (new Uint8Array(bytes).buffer as ArrayBuffer);
}

function ints(bytes: Uint8Array): Int32Array {
  const buffer = aligned(bytes);
  return new Int32Array(buffer, buffer === bytes.buffer ? bytes.byteOffset : 0, bytes.length >> 2);
}

function floats(bytes: Uint8Array): Float32Array {
  const buffer = aligned(bytes);
  return new Float32Array(buffer, buffer === bytes.buffer ? bytes.byteOffset : 0, bytes.length >> 2);
}

/** Decodes the hits of a result. `target` is the index of the shard in the search. */
export function decodeHits(result: messages.ShardQueryResult, target: number): ShardHits {
  return {
    target,
    docs: ints(result.docs),
    scores: result.scores.length === 0 ? null : floats(result.scores),
    sortValues:
      result.sortValues.length === 0 ? null : (decodeValue(result.sortValues) as readonly (readonly Value[])[]),
    collapseValues:
      result.collapseValues === undefined ? null : (decodeValue(result.collapseValues) as readonly Value[]),
  };
}

import { errors } from '@shoal/errors';
import type { SegmentSink, SegmentSource } from './segment-reader.js';

/**
 * A segment's bytes in memory: the sink to write it and, once written, the source to read it. Used for tests and for
 * intermediate results of merges.
 */
export interface MemorySegment extends SegmentSink {
  readonly parts: ReadonlyMap<string, readonly Uint8Array[]>;
  source(id: string): SegmentSource;
}

/** An empty `MemorySegment`, to be written. */
export function memorySegment(): MemorySegment {
  const parts = new Map<string, Uint8Array[]>();
  return {
    parts,
    write: (part, chunk) => {
      const chunks = parts.get(part) ?? [];
      chunks.push(chunk);
      parts.set(part, chunks);
    },
    source: (id) => memorySource(id, parts),
  };
}

function memorySource(id: string, parts: ReadonlyMap<string, readonly Uint8Array[]>): SegmentSource {
  let byteSize = 0;
  for (const chunks of parts.values()) for (const chunk of chunks) byteSize += chunk.length;
  return {
    id,
    byteSize,
    parts: [...parts.keys()],
    chunkCount: (part) => parts.get(part)?.length ?? 0,
    chunk: (part, index) => {
      const chunk = parts.get(part)?.[index];
      if (chunk === undefined) throw errors.corruption(`segment [${id}] has no chunk [${index}] of part [${part}]`);
      return chunk;
    },
  };
}

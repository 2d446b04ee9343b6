import { compileSourceFilter } from '@shoal/json';
import type { Mapping, SourceOptions } from '@shoal/mapping';
import type { StoredDocument } from '@shoal/query';
import type { Operation } from '@shoal/store';

const NO_SOURCE = new Uint8Array(0);

/** Returns the source that the mapping's `_source` makes visible; empty when `_source` is disabled. */
export function visibleSource(source: Uint8Array, options: SourceOptions): Uint8Array {
  if (!options.enabled) return NO_SOURCE;
  if (options.includes.length === 0 && options.excludes.length === 0) return source;
  return compileSourceFilter(options.includes, options.excludes)(source);
}

/** Returns the document of an operation, with the source that the mapping makes visible. */
export function storedDocument(operation: Operation, mapping: Mapping): StoredDocument {
  const { id, routing, seqNo, primaryTerm, version, ignored } = operation;
  return {
    id,
    routing,
    source: visibleSource(operation.source, mapping.source),
    raw: operation.source,
    seqNo,
    primaryTerm,
    version,
    ignored,
  };
}

import { type JsonObject, parseSource } from '@shoal/json';
import { type RuntimeDocument, sourceValues } from '@shoal/mapping';
import type { RuntimeLayer, Searcher } from '../searcher.js';

/** Sources that are kept parsed, since several clauses and fields ask for the same documents one after the other. */
const KEPT_DOCUMENTS = 256;
/** Longest source that is kept, in bytes. */
const KEPT_BYTES_MAX = 16_384;

const NO_JSON: JsonObject = {};

/**
 * Returns a function that computes the values of runtime fields of a searcher's documents. Reading a source blocks the
 * thread on a disk read.
 */
export function runtimeDocuments(searcher: Searcher): RuntimeLayer['values'] {
  const kept = new Map<number, RuntimeDocument>();
  const read = (doc: number): RuntimeDocument => {
    const known = kept.get(doc);
    if (known !== undefined) return known;
    const { source } = searcher.stored(doc);
    const document = { bytes: source, json: source.length === 0 ? NO_JSON : parseSource(source) };
    if (source.length > KEPT_BYTES_MAX) return document;
    if (kept.size >= KEPT_DOCUMENTS) kept.delete(kept.keys().next().value!);
    kept.set(doc, document);
    return document;
  };
  return (field, { docBase }, doc) => sourceValues(field, read(docBase + doc));
}

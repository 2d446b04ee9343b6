import { errors } from '@shoal/errors';

const INGEST_PREFIX = '_ingest.';
const SOURCE_PREFIX = '_source.';

/** A dotted path into a document, split. */
export interface FieldPath {
  /** The path as it was written; error messages name it. */
  readonly text: string;
  /** Whether it leads into the metadata of the run (`_ingest.timestamp`) instead of the document. */
  readonly isIngest: boolean;
  /** Keys and list indices from the root; at least one. */
  readonly elements: readonly string[];
}

/** Splits a path. Throws illegal_argument_exception for an empty one. As Elasticsearch's `IngestDocument.FieldPath`. */
export function parsePath(text: string): FieldPath {
  if (text === '') throw errors.illegalArgument('path cannot be null nor empty');
  if (!text.includes('.')) return { text, isIngest: false, elements: [text] };
  const isIngest = text.startsWith(INGEST_PREFIX);
  const rest = isIngest || text.startsWith(SOURCE_PREFIX) ? text.slice(INGEST_PREFIX.length) : text;
  const elements = rest.split('.');
  while (elements.at(-1) === '') elements.pop();
  if (elements.length === 0) throw errors.illegalArgument(`path [${text}] is not valid`);
  return { text, isIngest, elements };
}

/** Returns the list index that a path element is; null if it is no Java int. */
export function listIndex(element: string): number | null {
  if (!/^[+-]?\d{1,10}$/.test(element)) return null;
  const index = Number(element);
  return index === (index | 0) ? index : null;
}

import { isPlainObject, readSource, stringify } from '@shoal/json';

/** The document that an update writes if there is none of its id. */
interface UpsertDocument {
  readonly bytes: Uint8Array;
  /** Whether it is the partial document, by `doc_as_upsert`. */
  readonly isPartial: boolean;
}

function memberOf(body: Readonly<Record<string, unknown>>): 'doc' | 'upsert' {
  return body['doc_as_upsert'] === true || body['doc_as_upsert'] === 'true' ? 'doc' : 'upsert';
}

/** Returns the document that the body of an update would create; null if it creates none. */
export function upsertOf(body: Uint8Array): UpsertDocument | null {
  const parsed = readSource(body);
  const member = memberOf(parsed);
  const document = parsed[member];
  if (!isPlainObject(document)) return null;
  return { bytes: Buffer.from(stringify(document)), isPartial: member === 'doc' };
}

/** Replaces the document that the body of an update would create. */
export function withUpsert(body: Uint8Array, document: Uint8Array): Uint8Array {
  const parsed = readSource(body);
  parsed[memberOf(parsed)] = readSource(document);
  return Buffer.from(stringify(parsed));
}

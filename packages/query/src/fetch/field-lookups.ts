import { stringify } from '@shoal/json';
import type { LookupSource } from '@shoal/mapping';
import { shardError } from '../plan-query.js';
import type { Searcher } from '../searcher.js';
import type { FieldSpec } from './fetch-spec.js';
import { fieldFetcher, namesOf, type RuntimeRead } from './field-fetcher.js';

/** What a hit needs of other documents for one of its fields: a document for each value. */
export interface FieldLookup {
  /** Name of the field in the answer. */
  readonly field: string;
  readonly source: LookupSource;
  readonly values: readonly string[];
}

/** Lookups of a hit, and where the fields that they find are inserted into its JSON. */
export interface HitLookups {
  /** Bytes behind the place. */
  readonly fromEnd: number;
  /** Whether the place is in an object of other fields, instead of where such an object goes. */
  readonly hasFields: boolean;
  readonly lookups: readonly FieldLookup[];
}

/** Reads what a document needs of others, from its parsed source. */
export type LookupReader = (source: Record<string, unknown>, runtime: RuntimeRead) => readonly FieldLookup[];

/**
 * Returns a reader of what documents need for those `lookup` fields that `specs` name; null without such fields. Throws
 * query_shard_exception for an input that is not mapped.
 */
export function lookupReader(specs: readonly FieldSpec[], searcher: Searcher): LookupReader | null {
  const { mapping } = searcher;
  if (![...mapping.runtime.values()].some(({ runtime }) => runtime?.lookup !== undefined)) return null;
  const named = new Map(specs.flatMap(({ field }) => namesOf(field, mapping)));
  const readers = [...named].flatMap(([name, { runtime }]) => {
    if (runtime?.lookup === undefined) return [];
    const { lookup: source } = runtime;
    if (mapping.field(source.inputField) === null)
      throw shardError(searcher, `No field mapping can be found for the field with name [${source.inputField}]`);
    const input = { field: source.inputField, format: null, includeUnmapped: false };
    return [{ name, source, read: fieldFetcher([input], mapping, null) }];
  });
  if (readers.length === 0) return null;
  return (document, runtime) =>
    readers.flatMap(({ name, source, read }) => {
      const values = read(document, runtime).fields[source.inputField];
      return Array.isArray(values) ? [{ field: name, source, values: values.map(textOf) }] : [];
    });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : stringify(value));

/** The last byte of a hit with lookups behind its JSON; others end in a brace. */
const MARK = 0;
const TRAILER_BYTES = 5;

/** Appends lookups to a hit: their JSON, its length and a mark. */
export function withLookups(hit: Uint8Array, lookups: HitLookups): Uint8Array {
  const text = Buffer.from(stringify(lookups));
  const trailer = Buffer.alloc(TRAILER_BYTES, MARK);
  trailer.writeUInt32LE(text.length);
  return Buffer.concat([hit, text, trailer]);
}

/** Takes the lookups off a hit; null if it has none. */
export function takeLookups(hit: Uint8Array): { readonly hit: Uint8Array; readonly lookups: HitLookups } | null {
  if (hit.at(-1) !== MARK) return null;
  const bytes = Buffer.from(hit.buffer, hit.byteOffset, hit.length);
  const end = bytes.length - TRAILER_BYTES;
  const start = end - bytes.readUInt32LE(end);
  return { hit: bytes.subarray(0, start), lookups: JSON.parse(bytes.toString('utf8', start, end)) as HitLookups };
}

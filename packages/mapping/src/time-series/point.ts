import { murmur3Bytes, murmur3First64 } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { isPlainObject, locateError, parseSource, tokenOf } from '@shoal/json';
import { matchesWildcard } from '@shoal/values';
import { sourceNumbers } from '../document/source-numbers.js';
import { parseDocument } from '../document/parse-document.js';
import type { DocumentContext, Mapping, MappingOptions, ParsedDocument } from '../mapping-api.js';
import { mergeMappings } from '../parse-mapping.js';

/** A document of an index of time series: its series and its time. */
export interface Point {
  /** `_tsid`, a character for each byte. */
  readonly series: string;
  /** Value of `@timestamp`, UTC milliseconds. */
  readonly timestampMs: number;
  /** Value of `@timestamp` in the unit of its field: milliseconds or nanoseconds. */
  readonly timestamp: bigint;
}

/** New fields of a document may bring further ones, such as multi-fields. */
const UPDATES_MAX = 3;

/** Makes the error of what is wrong with a document as a whole, at its end. */
export function pointFault(source: Uint8Array, reason: string): Error {
  const root = parseSource(source);
  const { line, col } = locateError(source, root, { container: root, at: 'end' }) ?? { line: 1, col: 1 };
  return errors.documentParsing(`[${line}:${col}] failed to parse: ${reason}`, {
    cause: errors.illegalArgument(reason),
  });
}

function parseWithNewFields(
  mapping: Mapping,
  source: Uint8Array,
  context: DocumentContext,
  options: MappingOptions,
): { readonly document: ParsedDocument; readonly mapping: Mapping } {
  let current = mapping;
  for (let i = 0; ; i++) {
    const document = parseDocument(current, source, context, options);
    if (document.dynamicUpdate === null || i === UPDATES_MAX) return { document, mapping: current };
    current = mergeMappings(current, document.dynamicUpdate, options, 'dynamic');
  }
}

/**
 * Returns series and time of a document, as its shard will index them: the document is parsed, with the fields that it
 * would add. Throws what the shard would throw, and document_parsing_exception without a single `@timestamp`.
 */
export function pointOf(
  mapping: Mapping,
  source: Uint8Array,
  context: DocumentContext,
  options: MappingOptions,
): Point {
  const { document, mapping: whole } = parseWithNewFields(mapping, source, context, options);
  const entries = document.parts.at(-1)?.entries ?? [];
  const valuesOf = (name: string): readonly unknown[] => {
    const entry = entries.find(({ layout }) => layout.name === name);
    if (entry === undefined) return [];
    return entry.kind === 'terms' ? entry.terms : entry.kind === 'numbers' ? entry.values : [];
  };
  const times = valuesOf('@timestamp');
  if (times.length !== 1) {
    const what = times.length === 0 ? 'is missing' : 'encountered multiple values';
    throw pointFault(source, `data stream timestamp field [@timestamp] ${what}`);
  }
  const nanosField = whole.field('@timestamp')?.nanosField;
  const nanos = nanosField === undefined ? undefined : valuesOf(nanosField)[0];
  const timestampMs = Number(times[0]);
  return {
    series: String(valuesOf('_tsid')[0] ?? ''),
    timestampMs,
    timestamp: nanos === undefined ? BigInt(timestampMs) : BigInt(nanos as bigint | number),
  };
}

interface Hashed {
  readonly name: Buffer;
  readonly hash: number;
}

const utf8Hash = (text: string | Buffer): number => murmur3Bytes(Buffer.from(text), 0);

/**
 * Returns the hash by which a document of an index of time series is routed: that of the names and values of the fields
 * that match the routing path, as `IndexRouting.ExtractFromSource` of Elasticsearch 8.12 makes it. Throws
 * illegal_argument_exception if there are none, or for values that are neither texts nor numbers.
 */
export function routingHash(source: Uint8Array, patterns: readonly string[]): number {
  const root = parseSource(source);
  const numbers = sourceNumbers(source, root);
  const found: Hashed[] = [];
  const refuse = (container: object, key: string): never => {
    const token = tokenOf((container as Record<string, unknown>)[key]);
    const reason = `Routing values must be strings but found [${token}]`;
    const at = locateError(source, root, { container, key }) ?? { line: 1, col: 1 };
    throw errors.illegalArgument(`Error extracting routing: ${reason}`, {
      cause: errors.parsing(reason, { meta: { line: at.line, col: at.col } }),
    });
  };
  const visit = (container: object, prefix: string): void => {
    for (const [key, value] of Object.entries(container)) {
      const path = prefix + key;
      if (isPlainObject(value)) visit(value, `${path}.`);
      else if (value === null || !patterns.some((pattern) => matchesWildcard(pattern, path))) continue;
      else if (typeof value !== 'string' && typeof value !== 'number') refuse(container, key);
      else {
        const text = typeof value === 'string' ? value : numbers.textAt(container, key, value);
        found.push({ name: Buffer.from(path), hash: utf8Hash(text) });
      }
    }
  };
  visit(root, '');
  if (found.length === 0)
    throw errors.illegalArgument("Error extracting routing: source didn't contain any routing fields");
  found.sort((a, b) => Buffer.compare(a.name, b.name));
  return found.reduce((hash, { name, hash: value }) => (Math.imul(31, hash) + (utf8Hash(name) ^ value)) | 0, 0);
}

/** Returns the id of a point: 20 bytes of routing hash, hash of the series and time as URL-safe base64. */
export function pointId(hash: number, { series, timestamp }: Pick<Point, 'series' | 'timestamp'>): string {
  const bytes = Buffer.alloc(20);
  bytes.writeInt32LE(hash, 0);
  bytes.writeBigUInt64LE(murmur3First64(Buffer.from(series, 'latin1')), 4);
  bytes.writeBigInt64BE(timestamp, 12);
  return bytes.toString('base64url');
}

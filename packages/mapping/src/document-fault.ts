import { type ApiError, errors, type ErrorLocation } from '@shoal/errors';

/** Position of an invalid value in the source. Lines and columns count from 1, columns in bytes. */
export interface FaultPosition {
  readonly line: number;
  readonly column: number;
  /** Column of the value's first character; `column` may be that of its last one. */
  readonly startColumn: number;
  /** Column after the value's first token. */
  readonly endColumn: number;
  /** Whether the value is an item of an array, where 8.12's parser has no name of a field. */
  readonly isItem: boolean;
  /** The whole source, for messages that quote it. */
  readonly source: string;
}

/** An invalid value of a document. The document parser locates it in the source and calls `complete` for the error. */
export class DocumentFault extends Error {
  readonly complete: (place: FaultPosition) => ApiError;
  /** The invalid part of the value; null for the whole value. */
  readonly location: ErrorLocation | null;
  /** Text quoted in place of the value; null to quote the value, undefined if nothing can be quoted. */
  readonly preview: string | null | undefined;

  constructor(
    complete: (place: FaultPosition) => ApiError,
    location: ErrorLocation | null = null,
    ...preview: [preview?: string | null]
  ) {
    super('fault of a document value');
    this.complete = complete;
    this.location = location;
    this.preview = preview.length === 0 ? null : preview[0];
  }
}

const QUOTED_SOURCE_MAX = 500;

function quoteSource(source: string): string {
  const bytes = Buffer.from(source);
  if (bytes.length <= QUOTED_SOURCE_MAX) return `(byte[])"${source}"`;
  const quoted = bytes.subarray(0, QUOTED_SOURCE_MAX).toString();
  return `(byte[])"${quoted}"[truncated ${bytes.length - QUOTED_SOURCE_MAX} bytes]`;
}

/** Returns a message as Elasticsearch's JSON parser writes it: with the position, and the source quoted. */
export function tokenReason(message: string, line: number, column: number, source: string): string {
  return `${message}\n at [Source: ${quoteSource(source)}; line: ${line}, column: ${column}]`;
}

/** Fault as of Elasticsearch's JSON parser: its message has the position after the token and quotes the source. */
export function tokenFault(kind: 'inputCoercion' | 'jsonParse', message: string): DocumentFault {
  return new DocumentFault(({ line, endColumn, source }) => {
    const reason = tokenReason(message, line, endColumn, source);
    return errors.xContentParse(`[${line}:${endColumn}] ${reason}`, { cause: errors[kind](reason) });
  });
}

/** Fault of an entry within a value that is an object or array. */
export function faultAt(location: ErrorLocation, error: ApiError): DocumentFault {
  return new DocumentFault(() => error, location);
}

/** Name of a value's JSON token in messages. */
export function tokenName(value: unknown): string {
  if (value === null) return 'VALUE_NULL';
  if (typeof value === 'boolean') return value ? 'VALUE_TRUE' : 'VALUE_FALSE';
  if (typeof value === 'number') return Number.isInteger(value) ? 'VALUE_NUMBER_INT' : 'VALUE_NUMBER_FLOAT';
  if (typeof value === 'bigint') return 'VALUE_NUMBER_INT';
  if (typeof value === 'string') return 'VALUE_STRING';
  return Array.isArray(value) ? 'START_ARRAY' : 'START_OBJECT';
}

/**
 * Name of a value's JSON token in Elasticsearch's own parser, which does not distinguish kinds of numbers and booleans.
 */
export function simpleTokenName(value: unknown): string {
  const name = tokenName(value);
  if (name.startsWith('VALUE_NUMBER')) return 'VALUE_NUMBER';
  return name === 'VALUE_TRUE' || name === 'VALUE_FALSE' ? 'VALUE_BOOLEAN' : name;
}

import { type ApiError, errors, type ErrorLocation } from '@shoal/errors';

/** Where in the source the value at fault stands. Columns count bytes from 1. */
export interface FaultPlace {
  readonly line: number;
  readonly column: number;
  /** Column of the value's first character; `column` may be that of its end. */
  readonly startColumn: number;
  /** Column behind the value's first token. */
  readonly endColumn: number;
  /** The source, for messages that quote it. */
  readonly source: string;
}

/** A fault of a document's value whose message needs the place of the value; the document parser completes it. */
export class DocumentFault extends Error {
  readonly complete: (place: FaultPlace) => ApiError;
  /** The part of the value that is at fault; null for the whole. */
  readonly location: ErrorLocation | null;
  /** Shown instead of the value; null for the value. */
  readonly preview: string | null;

  constructor(
    complete: (place: FaultPlace) => ApiError,
    location: ErrorLocation | null = null,
    preview: string | null = null,
  ) {
    super('fault of a document value');
    this.complete = complete;
    this.location = location;
    this.preview = preview;
  }
}

const QUOTED_SOURCE_MAX = 500;

function quoteSource(source: string): string {
  if (source.length <= QUOTED_SOURCE_MAX) return `(byte[])"${source}"`;
  return `(byte[])"${source.slice(0, QUOTED_SOURCE_MAX)}"[truncated ${source.length - QUOTED_SOURCE_MAX} bytes]`;
}

/** A fault that Elasticsearch's JSON parser finds: it names the place behind the token and quotes the source. */
export function tokenFault(kind: 'inputCoercion' | 'jsonParse', message: string): DocumentFault {
  return new DocumentFault(({ line, endColumn, source }) => {
    const reason = `${message}\n at [Source: ${quoteSource(source)}; line: ${line}, column: ${endColumn}]`;
    return errors.xContentParse(`[${line}:${endColumn}] ${reason}`, { cause: errors[kind](reason) });
  });
}

/** An error at an entry of a value that is an object or array. */
export function faultAt(location: ErrorLocation, error: ApiError): DocumentFault {
  return new DocumentFault(() => error, location);
}

/** JSON token names as messages write them. */
export function tokenName(value: unknown): string {
  if (value === null) return 'VALUE_NULL';
  if (typeof value === 'boolean') return value ? 'VALUE_TRUE' : 'VALUE_FALSE';
  if (typeof value === 'number') return Number.isInteger(value) ? 'VALUE_NUMBER_INT' : 'VALUE_NUMBER_FLOAT';
  if (typeof value === 'bigint') return 'VALUE_NUMBER_INT';
  if (typeof value === 'string') return 'VALUE_STRING';
  return Array.isArray(value) ? 'START_ARRAY' : 'START_OBJECT';
}

/** Token names of Elasticsearch's own parser, which tells kinds of numbers and booleans not apart. */
export function simpleTokenName(value: unknown): string {
  const name = tokenName(value);
  if (name.startsWith('VALUE_NUMBER')) return 'VALUE_NUMBER';
  return name === 'VALUE_TRUE' || name === 'VALUE_FALSE' ? 'VALUE_BOOLEAN' : name;
}

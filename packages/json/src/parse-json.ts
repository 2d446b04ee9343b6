import { isUtf8 } from 'node:buffer';
import { type ApiError, errors } from '@shoal/errors';
import { JsonFault } from './json-fault.js';
import { positionAt } from './position.js';
import { isPlainObject } from './plain-object.js';
import { SCAN_NEEDS_STRICT, SCAN_NOT_ASCII, scanJson } from './scan-json.kernel.js';
import { DEPTH_MAX, StrictParser } from './strict-parser.js';

/** Integers of up to this many digits are exact as doubles. */
const EXACT_DIGITS_MAX = 15;
/** Bytes of a document that an error quotes. */
const QUOTE_LENGTH_MAX = 500;

const STREAM = '(org.elasticsearch.common.io.stream.ByteBufferStreamInput)';

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (typeof value[i] === 'object') count += countKeys(value[i]);
    return count;
  }
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    count += typeof member === 'object' ? countKeys(member) + 1 : 1;
  }
  return count;
}

/** Result of `parseFast` for text that it cannot parse. */
const NONE = Symbol('no value');

/** First pass of the fast way: what `scanJson` finds. */
const scan = (bytes: Uint8Array): number => scanJson(bytes, 0, bytes.length, DEPTH_MAX, EXACT_DIGITS_MAX);

/** Second pass: parses with `JSON.parse`; returns NONE if the text is malformed or needs the strict parser. */
function parseScanned(bytes: Uint8Array, scanned: number): unknown {
  if (scanned === SCAN_NEEDS_STRICT) return NONE;
  const isAscii = (scanned & SCAN_NOT_ASCII) === 0;
  if (!isAscii && !isUtf8(bytes)) return NONE;
  const buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return JSON.parse(buffer.toString(isAscii ? 'latin1' : 'utf8')) as unknown;
  } catch {
    return NONE;
  }
}

/** Third pass: returns NONE if a key came twice. */
const withoutRepeated = (value: unknown, scanned: number): unknown =>
  value === NONE || countKeys(value) === (scanned & ~SCAN_NOT_ASCII) ? value : NONE;

/** Parses with `JSON.parse`; returns NONE if the text is malformed or needs the strict parser. */
function parseFast(bytes: Uint8Array): unknown {
  const scanned = scan(bytes);
  return withoutRepeated(parseScanned(bytes, scanned), scanned);
}

function parseOrFault(bytes: Uint8Array): unknown {
  const value = parseFast(bytes);
  return value === NONE ? new StrictParser(bytes).parse() : value;
}

interface FaultText {
  /** Line and column of the fault, such as `1:17`. */
  readonly place: string;
  /** Line and column of the last complete token. */
  readonly tokenPlace: string;
  /** Jackson's message with its `at [Source: …]` line. */
  readonly message: string;
}

function faultText(fault: JsonFault, bytes: Uint8Array, source: string): FaultText {
  const { line, col } = positionAt(bytes, fault.at);
  const token = positionAt(bytes, fault.lastToken);
  const opener = positionAt(bytes, fault.opener ?? 0);
  const text = fault.message
    .replace('%OPENER%', () => `[Source: ${source}; line: ${opener.line}, column: ${opener.col}]`)
    .replace('%ROOT%', () => `[Source: ${source}; line: 1, column: 0]`);
  const place = `${line}:${col}`;
  return {
    place,
    tokenPlace: `${token.line}:${token.col}`,
    message: fault.kind === 'limit' ? text : `${text}\n at [Source: ${source}; line: ${line}, column: ${col}]`,
  };
}

function xContentError(fault: JsonFault, text: FaultText): ApiError {
  if (fault.kind === 'limit') return errors.streamConstraints(text.message);
  if (fault.kind === 'eof') {
    return errors.xContentEof(`com.fasterxml.jackson.core.io.JsonEOFException: ${text.message}`, {
      cause: errors.jsonEof(text.message),
    });
  }
  return errors.xContentParse(`[${text.place}] ${text.message}`, { cause: errors.jsonParse(text.message) });
}

function bodyError(fault: JsonFault, bytes: Uint8Array): ApiError {
  const error = xContentError(fault, faultText(fault, bytes, STREAM));
  return fault.kind === 'limit' ? errors.parse('Failed to parse content to type', { cause: error }) : error;
}

function documentError(fault: JsonFault, bytes: Uint8Array): ApiError {
  const quoted = new TextDecoder().decode(bytes.subarray(0, QUOTE_LENGTH_MAX));
  const more = bytes.length > QUOTE_LENGTH_MAX ? `[truncated ${bytes.length - QUOTE_LENGTH_MAX} bytes]` : '';
  const text = faultText(fault, bytes, `(byte[])"${quoted}"${more}`);
  const cause = xContentError(fault, text);
  const prefix = fault.isTrailing ? `[${text.place}] ` : `[${text.tokenPlace}] failed to parse: `;
  return errors.documentParsing(prefix + cause.reason, { cause });
}

type ToError = (fault: JsonFault, bytes: Uint8Array) => ApiError;

function parseWith<T>(bytes: Uint8Array, toError: ToError, parse: (bytes: Uint8Array) => T): T {
  try {
    return parse(bytes);
  } catch (thrown) {
    throw thrown instanceof JsonFault ? toError(thrown, bytes) : thrown;
  }
}

/**
 * Parses a request body. Integers beyond 2^53 become bigints; comments are accepted as in Elasticsearch. Duplicate
 * keys, invalid UTF-8 and trailing text are refused with x_content_parse_exception, text that ends early with
 * x_content_e_o_f_exception, nesting deeper than 1000 with stream_constraints_exception.
 */
export function parseJson(bytes: Uint8Array): unknown {
  return parseWith(bytes, bodyError, parseOrFault);
}

/** Bytes of JSON that are read at a stretch: 2 ms of lists, 10 ms of ever new keys. */
const SLICE_BYTES = 16 * 1024;
/** Larger texts are better parsed in turns. */
const LARGE_BYTES = 64 * 1024;

/** Whether parsing a text at a stretch may keep others waiting: up to 30 ms for each 64 KB. */
export const isLargeJson = (bytes: Uint8Array): boolean => bytes.length > LARGE_BYTES;

/** What parsing a large text asks of its caller. */
export interface ParseTurns {
  /** Lets others run; called after each slice. */
  readonly turn: () => Promise<void>;
  /**
   * Takes so many more bytes of memory for what has been parsed. Small values take many times what their text does. An
   * error that it throws ends the parse.
   */
  readonly charge: (bytes: number) => void;
}

/** Parses as `parseJson`, a slice in a turn. */
export function parseJsonInTurns(bytes: Uint8Array, turns: ParseTurns): Promise<unknown> {
  return parseSlices(bytes, bodyError, turns);
}

async function parseSlices(bytes: Uint8Array, toError: ToError, { turn, charge }: ParseTurns): Promise<unknown> {
  const parser = new StrictParser(bytes);
  let charged = 0;
  for (;;) {
    const isOver = parseWith(bytes, toError, () => parser.advance(SLICE_BYTES));
    charge(parser.weight - charged);
    charged = parser.weight;
    if (isOver) return parser.value;
    await turn();
  }
}

/**
 * Parses a document as `parseJson` does a body. Errors are document_parsing_exception; a value that is no object is
 * refused with not_x_content_exception.
 */
export function parseSource(bytes: Uint8Array): Record<string, unknown> {
  return documentOf(parseWith(bytes, documentError, parseOrFault));
}

/** As `parseSource`, but of the members of an object with the same key the last one counts. */
export function parseSourceKeepingLast(bytes: Uint8Array): Record<string, unknown> {
  const value = parseScanned(bytes, scan(bytes));
  if (value !== NONE) return documentOf(value);
  return documentOf(parseWith(bytes, documentError, (text) => new StrictParser(text, true).parse()));
}

/** Bytes of a document from which on its passes are better made in turns: each takes some 8 ns a byte. */
const HUGE_BYTES = 1024 * 1024;

/** Whether parsing a document of so many bytes at a stretch would keep others waiting. */
export const isHugeSource = (byteCount: number): boolean => byteCount > HUGE_BYTES;

/**
 * Keys of a text beyond which `JSON.parse` takes too long at a stretch: some 400 ns each. By slices it takes two to
 * three times as long, without keeping others waiting.
 */
const DENSE_KEYS = 100_000;

/** Parses as `parseSource`, and calls `turn` between the passes over the text, so that others may run. */
export async function parseSourceInTurns(
  bytes: Uint8Array,
  turn: () => Promise<void>,
): Promise<Record<string, unknown>> {
  const scanned = scan(bytes);
  await turn();
  const isDense = (scanned & ~SCAN_NOT_ASCII) > DENSE_KEYS;
  const parsed = isDense ? NONE : parseScanned(bytes, scanned);
  await turn();
  const value = withoutRepeated(parsed, scanned);
  if (value !== NONE) return documentOf(value);
  return documentOf(await parseSlices(bytes, documentError, { turn, charge: () => undefined }));
}

function documentOf(value: unknown): Record<string, unknown> {
  if (isPlainObject(value)) return value;
  throw errors.notXContent(
    'Compressor detection can only be called on some xcontent bytes or compressed xcontent bytes',
  );
}

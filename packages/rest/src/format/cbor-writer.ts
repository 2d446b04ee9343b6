import { ByteWriter } from '@shoal/codec';
import { endOfScalar, type LayoutWriter, nextToken } from './pretty-json.js';

const BRACE_OPEN = 0x7b;
const BRACKET_OPEN = 0x5b;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;

/** Initial bytes of CBOR (RFC 8949): a major type with a small argument. */
const UNSIGNED = 0x00;
const NEGATIVE = 0x20;
const TEXT = 0x60;
const ARRAY_OPEN = 0x9f;
const MAP_OPEN = 0xbf;
const LITERALS: Readonly<Record<string, number>> = { false: 0xf4, true: 0xf5, null: 0xf6 };
const DOUBLE = 0xfb;
const BREAK = 0xff;

const UINT64_MAX = 2n ** 64n - 1n;

/**
 * Writes a JSON text as CBOR. As Elasticsearch does, arrays and maps have no length: they end with a break. Whole
 * numbers are integers as long as 64 bits hold them; all others are doubles.
 */
export function cborWriter(bytes: Uint8Array): LayoutWriter {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const out = new ByteWriter(source.length + 16);
  let at = nextToken(source, 0);
  const token = (): number => {
    const byte = source[at]!;
    if (byte === COMMA || byte === COLON) return at + 1;
    if (byte === BRACE_OPEN) out.u8(MAP_OPEN);
    else if (byte === BRACKET_OPEN) out.u8(ARRAY_OPEN);
    else if (byte === BRACE_OPEN + 2 || byte === BRACKET_OPEN + 2) out.u8(BREAK);
    else {
      const end = endOfScalar(source, at);
      if (byte === QUOTE) writeText(out, source, at, end);
      else writeLiteral(out, source.toString('latin1', at, end));
      return end;
    }
    return at + 1;
  };
  return {
    advance(tokens) {
      for (let i = 0; i < tokens && at < source.length; i++) at = nextToken(source, token());
      return at < source.length;
    },
    bytes: () => Buffer.from(out.finish()),
  };
}

/** Writes an initial byte with its argument, in as few bytes as hold it, the most significant first. */
function writeHead(out: ByteWriter, major: number, argument: number): void {
  if (argument > 0xffff_ffff) return writeLong(out, major, BigInt(argument));
  const width = argument < 24 ? 0 : argument < 0x100 ? 1 : argument < 0x1_0000 ? 2 : 4;
  if (width === 0) return out.u8(major | argument);
  out.u8(major | (24 + Math.log2(width)));
  for (let shift = 8 * (width - 1); shift >= 0; shift -= 8) out.u8((argument >>> shift) & 0xff);
}

function writeLong(out: ByteWriter, major: number, argument: bigint): void {
  const bytes = Buffer.alloc(9);
  bytes[0] = major | 27;
  bytes.writeBigUInt64BE(argument, 1);
  out.raw(bytes);
}

function writeText(out: ByteWriter, source: Buffer, start: number, end: number): void {
  const inner = source.subarray(start + 1, end - 1);
  const text = inner.includes(0x5c) ? Buffer.from(JSON.parse(source.toString('utf8', start, end)) as string) : inner;
  writeHead(out, TEXT, text.length);
  out.raw(text);
}

function writeLiteral(out: ByteWriter, json: string): void {
  const literal = LITERALS[json];
  if (literal !== undefined) return out.u8(literal);
  if (/^-?\d+$/.test(json)) {
    const value = Number(json);
    if (Number.isSafeInteger(value))
      return value < 0 ? writeHead(out, NEGATIVE, -1 - value) : writeHead(out, UNSIGNED, Math.abs(value));
    const long = BigInt(json);
    if (long >= 0n && long <= UINT64_MAX) return writeLong(out, UNSIGNED, long);
    if (long < 0n && -1n - long <= UINT64_MAX) return writeLong(out, NEGATIVE, -1n - long);
  }
  const double = Buffer.alloc(9);
  double[0] = DOUBLE;
  double.writeDoubleBE(Number(json), 1);
  out.raw(double);
}

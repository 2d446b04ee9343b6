import { rareFormats } from './rare-formats.js';
import { errors } from '@shoal/errors';
import { parseJson, parseJsonInTurns, type ParseTurns } from '@shoal/json';
import { CborReader } from './cbor-reader.js';
import type { BodyFormat } from './media-types.js';

/** Longest body of each format besides JSON; nobody writes large ones by hand. */
const CBOR_BYTES_MAX = 2 ** 20;
const YAML_BYTES_MAX = 64 * 1024;
/** Tokens of a YAML body: the parser takes 5 to 20 us for each, at a stretch. */
const YAML_TOKENS_MAX = 10_000;
/** Bytes of CBOR that are read at a stretch: some milliseconds. */
const CBOR_SLICE_BYTES = 8 * 1024;

/** Parses a request body into JSON values, strictly. Throws the errors of its media type. */
export function parseBody(bytes: Uint8Array, format: BodyFormat): unknown {
  if (format === 'json' || format === 'ndjson') return parseJson(bytes);
  if (format === 'yaml') return fromYaml(bytes);
  if (format === 'cbor') return fromCbor(bytes);
  throw errors.illegalArgument('request bodies in SMILE are not supported');
}

/** Parses a large body as `parseBody`, a part in a turn. */
export async function parseBodyInTurns(bytes: Uint8Array, format: BodyFormat, turns: ParseTurns): Promise<unknown> {
  if (format === 'json' || format === 'ndjson') return parseJsonInTurns(bytes, turns);
  if (format !== 'cbor') return parseBody(bytes, format);
  checkLength(bytes, 'CBOR', CBOR_BYTES_MAX);
  const reader = new CborReader(bytes);
  let charged = 0;
  while (!reader.advance(CBOR_SLICE_BYTES)) {
    turns.charge(reader.weight - charged);
    charged = reader.weight;
    await turns.turn();
  }
  return reader.value;
}

function fromYaml(bytes: Uint8Array): unknown {
  checkLength(bytes, 'YAML', YAML_BYTES_MAX);
  const text = Buffer.from(bytes).toString('utf8');
  try {
    checkTokens(text);
    return rareFormats.yaml().parse(text, { maxAliasCount: 0, uniqueKeys: true, logLevel: 'error' }) as unknown;
  } catch (error) {
    throw errors.parse(`failed to parse the YAML body: ${(error as Error).message}`);
  }
}

function checkTokens(text: string): void {
  let count = 0;
  for (const _ of new (rareFormats.yaml().Lexer)().lex(text))
    if (++count > YAML_TOKENS_MAX) throw new Error(`it has more than [${YAML_TOKENS_MAX}] tokens`);
}

function fromCbor(bytes: Uint8Array): unknown {
  checkLength(bytes, 'CBOR', CBOR_BYTES_MAX);
  const reader = new CborReader(bytes);
  reader.advance(bytes.length);
  return reader.value;
}

function checkLength(bytes: Uint8Array, name: string, bytesMax: number): void {
  if (bytes.length > bytesMax)
    throw errors.parse(`a ${name} body of [${bytes.length}] bytes is larger than the limit of [${bytesMax}] bytes`);
}

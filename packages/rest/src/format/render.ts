import type { Clock } from '@shoal/doors';
import { rareFormats } from './rare-formats.js';
import { parseJson, stringify } from '@shoal/json';
import { type FilterPath, filterJson } from './filter-path.js';
import type { AnswerFormat } from './media-types.js';
import { type LayoutWriter, prettyJson, prettyWriter } from './pretty-json.js';
import { yamlWriter } from './yaml-writer.js';
import type { RestResponse } from '../routing/route.js';

/** How an answer is rendered. */
export interface AnswerStyle {
  readonly format: AnswerFormat;
  readonly pretty: boolean;
  readonly filter: FilterPath | null;
}

/** Joins byte arrays; a single array is returned without a copy. */
export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** Compact JSON of any value, including 64-bit integers. */
export function jsonBytes(value: unknown): Uint8Array {
  return Buffer.from(stringify(value));
}

function atOnce(writer: LayoutWriter): Uint8Array {
  writer.advance(Infinity);
  return writer.bytes();
}

function styled(bytes: Uint8Array, style: AnswerStyle): Uint8Array {
  const kept = style.filter ? filterJson(bytes, style.filter) : bytes;
  if (style.format === 'cbor') return rareFormats.cbor().encode(parseJson(kept));
  if (style.format === 'yaml') return atOnce(yamlWriter(kept));
  return style.pretty ? prettyJson(kept) : kept;
}

/** Body of an answer in the requested format; text is not converted; null if there is no body. */
export function renderBody(response: RestResponse, style: AnswerStyle): Uint8Array | null {
  if ('empty' in response) return null;
  if ('text' in response) return Buffer.from(response.text);
  if ('json' in response) return styled(jsonBytes(response.json), style);
  const bytes = response.bytes instanceof Uint8Array ? response.bytes : joinBytes(response.bytes);
  return styled(bytes, style);
}

/** JSON of more bytes is laid out in turns of the thread. */
const LARGE_BYTES = 64 * 1024;
/** Tokens that are written between two looks at the clock. */
const TOKENS_IN_STEP = 2_000;
/** Milliseconds after which the thread is given back. */
const TURN_MS = 8;

/**
 * `renderBody` of a large answer as YAML or with `?pretty`, in turns of the thread; null for answers that are rendered
 * at once.
 */
export function renderInTurns(response: RestResponse, style: AnswerStyle, clock: Clock): Promise<Uint8Array> | null {
  if (!('bytes' in response) || !(style.format === 'yaml' || (style.pretty && style.format === 'json'))) return null;
  const bytes = response.bytes instanceof Uint8Array ? response.bytes : joinBytes(response.bytes);
  if (bytes.length <= LARGE_BYTES) return null;
  const kept = style.filter ? filterJson(bytes, style.filter) : bytes;
  return laidOut(style.format === 'yaml' ? yamlWriter(kept) : prettyWriter(kept), clock);
}

async function laidOut(writer: LayoutWriter, clock: Clock): Promise<Uint8Array> {
  for (let end = clock.monotonic() + TURN_MS; writer.advance(TOKENS_IN_STEP); ) {
    if (clock.monotonic() <= end) continue;
    await clock.yield();
    end = clock.monotonic() + TURN_MS;
  }
  return writer.bytes();
}

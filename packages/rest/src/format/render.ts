import type { Clock } from '@shoal/doors';
import { isSmallJson, stringify, stringifyInSteps } from '@shoal/json';
import { cborWriter } from './cbor-writer.js';
import { filterInSteps, type FilterPath, filterJson } from './filter-path.js';
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
  if (style.format === 'cbor') return atOnce(cborWriter(kept));
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

/** Writes JSON in the layout of a style; null if it stays as it is. */
function writerOf({ format, pretty }: AnswerStyle, kept: Uint8Array): LayoutWriter | null {
  if (format === 'cbor') return cborWriter(kept);
  if (format === 'yaml') return yamlWriter(kept);
  return pretty && format === 'json' ? prettyWriter(kept) : null;
}

/** An answer of more values is made JSON in turns of the thread. */
const LARGE_VALUES = 4_096;

/**
 * `renderBody` of a large answer, in turns of the thread; null for answers that are rendered at once: small ones, and
 * bytes that stay as they are.
 */
export function renderInTurns(response: RestResponse, style: AnswerStyle, clock: Clock): Promise<Uint8Array> | null {
  if ('json' in response) return isSmallJson(response.json, LARGE_VALUES) ? null : jsonInTurns(response, style, clock);
  if (!('bytes' in response) || (style.format === 'json' && !style.pretty && style.filter === null)) return null;
  const bytes = response.bytes instanceof Uint8Array ? response.bytes : joinBytes(response.bytes);
  return bytes.length <= LARGE_BYTES ? null : laidOut(bytes, style, clock);
}

async function jsonInTurns(
  { json }: { readonly json: unknown },
  style: AnswerStyle,
  clock: Clock,
): Promise<Uint8Array> {
  let end = clock.monotonic() + TURN_MS;
  for (const steps = stringifyInSteps(json); ; ) {
    const { done, value } = steps.next();
    if (done === true) return laidOut(joinBytes(value), style, clock);
    if (clock.monotonic() <= end) continue;
    await clock.yield();
    end = clock.monotonic() + TURN_MS;
  }
}

async function laidOut(bytes: Uint8Array, style: AnswerStyle, clock: Clock): Promise<Uint8Array> {
  let end = clock.monotonic() + TURN_MS;
  const turn = async (): Promise<void> => {
    await clock.yield();
    end = clock.monotonic() + TURN_MS;
  };
  let kept = bytes;
  for (const steps = style.filter === null ? null : filterInSteps(bytes, style.filter); steps !== null; ) {
    const { done, value } = steps.next();
    if (done === true) {
      kept = value;
      break;
    }
    if (clock.monotonic() > end) await turn();
  }
  const writer = writerOf(style, kept);
  if (writer === null) return kept;
  while (writer.advance(TOKENS_IN_STEP)) if (clock.monotonic() > end) await turn();
  return writer.bytes();
}

import { rareFormats } from './rare-formats.js';
import { parseJson, stringify } from '@shoal/json';
import { type FilterPath, filterJson } from './filter-path.js';
import type { AnswerFormat } from './media-types.js';
import { prettyJson } from './pretty-json.js';
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

/** Whether YAML writes a value behind the mark of the document's start: `--- []`. */
function isEmpty(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

function fromJson(bytes: Uint8Array, format: 'yaml' | 'cbor'): Uint8Array {
  const value = parseJson(bytes);
  if (format === 'yaml')
    return Buffer.from(
      (isEmpty(value) ? '--- ' : '---\n') +
        rareFormats.yaml().stringify(value, {
          lineWidth: 0,
          indentSeq: false,
          defaultStringType: 'QUOTE_DOUBLE',
          defaultKeyType: 'PLAIN',
        }),
    );
  return rareFormats.cbor().encode(value);
}

function styled(bytes: Uint8Array, style: AnswerStyle): Uint8Array {
  const kept = style.filter ? filterJson(bytes, style.filter) : bytes;
  if (style.format === 'yaml' || style.format === 'cbor') return fromJson(kept, style.format);
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

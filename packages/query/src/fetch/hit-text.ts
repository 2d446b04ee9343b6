import { stringify } from '@shoal/json';
import type { StoredDocument } from '../searcher.js';
import type { Explanation } from '../plans/explanation-tree.js';
import { formatFloat } from '@shoal/values';

/** Parts of a hit besides its source; absent parts are left out of the answer. */
export interface HitParts {
  readonly index: string;
  readonly document: StoredDocument;
  /** False if `stored_fields` is `_none_`. */
  readonly showsId: boolean;
  readonly withType: boolean;
  readonly shard: string | null;
  readonly nested: string | null;
  readonly showsVersion: boolean;
  readonly showsSeqNo: boolean;
  /** Null prints `null`: the search is sorted without scores. */
  readonly score: number | null;
  readonly showsRouting: boolean;
  readonly ignored: readonly string[] | null;
  readonly fields: Readonly<Record<string, unknown>> | null;
  readonly ignoredValues: Readonly<Record<string, unknown>> | null;
  readonly highlight: Readonly<Record<string, unknown>> | null;
  /** Sort values as JSON text. */
  readonly sort: string | null;
  readonly matchedQueries: ReadonlyMap<string, number> | null;
  readonly showsQueryScores: boolean;
  readonly explanation: Explanation | null;
  /** Inner hits as JSON text. */
  readonly innerHits: string | null;
}

/** Returns the text of a hit before its source, in Elasticsearch's order of keys. */
export function headText(parts: HitParts): string {
  const { document } = parts;
  let text = parts.shard === null ? '{' : `{"_shard":${JSON.stringify(parts.shard)},`;
  text += `"_index":${JSON.stringify(parts.index)}`;
  if (parts.withType) text += ',"_type":"_doc"';
  if (parts.showsId) text += `,"_id":${JSON.stringify(document.id)}`;
  if (parts.nested !== null) text += `,"_nested":${parts.nested}`;
  if (parts.showsVersion) text += `,"_version":${document.version}`;
  if (parts.showsSeqNo) text += `,"_seq_no":${document.seqNo},"_primary_term":${document.primaryTerm}`;
  text += `,"_score":${parts.score === null ? 'null' : formatFloat(parts.score)}`;
  if (document.routing != null && parts.showsRouting) text += `,"_routing":${JSON.stringify(document.routing)}`;
  if (parts.ignored !== null && parts.ignored.length > 0) text += `,"_ignored":${JSON.stringify(parts.ignored)}`;
  return text;
}

/** Returns the text of a hit after its source. */
export function tailText(parts: HitParts): string {
  return fieldsText(parts) + restText(parts);
}

const fieldsText = ({ fields }: HitParts): string => (isFilled(fields) ? `,"fields":${stringify(fields)}` : '');

/** Where further fields of a hit go: in the object of its fields, or where that would be. */
export function fieldsPlace(parts: HitParts): { readonly fromEnd: number; readonly hasFields: boolean } {
  const hasFields = isFilled(parts.fields);
  return { fromEnd: Buffer.byteLength(restText(parts)) + (hasFields ? 1 : 0), hasFields };
}

/** Returns the text of a hit after its fields. */
function restText(parts: HitParts): string {
  let text = '';
  if (isFilled(parts.ignoredValues)) text += `,"ignored_field_values":${stringify(parts.ignoredValues)}`;
  if (isFilled(parts.highlight)) text += `,"highlight":${JSON.stringify(parts.highlight)}`;
  if (parts.sort !== null) text += `,"sort":${parts.sort}`;
  if (parts.matchedQueries && parts.matchedQueries.size > 0)
    text += `,"matched_queries":${queriesText(parts.matchedQueries, parts.showsQueryScores)}`;
  if (parts.explanation !== null) text += `,"_explanation":${explanationText(parts.explanation)}`;
  if (parts.innerHits !== null) text += `,"inner_hits":${parts.innerHits}`;
  return `${text}}`;
}

function isFilled(object: Readonly<Record<string, unknown>> | null): boolean {
  return object !== null && Object.keys(object).length > 0;
}

function queriesText(queries: ReadonlyMap<string, number>, showsScores: boolean): string {
  if (!showsScores) return JSON.stringify([...queries.keys()]);
  return `{${[...queries].map(([name, score]) => `${JSON.stringify(name)}:${formatFloat(score)}`).join(',')}}`;
}

/** Returns the JSON text of an explanation. Counts print as integers, scores as floats. */
function explanationText({ value, description, details, isExact, whole }: Explanation): string {
  const inner = details.map(explanationText).join(',');
  const isCount = isExact === true || /^[nN], /.test(description);
  const shown = isCount ? (whole ?? value) : formatFloat(Math.fround(value));
  return `{"value":${shown},"description":${JSON.stringify(description)},"details":[${inner}]}`;
}

const SOURCE_KEY = ',"_source":';

/** Returns the bytes of a hit; the bytes of the source are copied unchanged. */
export function hitBytes(parts: HitParts, source: Uint8Array | null): Uint8Array {
  const head = headText(parts);
  const tail = tailText(parts);
  if (source === null || source.length === 0) return Buffer.from(head + tail);
  const start = Buffer.byteLength(head) + SOURCE_KEY.length;
  const bytes = Buffer.allocUnsafe(start + source.length + Buffer.byteLength(tail));
  bytes.write(head + SOURCE_KEY, 0);
  bytes.set(source, start);
  bytes.write(tail, start + source.length);
  return bytes;
}

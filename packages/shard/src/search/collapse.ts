import type { Value } from '@shoal/codec';
import { errors } from '@shoal/errors';
import type { FieldType } from '@shoal/mapping';
import type { Collapse, Pause, Searcher, SegmentView, TopDocs } from '@shoal/query';

/** Types of fields whose values hits can be grouped by. */
const COLLAPSIBLE = [
  ...['keyword', 'byte', 'short', 'integer', 'long', 'unsigned_long', 'half_float', 'float', 'double', 'scaled_float'],
];
const METADATA = ['_id', '_index', '_source', '_routing', '_ignored', '_version', '_seq_no'];

/** Returns the field by whose values hits are grouped. Throws for fields without a suitable column. */
export function collapseColumn({ field, innerHits }: Collapse, searcher: Searcher): string {
  const type = searcher.mapping.field(field);
  if (type === null && METADATA.includes(field)) throw notSupported(field, field);
  if (type === null) throw errors.illegalArgument(`no mapping found for \`${field}\` in order to collapse on`);
  if (!COLLAPSIBLE.includes(type.typeName) || type.runtime !== undefined)
    throw notSupported(shownName(type), type.typeName);
  if (!type.layout?.column)
    throw errors.illegalArgument(`cannot collapse on field \`${field}\` without \`doc_values\``);
  if (innerHits.length > 0 && type.layout.terms === null && !type.layout.points)
    throw errors.illegalArgument(
      `cannot expand \`inner_hits\` for collapse field \`${field}\`, only indexed field can retrieve \`inner_hits\``,
    );
  return type.name;
}

/** The name of a field in errors: all keys of a `flattened` field are one field, which 8.12 calls `root._keyed`. */
const shownName = ({ name, keyOf }: FieldType): string => (keyOf === undefined ? name : `${keyOf}._keyed`);

const notSupported = (field: string, typeName: string): Error =>
  errors.illegalArgument(`collapse is not supported for the field [${field}] of the type [${typeName}]`);

/** Returns the value by which a document is grouped; null for none. */
export function collapseValue(field: string, searcher: Searcher, doc: number): Value {
  const view = searcher.segments.findLast((segment) => segment.docBase <= doc)!;
  const local = Int32Array.of(doc - view.docBase);
  return termOf(field, view, local) ?? numberOf(field, view, local);
}

function termOf(field: string, { reader }: SegmentView, doc: Int32Array): string | null {
  const column = reader.ordinals(field);
  if (column === null) return null;
  if (!column.isSingleValued) {
    const all = { values: new Int32Array(4), starts: new Int32Array(2) };
    column.readAll(doc, 1, all);
    if (all.starts[1]! > 1) throw severalValues(doc[0]!);
  }
  const ordinal = new Int32Array(1);
  column.read(doc, 1, ordinal);
  return ordinal[0]! < 0 ? null : column.term(ordinal[0]!);
}

function numberOf(field: string, { reader }: SegmentView, doc: Int32Array): number | bigint | null {
  const column = reader.numbers(field);
  if (column === null) return null;
  if (!column.isSingleValued) {
    const all = { values: new Float64Array(4), starts: new Int32Array(2) };
    column.readAll(doc, 1, all);
    if (all.starts[1]! > 1) throw severalValues(doc[0]!);
  }
  if (!column.isExact && column.kind === 'long') return exactOf(column.bigs(doc[0]!));
  const value = new Float64Array(1);
  column.read(doc, 1, value);
  return Number.isNaN(value[0]) ? null : value[0]!;
}

/** The error of a document with several values; other documents of the column are grouped. */
const severalValues = (doc: number): Error =>
  errors.refusedState(`failed to extract doc:${doc}, the grouping field must be single valued`);

/**
 * Returns an integer as a number if that is exact, so that it equals the numbers of segments whose values are all
 * small.
 */
function exactOf(values: readonly bigint[]): number | bigint | null {
  const value = values[0];
  if (value === undefined) return null;
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

/** Whether a document of some segment has several values of the field. */
export function mayHaveSeveral(field: string, { segments }: Searcher): boolean {
  return segments.some(
    ({ reader }) => reader.ordinals(field)?.isSingleValued === false || reader.numbers(field)?.isSingleValued === false,
  );
}

/**
 * Throws for the document with several values that Elasticsearch meets first: it looks at documents in the order of
 * their numbers, at those only that are better than the last of the best `size` groups until then. `top` has all of
 * the documents. Returns the ranks of the best document of each group, best first.
 */
export function refuseSeveralValues({ docs }: TopDocs, field: string, searcher: Searcher, size: number): number[] {
  const ranks = Uint32Array.from(docs, (_, rank) => rank).sort((a, b) => docs[a]! - docs[b]!);
  const rankOf = new Map<Value, number>();
  /** Ranks of the best document of each group, best first. */
  const heads: number[] = [];
  for (const rank of ranks) {
    const isFull = heads.length >= size;
    if (isFull && rank > heads.at(-1)!) continue;
    const value = collapseValue(field, searcher, docs[rank]!);
    const old = rankOf.get(value);
    if (old !== undefined && old < rank) continue;
    if (old !== undefined) heads.splice(placeOf(heads, old), 1);
    else if (isFull) rankOf.delete(collapseValue(field, searcher, docs[heads.pop()!]!));
    heads.splice(placeOf(heads, rank), 0, rank);
    rankOf.set(value, rank);
  }
  return heads;
}

/** The first place in ascending numbers whose number is not less than `value`. */
function placeOf(numbers: readonly number[], value: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Hits that are looked at between pauses. */
const PAUSE_HITS = 1024;

/** Returns the best hit of each group, in order, with the value of each group. */
export async function collapseHits(
  top: TopDocs,
  field: string,
  searcher: Searcher,
  size: number,
  pause: Pause,
): Promise<{ top: TopDocs; values: Value[] }> {
  const seen = new Set<Value>();
  const kept: number[] = [];
  const values: Value[] = [];
  for (let i = 0; i < top.docs.length && kept.length < size; i++) {
    const wait = i % PAUSE_HITS === PAUSE_HITS - 1 ? pause() : null;
    if (wait !== null) await wait;
    const value = collapseValue(field, searcher, top.docs[i]!);
    if (seen.has(value)) continue;
    seen.add(value);
    kept.push(i);
    values.push(value);
  }
  const docs = Int32Array.from(kept, (i) => top.docs[i]!);
  const scores = top.scores.length === 0 ? top.scores : Float32Array.from(kept, (i) => top.scores[i]!);
  return { top: { docs, scores }, values };
}

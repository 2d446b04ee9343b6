import { murmur3Bytes } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { type SegmentReader, WINDOW_DOCS } from '@shoal/segments';
import { formatDouble, hashCode, mixBits } from '@shoal/values';
import type { ScoreFunction } from '../../plan.js';
import { requireColumn } from '../../require-column.js';
import type { Searcher, SegmentView } from '../../searcher.js';
import type { FunctionValues } from './function-values.js';

type RandomDefinition = Extract<ScoreFunction['function'], { kind: 'random' }>;

const toUnit = (hash: number): number => (hash & 0xffffff) / 0x1000000;

/** What each shard salts a seed with: its index and its number (Elasticsearch's RandomScoreFunctionBuilder). */
export const saltOf = ({ index, shard }: Searcher): number => (hashCode(index) << 10) | shard;

/**
 * Returns values in [0, 1) by the number of a document or by the smallest value of a field, which is the same on every
 * copy of the shard (Elasticsearch's RandomScoreFunction). A document without a value gets the seed's.
 */
export function randomValues(definition: RandomDefinition, reader: SegmentReader, docBase: number): FunctionValues {
  const { seed, field } = definition;
  if (field === null)
    return (docs, count, out) => {
      for (let i = 0; i < count; i++) out[i] = toUnit(mixBits(docBase + docs[i]!, seed));
    };
  const bytesOf = fieldBytes(definition, reader);
  return (docs, count, out) => {
    bytesOf(docs, count, (i, bytes) => (out[i] = toUnit(bytes === null ? seed : murmur3Bytes(bytes, seed))));
  };
}

type VisitBytes = (i: number, bytes: Uint8Array | null) => void;

/** Reads the bytes by which 8.12 knows the first value of a field: a number and a point by their texts. */
function fieldBytes(
  { field, valueKind }: Pick<RandomDefinition, 'field' | 'valueKind'>,
  reader: SegmentReader,
): (docs: Int32Array, count: number, visit: VisitBytes) => void {
  const numbers = reader.numbers(field!);
  const ordinals = reader.ordinals(field!);
  const values = new Float64Array(WINDOW_DOCS);
  const ordinalOf = new Int32Array(WINDOW_DOCS);
  // Only root documents keep their sequence number; a nested one has that of its root.
  const roots = field === '_seq_no' ? reader.roots : null;
  const rootDocs = new Int32Array(WINDOW_DOCS);
  return (docs, count, visit) => {
    if (roots) for (let i = 0; i < count; i++) rootDocs[i] = roots.next(docs[i]!);
    numbers?.read(roots ? rootDocs : docs, count, values);
    ordinals?.read(docs, count, ordinalOf);
    for (let i = 0; i < count; i++) {
      if (numbers !== null && !Number.isNaN(values[i]!))
        visit(i, Buffer.from(valueKind === 'double' ? formatDouble(values[i]!) : String(values[i])));
      else if (ordinals !== null && ordinalOf[i]! >= 0)
        visit(i, Buffer.from(ordinals.term(ordinalOf[i]!), valueKind === 'ip' ? 'latin1' : 'utf8'));
      else visit(i, null);
    }
  };
}

/** `randomScore(seed)` and `randomScore(seed, field)` of scripts, in one segment. */
export class ScriptRandom {
  readonly #searcher: Searcher;
  readonly #segment: SegmentView;
  readonly #readers = new Map<string, ReturnType<typeof fieldBytes>>();
  readonly #one = new Int32Array(1);
  /** The document at which the script stands. */
  doc = 0;

  constructor(searcher: Searcher, segment: SegmentView) {
    this.#searcher = searcher;
    this.#segment = segment;
  }

  /** Returns a number in [0, 1) by the number of the document, or by the first value of a field. */
  readonly next = (seed: number, field: string | null): number => {
    const salted = mixBits(seed, saltOf(this.#searcher));
    if (field === null) return toUnit(mixBits(this.#segment.docBase + this.doc, salted));
    let value = 0;
    this.#one[0] = this.doc;
    this.#reader(field)(this.#one, 1, (_i, bytes) => {
      value = toUnit(bytes === null ? salted : murmur3Bytes(bytes, salted));
    });
    return value;
  };

  #reader(field: string): ReturnType<typeof fieldBytes> {
    const known = this.#readers.get(field);
    if (known !== undefined) return known;
    const type = this.#searcher.mapping.field(field);
    if (type === null && field !== '_seq_no') throw errors.illegalArgument(`No field found for [${field}] in mapping`);
    if (type !== null) requireColumn(type, this.#searcher);
    const made = fieldBytes({ field: type?.name ?? field, valueKind: type?.valueKind ?? null }, this.#segment.reader);
    this.#readers.set(field, made);
    return made;
  }
}

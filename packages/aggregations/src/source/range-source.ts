import { errors } from '@shoal/errors';
import { globalOrdinals, type SegmentView } from '@shoal/query';
import type { BuildSite } from '../aggregation-type.js';
import { ordinalSource } from './ordinal-source.js';
import { holdsRanges } from './values-source.js';

/** Types of range fields. A value is a term of 16 characters with codes 0 to 255: 8 for each end, in sortable form. */

const END_WIDTH = 8;
const SIGN = 1n << 63n;

function bits(text: string): bigint {
  let value = 0n;
  for (let i = 0; i < END_WIDTH; i++) value = (value << 8n) | BigInt(text.charCodeAt(i));
  return value;
}

const wholeOf = (text: string): number => Number(bits(text) - SIGN);

function decimalOf(text: string): number {
  const sortable = bits(text);
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, (sortable & SIGN) === 0n ? BigInt.asUintN(64, ~sortable) : sortable ^ SIGN);
  return view.getFloat64(0);
}

/** Reads the ranges of one field over the segments of a shard, both ends inclusive. */
export interface RangeSource {
  segment(view: SegmentView): void;
  /** Calls `visit` with each range of each document, in order of documents. */
  each(docs: Int32Array, count: number, visit: (i: number, low: number, high: number) => void): void;
  readonly isDate: boolean;
}

/**
 * Throws `reason [type]` for a field of ranges, which a histogram looks at when it is built: what its sub-aggregations
 * are refused for comes first.
 */
export function refuseRanges(build: BuildSite, field: string, reason: string): void {
  const type = build.context.searcher.mapping.field(field);
  if (!type?.isAggregatable || !holdsRanges(type)) return;
  build.subs();
  throw errors.illegalArgument(`${reason} [${type.typeName}]`);
}

/** Opens the ranges of a field; null if it is not a range field of numbers or dates. */
export function rangeSource(build: BuildSite, field: string): RangeSource | null {
  const type = build.context.searcher.mapping.field(field);
  const over = type?.capabilities.rangesOver ?? null;
  if (type === null || over === null || !type.isAggregatable) return null;
  const decode = over === 'decimal' ? decimalOf : wholeOf;
  const ordinals = globalOrdinals(build.context.searcher, type.name);
  const source = ordinalSource(type.name, build.context.scratch);
  const known = new Map<number, readonly [number, number]>();
  let map: Int32Array | null = null;
  const endsOf = (ordinal: number): readonly [number, number] => {
    let ends = known.get(ordinal);
    if (!ends) {
      const term = ordinals.term(ordinal);
      known.set(ordinal, (ends = [decode(term.slice(0, END_WIDTH)), decode(term.slice(END_WIDTH))]));
    }
    return ends;
  };
  return {
    isDate: over === 'date',
    segment(view) {
      source.segment(view);
      map = ordinals.map(view);
    },
    each(docs, count, visit) {
      const { starts, values } = source.readAll(docs, count);
      for (let i = 0; i < count; i++) {
        for (let j = starts[i]!; j < starts[i + 1]!; j++) {
          const [low, high] = endsOf(map ? map[values[j]!]! : values[j]!);
          visit(i, low, high);
        }
      }
    },
  };
}

import { errors } from '@shoal/errors';
import { multiNumbers, NO_MORE_DOCS, type NumberColumn, reserveNumbers, reserveStarts } from '@shoal/segments';
import type { BuildSite } from '../../aggregation-type.js';
import type { FormatSpec } from '../../source/format.js';
import { wholeCodes, wholeKey, wholeOf } from '../../source/wide-numbers.js';
import type { SourceReader } from './source-reader.js';

/** Estimated memory of one distinct value and its rank. */
const VALUE_BYTES = 120;

function distinctValues({ context }: BuildSite, field: string): Set<bigint> {
  const values = new Set<bigint>();
  for (const { reader } of context.searcher.segments) {
    const column = reader.numbers(field);
    if (column === null) continue;
    const before = values.size;
    for (let doc = column.nextDocWithField(0); doc !== NO_MORE_DOCS; doc = column.nextDocWithField(doc + 1))
      for (const value of column.bigs(doc)) values.add(value);
    context.charge((values.size - before) * VALUE_BYTES);
  }
  return values;
}

/**
 * Reads whole numbers beyond 2^53 as a source. The code of a value is its rank among all values of the shard, which are
 * read first.
 */
export function wideReader(build: BuildSite, field: string, format: FormatSpec, missing: unknown): SourceReader {
  const given = missing === null || missing === undefined ? null : wholeOf(missing);
  const values = distinctValues(build, field);
  if (given !== null) values.add(given);
  const codes = wholeCodes(values);
  const out = multiNumbers();
  let column: NumberColumn | null = null;
  return {
    format,
    segment(view) {
      column = view.reader.numbers(field);
    },
    codes(docs, count) {
      const starts = reserveStarts(out, count);
      let at = 0;
      for (let i = 0; i < count; i++) {
        starts[i] = at;
        for (const value of column?.bigs(docs[i]!) ?? []) reserveNumbers(out, at + 1)[at++] = codes.code(value);
      }
      starts[count] = at;
      return out;
    },
    isSingle: () => false,
    singles: () => out.values,
    select: () => 0,
    key: (code) => wholeKey(codes.value(code)),
    codeOf(value) {
      const whole = wholeOf(value);
      if (whole === null) throw errors.numberFormat(`For input string: "${String(value)}"`);
      return codes.codeOf(whole);
    },
  };
}

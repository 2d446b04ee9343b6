import { compareTerms } from '@shoal/codec';
import type { SortSpec } from './sort-spec.js';
import { isTermValue } from './term-value.js';

/**
 * Compares the sort values of two hits of different shards, by the criteria of the request. Values are those of `sort`
 * in answers. A term that answers show in another form is a `TermValue`. A missing term is null, a missing distance or
 * double is `"Infinity"`.
 */
export function compareSortValues(specs: readonly SortSpec[], a: readonly unknown[], b: readonly unknown[]): number {
  for (let i = 0; i < specs.length; i++) {
    const order = compareOne(specs[i]!, a[i], b[i]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareOne(spec: SortSpec, a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === null || b === null) {
    const isFirst = spec.kind === 'field' && spec.missing === '_first';
    return (a === null) === isFirst ? -1 : 1;
  }
  const order = compareValues(comparedValue(a), comparedValue(b));
  return spec.order === 'desc' ? -order : order;
}

const comparedValue = (value: unknown): unknown => (isTermValue(value) ? value.term : value);

function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string' && !isInfinite(a) && !isInfinite(b)) return compareTerms(a, b);
  const [left, right] = [numeric(a), numeric(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function isInfinite(text: string): boolean {
  return text === 'Infinity' || text === '-Infinity';
}

function numeric(value: unknown): number | bigint {
  return typeof value === 'bigint' ? value : Number(value);
}

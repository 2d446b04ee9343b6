import { stringify } from '@shoal/json';
import type { Mapping } from '@shoal/mapping';
import { type DateText, dateTextOf } from '../sort/sort-format.js';
import type { SortSpec } from '../sort/sort-spec.js';
import { shownValue } from '../sort/term-value.js';
import { doubleNumber, floatNumber } from '@shoal/json';

/**
 * Formats of the numbers of a sort criterion: scores and floats as 32-bit floats, doubles and distances as doubles,
 * dates by the `format` of the sort, other numbers unchanged.
 */
export type SortNumber = 'score' | 'float' | 'double' | 'plain' | DateText;

const TYPES = new Map<string, SortNumber>([
  ['double', 'double'],
  ['scaled_float', 'double'],
  ['float', 'float'],
  ['half_float', 'float'],
]);

function numberOf(spec: SortSpec, mapping: Mapping): SortNumber {
  if (spec.kind === 'score') return 'score';
  if (spec.kind === 'geoDistance' || spec.kind === 'script') return 'double';
  if (spec.kind === 'doc') return 'plain';
  const { field, numericType, unmappedType } = spec;
  const type = mapping.field(field);
  const dates = dateTextOf(spec, type);
  if (dates !== null) return dates;
  return TYPES.get(numericType ?? type?.typeName ?? unmappedType ?? '') ?? 'plain';
}

/** Returns how the numbers of each criterion of a `sort` print. */
export function sortNumbers(sort: readonly SortSpec[], mapping: Mapping): readonly SortNumber[] {
  return sort.map((spec) => numberOf(spec, mapping));
}

/** Returns the JSON text of a hit's sort values. */
export function sortText(values: readonly unknown[], numbers: readonly SortNumber[]): string {
  let text = '[';
  for (let i = 0; i < values.length; i++)
    text += (i > 0 ? ',' : '') + valueText(shownValue(values[i]), numbers[i] ?? 'plain');
  return `${text}]`;
}

function valueText(value: unknown, number: SortNumber): string {
  if (typeof number === 'object') {
    const isValue = typeof value === 'bigint' || typeof value === 'number';
    return isValue ? JSON.stringify(number.toText(value)) : valueText(value, 'plain');
  }
  if (typeof value !== 'number')
    return typeof value === 'bigint' ? value.toString() : (JSON.stringify(value) ?? 'null');
  if (!Number.isFinite(value)) return `"${value}"`;
  if (number === 'plain') return String(value);
  return stringify(number === 'double' ? doubleNumber(value) : floatNumber(value));
}

import { stringify } from '@shoal/json';
import type { Mapping, ValueFormat } from '@shoal/mapping';
import { isObject } from '../parse/options.js';
import { shownValue } from '../sort/term-value.js';
import { doubleNumber, floatNumber } from './float-text.js';

/**
 * How numbers of a sort criterion print: scores and floats as 32-bit floats, doubles and distances as doubles, by a
 * `format`, the rest as they are.
 */
export type SortNumber = 'score' | 'float' | 'double' | 'plain' | ValueFormat;

const TYPES = new Map<unknown, SortNumber>([
  ['double', 'double'],
  ['scaled_float', 'double'],
  ['float', 'float'],
  ['half_float', 'float'],
]);

function numberOf(field: string, options: unknown, mapping: Mapping): SortNumber {
  if (field === '_score') return 'score';
  if (field === '_geo_distance') return 'double';
  const type = mapping.field(field);
  if (
    isObject(options) &&
    typeof options['format'] === 'string' &&
    type?.layout?.column !== 'ordinals' &&
    type?.valueKind !== 'unsigned'
  )
    return type?.format(options['format'], null) ?? 'plain';
  const wanted = isObject(options)
    ? (options['numeric_type'] ?? type?.typeName ?? options['unmapped_type'])
    : type?.typeName;
  return TYPES.get(wanted) ?? 'plain';
}

/** How the numbers of each criterion of a `sort` print. */
export function sortNumbers(sort: unknown, mapping: Mapping): readonly SortNumber[] {
  if (sort === undefined || sort === null) return [];
  return (Array.isArray(sort) ? (sort as unknown[]) : [sort]).flatMap((key) =>
    isObject(key)
      ? Object.keys(key).map((field) => numberOf(field, key[field], mapping))
      : [numberOf(String(key), null, mapping)],
  );
}

/** The JSON text of a hit's sort values. */
export function sortText(values: readonly unknown[], numbers: readonly SortNumber[]): string {
  let text = '[';
  for (let i = 0; i < values.length; i++)
    text += (i > 0 ? ',' : '') + valueText(shownValue(values[i]), numbers[i] ?? 'plain');
  return `${text}]`;
}

/** The extremes of 64 bits stand for missing values: no format knows them. */
const LONG_EXTREME = 2 ** 63;

function valueText(value: unknown, number: SortNumber): string {
  if (typeof number === 'object') {
    const isValue = typeof value === 'bigint' || typeof value === 'number';
    return isValue && Math.abs(Number(value)) < LONG_EXTREME
      ? JSON.stringify(number.toText(value))
      : valueText(value, 'plain');
  }
  if (typeof value !== 'number')
    return typeof value === 'bigint' ? value.toString() : (JSON.stringify(value) ?? 'null');
  if (!Number.isFinite(value)) return `"${value}"`;
  if (number === 'plain') return String(value);
  return stringify(number === 'double' ? doubleNumber(value) : floatNumber(value));
}

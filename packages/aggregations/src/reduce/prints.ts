import { doubleNumber } from '@shoal/json';

/**
 * How the numbers of a metric print: `whole` as 4, `double` as Java prints doubles (4.0). With `wholeMembers`, members
 * of these names print as 4 wherever they are in the result, all others as doubles.
 */
export type Prints = 'whole' | 'double' | { readonly wholeMembers: readonly string[] };

function printed(value: unknown, whole: readonly string[]): unknown {
  if (typeof value === 'number') return doubleNumber(value);
  if (Array.isArray(value)) return value.map((one) => printed(one, whole));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, whole.includes(name) ? member : printed(member, whole)]),
  );
}

/** Replaces the numbers of a result by ones that print as `prints` says. */
export function metricJson(prints: Prints, json: Record<string, unknown>): Record<string, unknown> {
  if (prints === 'whole') return json;
  if (typeof json['value'] === 'number') return { ...json, value: doubleNumber(json['value']) };
  return printed(json, prints === 'double' ? [] : prints.wholeMembers) as Record<string, unknown>;
}

import { aggregationTypes } from '@shoal/aggregations';

/**
 * The aggregations that requests may use, by name, with the kinds of values that each works on:
 * `{"avg":{"types":["boolean",…]},…}`, as `GET /_nodes/aggregations` shows them.
 */
export function aggregationKinds(): Readonly<Record<string, { readonly types: readonly string[] }>> {
  const served = [...aggregationTypes.values()].flatMap(({ name, valueKinds }) =>
    valueKinds === null ? [] : [[name, { types: valueKinds }] as const],
  );
  return Object.fromEntries(served.sort(([a], [b]) => (a < b ? -1 : 1)));
}

import { aggregationTypes } from '@shoal/aggregations';

/**
 * Returns the aggregations by name, with the kinds of values that each one aggregates, as `GET /_nodes/aggregations`
 * shows them: `{"avg":{"types":["boolean",…]},…}`.
 */
export function aggregationKinds(): Readonly<Record<string, { readonly types: readonly string[] }>> {
  const served = [...aggregationTypes.values()].flatMap(({ name, valueKinds }) =>
    valueKinds === null ? [] : [[name, { types: valueKinds }] as const],
  );
  return Object.fromEntries(served.sort(([a], [b]) => (a < b ? -1 : 1)));
}

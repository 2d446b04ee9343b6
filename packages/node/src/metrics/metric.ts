/** One value of a metric, with its labels. */
export interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string | number>>;
  /** For histograms: `<name>_bucket`, `<name>_sum`, `<name>_count`. */
  readonly metricName?: string;
}

/** A metric with its current values. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly values: readonly Sample[];
}

/** Creates a gauge: a value that may rise and fall. */
export const gauge = (name: string, help: string, values: readonly Sample[] | number): Metric => ({
  name: `shoal_${name}`,
  help,
  type: 'gauge',
  values: samples(values),
});

/** Creates a counter; its name must end in `_total`. */
export const counter = (name: string, help: string, values: readonly Sample[] | number): Metric => ({
  name: `shoal_${name}`,
  help,
  type: 'counter',
  values: samples(values),
});

const samples = (values: readonly Sample[] | number): readonly Sample[] =>
  typeof values === 'number' ? [{ value: values }] : values;

/** Creates a sample for each entry, with the entry's name as value of `label`. */
export function labelled(label: string, values: Iterable<readonly [name: string, value: number]>): Sample[] {
  return [...values].map(([name, value]) => ({ value, labels: { [label]: name } }));
}

/** Returns a number inside nested objects; 0 if there is none. */
export function numberAt(json: unknown, ...path: readonly string[]): number {
  let at: unknown = json;
  for (const key of path) at = (at as Record<string, unknown> | null | undefined)?.[key];
  return typeof at === 'number' ? at : 0;
}

/** Returns the entries of an object inside nested objects. */
export function entriesAt(json: unknown, key: string): [string, unknown][] {
  return Object.entries(((json as Record<string, unknown>)[key] ?? {}) as Record<string, unknown>);
}

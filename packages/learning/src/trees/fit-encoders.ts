import type { Draws } from './draws.js';

/** A field of a table. */
export type FeatureColumn =
  | { readonly name: string; readonly kind: 'number'; readonly values: Float64Array }
  /** `codes`: places in `texts`; -1 for none. */
  | { readonly name: string; readonly kind: 'category'; readonly codes: Int32Array; readonly texts: readonly string[] };

/** Features of a table, and what makes them of documents. */
export interface FittedFeatures {
  readonly names: readonly string[];
  readonly columns: readonly Float64Array[];
  /** Preprocessors of a model's definition. */
  readonly preprocessors: readonly Readonly<Record<string, unknown>>[];
}

/** Values that get a feature each; of more values the most frequent do. */
const ONE_HOT_MOST = 16;
/** Rows that the mean of all counts for in the mean of a value. */
const SMOOTHING = 5;
/** Parts of which each gets its means from the others, so that no row's feature knows its own target. */
const PARTS = 5;
/** Targets that means are made of at most. */
const MEANS_MOST = 10;

/**
 * Makes numbers of all fields. Texts become a feature for each of a few values, and means of the target by value
 * (Micci-Barreca 2001); fields of many values their frequency too. `targets`: what means are made of.
 */
export function fitFeatures(
  table: readonly FeatureColumn[],
  rows: Int32Array,
  targets: readonly Float64Array[],
  draw: Draws,
): FittedFeatures {
  const taken = new Set(table.map(({ name }) => name));
  const out = { names: [] as string[], columns: [] as Float64Array[], preprocessors: [] as Record<string, unknown>[] };
  const partOf = new Map(Array.from(rows, (row) => [row, Math.floor(draw() * PARTS)]));
  const add = (wanted: string, column: Float64Array): string => {
    let name = wanted;
    for (let i = 1; taken.has(name); i++) name = `${wanted}_${i}`;
    taken.add(name);
    out.names.push(name);
    out.columns.push(column);
    return name;
  };
  for (const field of table) {
    if (field.kind === 'number') {
      out.names.push(field.name);
      out.columns.push(field.values);
      continue;
    }
    const counts = new Float64Array(field.texts.length);
    for (const row of rows) if (field.codes[row]! >= 0) counts[field.codes[row]!]!++;
    out.preprocessors.push(oneHot(field, counts, add));
    for (const [k, target] of targets.slice(0, MEANS_MOST).entries())
      out.preprocessors.push(targetMean(field, counts, rows, target, partOf, targets.length > 1 ? `_${k}` : '', add));
    if (counts.filter((count) => count > 0).length > ONE_HOT_MOST)
      out.preprocessors.push(frequency(field, counts, rows.length, add));
  }
  return out;
}

type Category = Extract<FeatureColumn, { kind: 'category' }>;
type Add = (name: string, column: Float64Array) => string;

function oneHot({ name, codes, texts }: Category, counts: Float64Array, add: Add): Record<string, unknown> {
  const seen = texts.flatMap((text, code) => (counts[code]! > 0 ? [{ text, code, count: counts[code]! }] : []));
  seen.sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
  const map: Record<string, string> = {};
  for (const { text, code } of seen.slice(0, ONE_HOT_MOST)) {
    const column = Float64Array.from(codes, (own) => (own < 0 ? Number.NaN : own === code ? 1 : 0));
    map[text] = add(`${name}_${text}`, column);
  }
  return { one_hot_encoding: { field: name, hot_map: map } };
}

function targetMean(
  { name, codes, texts }: Category,
  counts: Float64Array,
  rows: Int32Array,
  target: Float64Array,
  partOf: ReadonlyMap<number, number>,
  suffix: string,
  add: Add,
): Record<string, unknown> {
  const width = texts.length;
  const sums = new Float64Array(width * (PARTS + 1));
  const seen = new Float64Array(width * (PARTS + 1));
  let overall = 0;
  for (const row of rows) {
    overall += target[row]! / rows.length;
    const code = codes[row]!;
    if (code < 0) continue;
    for (const part of [partOf.get(row)!, PARTS]) {
      sums[part * width + code] = sums[part * width + code]! + target[row]!;
      seen[part * width + code]!++;
    }
  }
  const mean = (code: number, without: number | null): number => {
    const all = PARTS * width + code;
    const sum = sums[all]! - (without === null ? 0 : sums[without * width + code]!);
    const count = seen[all]! - (without === null ? 0 : seen[without * width + code]!);
    return (sum + SMOOTHING * overall) / (count + SMOOTHING);
  };
  // A value of many rows hardly tells the target of one of them.
  const hidesOwn = counts.filter((count) => count > 0).length > ONE_HOT_MOST;
  const column = Float64Array.from(codes, (code, row) => {
    if (code < 0) return Number.NaN;
    if (counts[code] === 0) return overall;
    return mean(code, hidesOwn ? (partOf.get(row) ?? null) : null);
  });
  const feature = add(`${name}_targetmean${suffix}`, column);
  const map = Object.fromEntries(texts.flatMap((text, code) => (counts[code]! > 0 ? [[text, mean(code, null)]] : [])));
  return { target_mean_encoding: { field: name, feature_name: feature, target_map: map, default_value: overall } };
}

function frequency(
  { name, codes, texts }: Category,
  counts: Float64Array,
  rows: number,
  add: Add,
): Record<string, unknown> {
  const feature = add(
    `${name}_frequency`,
    Float64Array.from(codes, (code) => (code < 0 ? Number.NaN : counts[code]! / rows)),
  );
  const map = Object.fromEntries(
    texts.flatMap((text, code) => (counts[code]! > 0 ? [[text, counts[code]! / rows]] : [])),
  );
  return { frequency_encoding: { field: name, feature_name: feature, frequency_map: map } };
}

import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { detectOutliers, outlierBytes, type OutlierResult } from '@shoal/learning';
import type { Analysis } from './analysis.js';
import type { AnalyticsConfig } from './analytics-config.js';
import type { AnalyzedField } from './field-selection.js';
import type { TableBuilder } from './table-builder.js';

type OutlierSpec = Extract<AnalyticsConfig['analysis'], { kind: 'outlier_detection' }>;

/** Opens the detection of outliers in a table. Documents that lack a field are not analysed. */
export function outlierAnalysis(
  spec: OutlierSpec,
  fields: readonly AnalyzedField[],
  table: TableBuilder,
  isLate: () => boolean,
): Analysis {
  const all = fields.map((_, f) => table.numbers(f));
  const places = new Int32Array(table.rows).fill(-1);
  const known: number[] = [];
  for (let row = 0; row < table.rows; row++)
    if (all.every((column) => !Number.isNaN(column[row]!))) places[row] = known.push(row) - 1;
  if (known.length === 0) throw errors.status('no document has all the fields that are analysed', { status: 400 });
  const columns = all.map((column) => Float64Array.from(known, (row) => column[row]!));
  const work = detectOutliers(columns, {
    ...{ method: spec.method, neighbours: spec.neighbours, fraction: spec.fraction, standardizes: spec.standardizes },
    ...{ wantsInfluence: spec.wantsInfluence, seed: 42 },
  });
  let found: OutlierResult | null = null;
  return {
    counts: { training: known.length, test: 0, skipped: table.rows - known.length },
    bytes: table.bytes + outlierBytes(known.length, fields.length),
    step() {
      let next = work.next();
      while (next.done !== true && !isLate()) next = work.next();
      const isDone = next.done === true;
      if (isDone) found = next.value as OutlierResult;
      const share = isDone ? 1 : (next.value as number);
      return { isDone, phase: 'computing_outliers', share, stats: { parameters: parametersOf(spec) } };
    },
    results: (from, to) =>
      Array.from({ length: Math.max(0, Math.min(to, table.rows) - from) }, (_, i) =>
        resultOf(spec, fields, found!, places[from + i]!),
      ),
    model: () => null,
  };
}

function parametersOf(spec: OutlierSpec): JsonObject {
  return {
    ...(spec.neighbours === null ? {} : { n_neighbors: spec.neighbours }),
    method: spec.method ?? 'ensemble',
    compute_feature_influence: spec.wantsInfluence,
    feature_influence_threshold: spec.influenceLeast,
    outlier_fraction: spec.fraction,
    standardization_enabled: spec.standardizes,
  };
}

function resultOf(
  spec: OutlierSpec,
  fields: readonly AnalyzedField[],
  { scores, influence }: OutlierResult,
  place: number,
): JsonObject | null {
  if (place < 0) return null;
  const outlierScore = scores[place]!;
  if (influence === null) return { outlier_score: outlierScore };
  const shares = fields.map(({ name }, f) => ({
    feature_name: name,
    influence: influence[place * fields.length + f]!,
  }));
  const shown = outlierScore >= spec.influenceLeast ? shares.sort((a, b) => b.influence - a.influence) : [];
  return { outlier_score: outlierScore, feature_influence: shown };
}

import type { OwnCalls } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import type { AnalyticsConfig } from './analytics-config.js';
import type { SelectedField } from './field-selection.js';

/** Classes that a classification tells apart at most. */
const CLASSES_MAX = 100;

/** Throws if a classification has less than two classes or too many; `name` is its dependent variable. */
export function checkClassCount(name: string, classes: number): void {
  if (classes < 2)
    throw errors.status(`Field [${name}] must have at least [2] distinct values but there were [${classes}]`, {
      status: 400,
    });
  if (classes > CLASSES_MAX)
    throw errors.status(
      `Field [${name}] must have at most [${CLASSES_MAX}] distinct values but there were at least [${classes}]`,
      { status: 400 },
    );
}

/** Checks the number of classes in the source of a classification, as far as its column tells it, before it runs. */
export async function checkClasses(
  { analysis, source }: AnalyticsConfig,
  fields: readonly SelectedField[],
  calls: OwnCalls,
): Promise<void> {
  if (analysis.kind !== 'classification') return;
  const { dependent: field } = analysis;
  // Texts have no column.
  const types = fields.find(({ name }) => name === field)?.types ?? [];
  if (types.length === 0 || types.includes('text')) return;
  const answer = await calls.searchPlain(source.indices, {
    ...{ size: 0, track_total_hits: false, query: source.query },
    aggs: { classes: { terms: { field, size: CLASSES_MAX + 1 } } },
    ...(source.runtime === null ? {} : { runtime_mappings: source.runtime }),
  });
  const { buckets } = (answer['aggregations'] as { classes: { buckets: readonly unknown[] } }).classes;
  checkClassCount(field, buckets.length);
}

import { errors } from '@shoal/errors';
import { kolmogorovTail } from '@shoal/learning';
import type { PipelineType } from '../aggregation-type.js';
import { listOf, nameOf, readFields, stringField } from '../parse/body-fields.js';
import { parsePath } from '../reduce/paths.js';
import { reduceFailure } from '../reduce/reduce-failure.js';
import type { Reduced } from '../reduce/reduced.js';
import { numbersField } from './bucket-correlation.js';
import { valuedBuckets } from './sibling-values.js';

const ALTERNATIVES = ['less', 'greater', 'two_sided'] as const;
type Alternative = (typeof ALTERNATIVES)[number];
const METHODS = ['upper_tail', 'uniform', 'lower_tail'] as const;
type Method = (typeof METHODS)[number];

const alternativeField = listOf(
  nameOf(ALTERNATIVES, (text) =>
    errors.illegalArgument(`[alternative] must be one of [less, greater, two_sided], was [${text}]`),
  ),
);
const methodField = nameOf(METHODS, (text) =>
  errors.illegalArgument(`[sampling_method] must be one of [upper_tail, uniform, lower_tail], was [${text}]`),
);

/** Whether the end of a bucket below which `share` of the documents is expected is compared. */
const IS_COMPARED: Readonly<Record<Method, (share: number) => boolean>> = {
  uniform: () => true,
  upper_tail: (share) => share >= 0.5,
  lower_tail: (share) => share <= 0.5,
};

/** The largest distances of the shares counted below the ends of buckets from those expected, to each side. */
function distances(counts: readonly number[], fractions: readonly number[], method: Method) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const whole = fractions.reduce((sum, fraction) => sum + fraction, 0);
  let counted = 0;
  let expected = 0;
  let less = 0;
  let greater = 0;
  counts.forEach((count, i) => {
    counted += count / total;
    expected += fractions[i]! / whole;
    if (!IS_COMPARED[method](expected)) return;
    less = Math.max(less, expected - counted);
    greater = Math.max(greater, counted - expected);
  });
  return { less, greater, total };
}

/** Probability of a distance to one side (Smirnov 1939), with Stephens' correction for small samples. */
function oneSided(distance: number, size: number): number {
  const root = Math.sqrt(size);
  return Math.exp(-2 * ((root + 0.12 + 0.11 / root) * distance) ** 2);
}

function probabilities(
  counts: readonly number[],
  fractions: readonly number[],
  method: Method,
): Readonly<Record<Alternative, number>> {
  const { less, greater, total } = distances(counts, fractions, method);
  if (total === 0) return { less: 1, greater: 1, two_sided: 1 };
  return {
    less: oneSided(less, total),
    greater: oneSided(greater, total),
    two_sided: kolmogorovTail(Math.max(less, greater), total),
  };
}

const resultOf = (values: ReadonlyMap<string, number>): Reduced => ({
  typedName: 'bucket_count_ks_test',
  buckets: null,
  value: (property) => (property === null ? undefined : values.get(property)),
  render: () => Object.fromEntries(values),
});

/** `bucket_count_ks_test`: whether the counts of the buckets of a sibling may come from given shares. */
export const bucketCountKsTest: PipelineType = {
  name: 'bucket_count_ks_test',
  parse(site) {
    const fields = readFields(site.body, site, {
      buckets_path: stringField,
      alternative: alternativeField,
      fractions: numbersField,
      sampling_method: methodField,
    });
    if (fields.buckets_path === undefined) throw errors.illegalArgument('Required [buckets_path]');
    const path = parsePath(fields.buckets_path);
    if (path.names.at(-1) !== '_count')
      throw errors.illegalArgument('[bucket_count_ks_test] requires that [buckets_path] points to bucket [_count]');
    const asked = fields.alternative ?? ALTERNATIVES;
    if (asked.length === 0)
      throw errors.illegalArgument(`[alternative] must not be empty for aggregation [${site.name}]`);
    const given = fields.fractions;
    if (given?.some((fraction) => !(fraction >= 0)) || given?.every((fraction) => fraction === 0))
      throw errors.illegalArgument('[fractions] must be positive numbers');
    return {
      kind: 'sibling',
      needsHistogram: false,
      paths: [path.text],
      sibling(level, at) {
        const counts = valuedBuckets(level, path, at, 'insert_zeros').map(({ value }) => value);
        const fractions = given ?? counts.map(() => 1);
        if (fractions.length !== counts.length)
          throw reduceFailure(
            errors.illegalArgument(
              `[fractions] has [${fractions.length}] values, but there are [${counts.length}] buckets`,
            ),
          );
        const all = probabilities(counts, fractions, fields.sampling_method ?? 'upper_tail');
        return resultOf(new Map(ALTERNATIVES.filter((one) => asked.includes(one)).map((one) => [one, all[one]])));
      },
    };
  },
};

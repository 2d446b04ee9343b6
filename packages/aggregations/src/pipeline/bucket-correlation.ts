import { errors } from '@shoal/errors';
import type { PipelineType } from '../aggregation-type.js';
import {
  type FieldReader,
  integerField,
  listOf,
  numberField,
  objectOf,
  readFields,
  stringField,
} from '../parse/body-fields.js';
import { parsePath } from '../reduce/paths.js';
import { reduceFailure } from '../reduce/reduce-failure.js';
import { numberResult } from '../reduce/reduced.js';
import { valuedBuckets } from './sibling-values.js';

interface Indicator {
  readonly expectations: readonly number[];
  /** Shares of documents in the buckets. */
  readonly fractions: readonly number[];
  readonly docCount: number;
}

/** Reads numbers of a list; a text or null is refused. */
export const numbersField: FieldReader<readonly number[]> = (value, site) => listOf(numberField)(value, site);

const indicatorField = objectOf(
  { expectations: numbersField, fractions: numbersField, doc_count: integerField },
  'indicator',
);

const functionField = objectOf({ count_correlation: objectOf({ indicator: indicatorField }, 'count_correlation') });

function indicatorOf(given: ReturnType<typeof functionField> | undefined): Indicator {
  if (given === undefined) throw errors.illegalArgument('Required [function]');
  const indicator = given.count_correlation?.indicator;
  if (indicator === undefined) throw errors.illegalArgument('Required [indicator]');
  const { expectations, doc_count: docCount } = indicator;
  if (expectations === undefined) throw errors.illegalArgument('Required [expectations]');
  if (docCount === undefined) throw errors.illegalArgument('Required [doc_count]');
  if (expectations.length < 2) throw errors.illegalArgument('[expectations] must have a length of at least 2');
  const fractions = indicator.fractions ?? expectations.map(() => 1 / expectations.length);
  if (fractions.length !== expectations.length)
    throw errors.illegalArgument('[expectations] and [fractions] must have the same length');
  if (docCount < 1) throw errors.illegalArgument('[doc_count] must be greater than 0');
  return { expectations, fractions, docCount };
}

/**
 * Correlation (Pearson) of being counted with the expectation of the bucket, over all documents of the indicator. Null
 * if one of both does not vary.
 */
function correlation(counts: readonly number[], { expectations, fractions, docCount }: Indicator): number | null {
  const mean = expectations.reduce((sum, value, i) => sum + value * fractions[i]!, 0);
  const variance = expectations.reduce((sum, value, i) => sum + fractions[i]! * (value - mean) ** 2, 0);
  const share = counts.reduce((sum, count) => sum + count, 0) / docCount;
  const joint = counts.reduce((sum, count, i) => sum + (count / docCount) * expectations[i]!, 0);
  const scale = Math.sqrt(variance * share * (1 - share));
  return scale > 0 ? (joint - mean * share) / scale : null;
}

function checked(counts: readonly number[], { expectations, docCount }: Indicator): readonly number[] {
  if (counts.length !== expectations.length)
    throw reduceFailure(
      errors.illegalArgument(
        `value lengths do not match; indicator.expectations [${expectations.length}] and number of buckets ` +
          `[${counts.length}]. Unable to calculate correlation`,
      ),
    );
  if (counts.reduce((sum, count) => sum + count, 0) > docCount)
    throw reduceFailure(
      errors.illegalArgument(`indicator.doc_count [${docCount}] is less than the number of documents in the buckets`),
    );
  return counts;
}

/** `bucket_correlation`: how the counts of the buckets of a sibling correlate with an indicator. */
export const bucketCorrelation: PipelineType = {
  name: 'bucket_correlation',
  parse(site) {
    const fields = readFields(site.body, site, { buckets_path: stringField, function: functionField });
    if (fields.buckets_path === undefined) throw errors.illegalArgument('Required [buckets_path]');
    const indicator = indicatorOf(fields.function);
    const path = parsePath(fields.buckets_path);
    if (path.names.at(-1) !== '_count')
      throw errors.illegalArgument('[count_correlation] requires that [buckets_path] points to bucket [_count]');
    return {
      kind: 'sibling',
      needsHistogram: false,
      paths: [path.text],
      sibling(level, at) {
        const counts = valuedBuckets(level, path, at, 'insert_zeros').map(({ value }) => value);
        return numberResult('simple_value', correlation(checked(counts, indicator), indicator));
      },
    };
  },
};

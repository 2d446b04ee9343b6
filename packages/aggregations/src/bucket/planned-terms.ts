import type { Aggregator, BuildSite } from '../aggregation-type.js';
import { formatOf } from '../source/format.js';
import { missingValue, numberSource } from '../source/number-source.js';
import type { ResolvedField } from '../source/values-source.js';
import { isWide } from '../source/wide-numbers.js';
import { fixedPlan } from './bucket-plans.js';
import { countPlanned } from './dense-buckets.js';
import { NO_BOUNDS } from './histogram-collect.js';
import type { TermsOptions } from './terms-collect.js';

/**
 * Collects single-valued whole numbers in a narrow range, such as status codes, with one counter a number. Returns null
 * if the column does not fit; the numbers are then hashed.
 */
export function plannedTerms<P>(site: BuildSite, field: ResolvedField, options: TermsOptions<P>): Aggregator<P> | null {
  if (field.column !== 'long' || options.filter || options.withEmpty || isWide(site.context.searcher, field.type.name))
    return null;
  const missing = missingValue(options.missing, field.type, options.format, site.context.now);
  const plan =
    Number.isNaN(missing) || Number.isInteger(missing)
      ? fixedPlan(site, field.type.name, missing, 1, 0, NO_BOUNDS)
      : null;
  if (!plan) return null;
  const source = numberSource(field.type, missing, site.context.scratch);
  const format = formatOf(field.type, options.format, options.timeZone);
  const { counts: state, subs, used, collecting } = countPlanned(site, source, plan);
  return {
    ...collecting,
    describe: () => ({
      type: 'NumericTermsAggregator',
      debug: { result_strategy: 'long_terms', total_buckets: used() },
    }),
    partial(bucket) {
      const at = bucket * plan.size;
      const least = Math.max(1, options.minCount);
      const ids: number[] = [];
      for (let id = at; id < at + plan.size && id < state.counts.length; id++)
        if (state.counts[id]! >= least) ids.push(id);
      return options.finish(
        format.k === 'unsigned' ? 'u' : 'l',
        format,
        {
          ids: Int32Array.from(ids),
          count: (id) => state.counts[id]!,
          key: (id) => plan.key(id - at),
          compareKeys: (a, b) => a - b,
        },
        subs,
      );
    },
  };
}

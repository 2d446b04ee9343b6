import type { Weight } from '../matcher.js';
import type { Plan } from '../plan.js';
import type { Searcher } from '../searcher.js';
import { boolWeight } from './weights/bool.js';
import { boostingWeight } from './weights/boosting.js';
import { cachedFilter } from './filter-cache/filter-cache.js';
import { combinedWeight } from './weights/combined-fields.js';
import { constantWeight } from './weights/constant.js';
import { coveringWeight } from './weights/covering.js';
import { disMaxWeight } from './weights/dis-max.js';
import { distanceFeatureWeight } from './weights/distance-feature.js';
import { existsWeight } from './weights/exists.js';
import { functionScoreWeight } from './weights/function-score.js';
import { geoWeight } from './weights/geo.js';
import { idsWeight } from './weights/ids.js';
import { intervalsWeight } from './weights/intervals.js';
import { allWeight, noneWeight } from './weights/match-all.js';
import { multiTermWeight } from './weights/multi-term.js';
import { nestedWeight } from './weights/nested.js';
import { phraseWeight } from './weights/phrase.js';
import type { Scratch } from './scratch.js';
import { sliceWeight } from './weights/slice.js';
import { spanWeight } from './weights/span.js';
import { type GlobalStatistics, shardStatistics } from './statistics.js';
import { synonymWeight } from './weights/synonym.js';
import { termWeight } from './weights/term.js';
import { termsWeight } from './weights/terms.js';
import { numbersWeight, valueWeight } from './weights/value.js';
import type { WeightContext } from './weight-context.js';

export interface WeightOptions {
  /** False when no score is asked for: statistics are not looked up. */
  readonly needsScores: boolean;
  /** Statistics of all shards instead of this one's. */
  readonly statistics?: GlobalStatistics | null;
  /** Where matchers may take arrays from. */
  readonly scratch?: Scratch;
}

/** Binds a plan to a searcher: statistics for scores are taken now, segments are looked at when matchers are made. */
export function createWeight(plan: Plan, searcher: Searcher, options: WeightOptions): Weight {
  const statistics = shardStatistics(searcher, options.statistics ?? null);
  return weightOf(plan, {
    searcher,
    statistics,
    boost: 1,
    needsScores: options.needsScores,
    weight: weightOf,
    scratch: options.scratch,
  });
}

/** The weight of a plan in a context; filters may come from the cache. */
export function weightOf(plan: Plan, context: WeightContext): Weight {
  const weight = plainWeight(plan, context);
  return context.needsScores ? weight : cachedFilter(plan, weight, context.searcher);
}

function plainWeight(plan: Plan, context: WeightContext): Weight {
  switch (plan.kind) {
    case 'all':
      return allWeight(plan, context);
    case 'none':
      return noneWeight;
    case 'term':
      return termWeight(plan, context);
    case 'synonym':
      return synonymWeight(plan, context);
    case 'terms':
      return termsWeight(plan, context);
    case 'phrase':
      return phraseWeight(plan, context);
    case 'multiTerm':
      return multiTermWeight(plan, context);
    case 'value':
      return valueWeight(plan, context);
    case 'numbers':
      return numbersWeight(plan, context);
    case 'exists':
      return existsWeight(plan, context);
    case 'ids':
      return idsWeight(plan, context);
    case 'bool':
      return boolWeight(plan, context);
    case 'named':
      return context.weight(plan.plan, context);
    default:
      return rarerWeight(plan, context);
  }
}

type RarerPlan = Exclude<
  Plan,
  {
    kind:
      | 'all'
      | 'none'
      | 'term'
      | 'synonym'
      | 'terms'
      | 'phrase'
      | 'multiTerm'
      | 'value'
      | 'numbers'
      | 'exists'
      | 'ids'
      | 'bool'
      | 'named';
  }
>;

function rarerWeight(plan: RarerPlan, context: WeightContext): Weight {
  switch (plan.kind) {
    case 'geo':
      return geoWeight(plan, context);
    case 'distanceFeature':
      return distanceFeatureWeight(plan, context);
    case 'disMax':
      return disMaxWeight(plan, context);
    case 'constant':
      return constantWeight(plan, context);
    case 'boosting':
      return boostingWeight(plan, context);
    case 'functionScore':
      return functionScoreWeight(plan, context);
    case 'nested':
      return nestedWeight(plan, context);
    case 'covering':
      return coveringWeight(plan, context);
    case 'combined':
      return combinedWeight(plan, context);
    case 'slice':
      return sliceWeight(plan, context);
    case 'intervals':
      return intervalsWeight(plan, context);
    case 'span':
      return spanWeight(plan, context);
  }
}

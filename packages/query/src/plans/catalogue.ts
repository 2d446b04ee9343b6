import type { PlanOf } from '../execute/plan-of.js';
import type { Plan } from '../plan.js';
import { boolKind } from './bool.js';
import { boostingKind } from './boosting.js';
import { combinedKind } from './combined-fields.js';
import { constantKind } from './constant.js';
import { coveringKind } from './covering.js';
import { disMaxKind } from './dis-max.js';
import { distanceFeatureKind } from './distance-feature.js';
import { existsKind } from './exists.js';
import { functionScoreKind } from './function-score.js';
import { geoKind } from './geo.js';
import { idsKind } from './ids.js';
import { intervalsKind } from './intervals.js';
import { joinKind } from './join.js';
import { allKind } from './match-all.js';
import { noneKind } from './match-none.js';
import { multiTermKind } from './multi-term.js';
import { namedKind } from './named.js';
import { nearestKind } from './nearest.js';
import { nestedKind } from './nested.js';
import { numbersKind } from './numbers.js';
import { percolateKind } from './percolate.js';
import { phraseKind } from './phrase.js';
import { rankFeatureKind } from './rank-feature.js';
import { runtimeKind } from './runtime.js';
import { scriptKind } from './script.js';
import { shapeKind } from './shape.js';
import { sliceKind } from './slice.js';
import { spanKind } from './span.js';
import { synonymKind } from './synonym.js';
import { termKind } from './term.js';
import { termsKind } from './terms.js';
import { valueKind } from './value.js';
import type { PlanKind } from './plan-kind.js';

/** Kinds of plans by name. A kind of `Plan` without a row does not compile. */
const planKinds: { readonly [K in Plan['kind']]: PlanKind<PlanOf<K>> } = {
  all: allKind,
  none: noneKind,
  term: termKind,
  synonym: synonymKind,
  combined: combinedKind,
  terms: termsKind,
  phrase: phraseKind,
  multiTerm: multiTermKind,
  value: valueKind,
  numbers: numbersKind,
  exists: existsKind,
  ids: idsKind,
  geo: geoKind,
  shape: shapeKind,
  distanceFeature: distanceFeatureKind,
  rankFeature: rankFeatureKind,
  bool: boolKind,
  disMax: disMaxKind,
  constant: constantKind,
  boosting: boostingKind,
  functionScore: functionScoreKind,
  percolate: percolateKind,
  script: scriptKind,
  nearest: nearestKind,
  nested: nestedKind,
  join: joinKind,
  covering: coveringKind,
  slice: sliceKind,
  intervals: intervalsKind,
  span: spanKind,
  runtime: runtimeKind,
  named: namedKind,
};

/** Returns the functions and names of a plan's kind. */
export function kindOf(plan: Plan): PlanKind<Plan> {
  return planKinds[plan.kind];
}

import type { QueryType } from '../parsed-query.js';
import { bool } from './bool.js';
import { moreLikeThis } from './more-like-this.js';
import { multiMatch } from './multi-match.js';
import { matchPhrasePrefix } from './match-phrase-prefix.js';
import { matchPhrase } from './match-phrase.js';
import { matchBoolPrefix } from './match-bool-prefix.js';
import { match } from './match.js';
import { combinedFields } from './combined-fields.js';
import { boosting } from './boosting.js';
import { constantScore } from './constant-score.js';
import { disMax } from './dis-max.js';
import { distanceFeature } from './distance-feature.js';
import { exists } from './exists.js';
import { functionScore } from './function-score.js';
import { fuzzy } from './fuzzy.js';
import { geoBoundingBox } from './geo-bounding-box.js';
import { geoDistance } from './geo-distance.js';
import { geoPolygon } from './geo-polygon.js';
import { geoShape } from './geo-shape.js';
import { hasChild } from './has-child.js';
import { hasParent } from './has-parent.js';
import { ids } from './ids.js';
import { matchAll } from './match-all.js';
import { matchNone } from './match-none.js';
import { nested } from './nested.js';
import { parentId } from './parent-id.js';
import { prefix } from './prefix.js';
import { queryString } from './query-string.js';
import { range } from './range.js';
import { rankFeature } from './rank-feature.js';
import { textExpansion, weightedTokens } from './weighted-tokens.js';
import { regexp } from './regexp.js';
import { knn } from './knn.js';
import { intervals } from './intervals.js';
import { percolate } from './percolate.js';
import { script } from './script.js';
import { scriptScore } from './script-score.js';
import { simpleQueryString } from './simple-query-string.js';
import {
  fieldMaskingSpan,
  spanContaining,
  spanFieldMasking,
  spanFirst,
  spanMulti,
  spanNear,
  spanNot,
  spanOr,
  spanTerm,
  spanWithin,
} from './span.js';
import { term } from './term.js';
import { terms } from './terms.js';
import { termsSet } from './terms-set.js';
import { wildcard } from './wildcard.js';
import { wrapper } from './wrapper.js';

const all: readonly QueryType[] = [
  bool,
  moreLikeThis,
  multiMatch,
  matchPhrasePrefix,
  matchPhrase,
  matchBoolPrefix,
  match,
  combinedFields,
  boosting,
  constantScore,
  disMax,
  distanceFeature,
  exists,
  functionScore,
  fuzzy,
  geoBoundingBox,
  geoDistance,
  geoPolygon,
  geoShape,
  ids,
  matchAll,
  matchNone,
  nested,
  hasChild,
  hasParent,
  parentId,
  prefix,
  queryString,
  range,
  rankFeature,
  textExpansion,
  weightedTokens,
  regexp,
  intervals,
  knn,
  percolate,
  script,
  scriptScore,
  simpleQueryString,
  spanContaining,
  spanFieldMasking,
  spanFirst,
  spanMulti,
  spanNear,
  spanNot,
  spanOr,
  spanTerm,
  spanWithin,
  fieldMaskingSpan,
  term,
  terms,
  termsSet,
  wildcard,
  wrapper,
];

/** The query types of the DSL by name. */
export const queryTypes: ReadonlyMap<string, QueryType> = new Map(all.map((type) => [type.name, type]));

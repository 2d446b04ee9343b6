import { aggregations } from './sections/aggregations.js';
import { collapse } from './sections/collapse.js';
import { explain, profile, seqNoPrimaryTerm, tracksScores, version } from './sections/flags.js';
import { highlight } from './sections/highlight.js';
import { indicesBoost } from './sections/indices-boost.js';
import { knn } from './sections/knn.js';
import { terminateAfter, timeoutMs } from './sections/limits.js';
import { minScore } from './sections/min-score.js';
import { pointInTime } from './sections/point-in-time.js';
import { postFilter, query } from './sections/query.js';
import { rank } from './sections/rank.js';
import { rescore } from './sections/rescore.js';
import { runtimeMappings } from './sections/runtime-mappings.js';
import { searchAfter } from './sections/search-after.js';
import { docvalueFields, fields, scriptFields, source, storedFields } from './sections/shown-fields.js';
import { slice } from './sections/slice.js';
import { sort } from './sections/sort.js';
import { groups } from './sections/stats-groups.js';
import { subSearches } from './sections/sub-searches.js';
import { suggest } from './sections/suggest.js';
import { trackTotalHits } from './sections/track-total-hits.js';
import { ext } from './sections/unsupported.js';
import { from, size } from './sections/window.js';

/**
 * All sections of a search body, by the name of their value in `ParsedSearch`, in the order of parsing. Of several
 * errors in a body, the first in this order is reported.
 */
export const searchSections = {
  minScore,
  version,
  seqNoPrimaryTerm,
  explain,
  query,
  subSearches,
  postFilter,
  source,
  fields,
  docvalueFields,
  suggest,
  highlight,
  aggregations,
  pointInTime,
  from,
  size,
  sort,
  tracksScores,
  trackTotalHits,
  terminateAfter,
  timeoutMs,
  collapse,
  profile,
  indicesBoost,
  slice,
  storedFields,
  scriptFields,
  rescore,
  searchAfter,
  groups,
  knn,
  rank,
  runtimeMappings,
  ext,
} as const;

import type { InnerHitsReaders } from '../fetch/parse-inner-hits.js';
import { parseHighlight } from '../highlight/highlight-spec.js';
import type { ParseContext } from '../parsed-query.js';
import { parseSort } from '../sort/parse-sort.js';

/** Parsers of the parts of inner hits that hold queries. */
export const innerHitsReaders = (context: ParseContext): InnerHitsReaders => ({
  sort: (sort) => parseSort(sort, context),
  highlight: (highlight, place) => parseHighlight(highlight, place.container, context),
});

import type { JsonObject } from '@shoal/json';
import { explainPlan } from '../explain.js';
import { documentHighlighter } from '../highlight/document-highlighter.js';
import { type HighlightField, parseHighlight } from '../highlight/highlight-spec.js';
import type { InnerHitsRequest, ParseContext, ParsedQuery } from '../parsed-query.js';
import { planQuery } from '../plan-query.js';
import { explainRescored, type Rescore } from '../rescore.js';
import type { Progress, Searcher } from '../searcher.js';
import { parseSort } from '../sort/parse-sort.js';
import type { SortSpec } from '../sort/sort-spec.js';
import type { HitPlan } from './fetch-hits.js';
import { checkStoredFields, type FetchSpec, parseFetchSpec, refuseScriptFields } from './fetch-spec.js';
import { innerHits, type InnerHitsContext } from './inner-hits.js';
import { innerSort } from './inner-sort.js';

/** Inputs of the fetch phase, from a search or from a `top_hits` aggregation. */
export interface HitsRequest {
  /** The query whose matches the hits are, for highlighting, inner hits and explanations; null for all documents. */
  readonly query: ParsedQuery | null;
  /** The sort of the hits: decides how their sort values print. */
  readonly sort: readonly SortSpec[];
  readonly fetch: FetchSpec;
  readonly highlight: readonly HighlightField[] | null;
  readonly rescore: readonly Rescore[];
  readonly scriptFieldCount: number;
}

/**
 * Parses a body that only shows hits, such as `top_hits`. Its `query` is null, because its hits match the surrounding
 * search.
 */
export function parseHitsRequest(body: JsonObject, context: ParseContext): HitsRequest {
  const highlight = body['highlight'];
  return {
    query: null,
    sort: parseSort(body['sort'], context),
    fetch: parseFetchSpec(body),
    highlight: highlight === undefined ? null : parseHighlight(highlight, body, context),
    rescore: [],
    scriptFieldCount: 0,
  };
}

/** Inputs for binding fetch options to a searcher. */
export interface BindOptions {
  readonly now: () => number;
  readonly parse: ParseContext;
  readonly progress: Progress;
  readonly withType?: boolean;
  readonly showsQueryScores?: boolean;
}

/** Binds the fetch options of a search to one searcher. Throws for options that the searcher's index does not allow. */
export function bindHits(request: HitsRequest, searcher: Searcher, options: BindOptions): HitPlan {
  const { now, parse, progress } = options;
  const { query, rescore, fetch: spec } = request;
  const requests: InnerHitsRequest[] = [];
  const plan = query && planQuery(query, { searcher, now, nestedPath: null, innerHits: requests });
  if (request.scriptFieldCount > 0) throw refuseScriptFields();
  checkStoredFields(spec);
  const planContext = { searcher, now, nestedPath: null, innerHits: [] };
  const context: InnerHitsContext = {
    searcher,
    now,
    parse,
    progress,
    highlight: (given, inner, path) =>
      documentHighlighter(parseHighlight(given, {}, parse), inner, searcher, { now, nestedPath: path }),
    sort: (given, path) => innerSort(given, path, searcher, now, parse),
    explain: (inner) => (doc) => explainPlan(inner, searcher, doc),
  };
  const shown = plan ?? ({ kind: 'all', boost: 1 } as const);
  return {
    spec,
    plan,
    nestedPath: null,
    withType: options.withType ?? false,
    showsQueryScores: options.showsQueryScores ?? false,
    highlight:
      request.highlight === null
        ? null
        : documentHighlighter(request.highlight, shown, searcher, { now, nestedPath: null }),
    explain: spec.explain ? (doc, score) => explainRescored(shown, rescore, planContext, doc, score) : null,
    innerHits: innerHits(requests, null, context),
  };
}

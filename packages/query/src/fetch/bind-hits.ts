import { explainPlan } from '../explain.js';
import { documentHighlighter } from '../highlight/document-highlighter.js';
import { parseQuery } from '../parse/parse-query.js';
import type { JsonObject } from '../parse/options.js';
import type { InnerHitsRequest, ParseContext } from '../parsed-query.js';
import { planQuery } from '../plan-query.js';
import { explainRescored, parseRescore } from '../rescore.js';
import type { Progress, Searcher } from '../searcher.js';
import type { HitPlan } from './fetch-hits.js';
import { checkStoredFields, parseFetchSpec } from './fetch-spec.js';
import { innerHits, type InnerHitsContext } from './inner-hits.js';
import { innerSort } from './inner-sort.js';

/** What binding a body's fetch options to a searcher takes. */
export interface BindOptions {
  readonly now: () => number;
  readonly parse: ParseContext;
  readonly progress: Progress;
  readonly withType?: boolean;
  readonly showsQueryScores?: boolean;
}

/** The fetch options of a search body on one searcher. Throws what is wrong with them. */
export function bindHits(body: JsonObject, searcher: Searcher, options: BindOptions): HitPlan {
  const { now, parse, progress } = options;
  const requests: InnerHitsRequest[] = [];
  const query = body['query'] === undefined ? null : parseQuery(body['query'], parse);
  const plan = query && planQuery(query, { searcher, now, nestedPath: null, innerHits: requests });
  const spec = parseFetchSpec(body);
  checkStoredFields(spec, body);
  const rescore = parseRescore(body['rescore'], parse);
  const planContext = { searcher, now, nestedPath: null, innerHits: [] };
  const context: InnerHitsContext = {
    searcher,
    now,
    parse,
    progress,
    highlight: (given, inner, path) => documentHighlighter(given, inner, searcher, { parse, now, nestedPath: path }),
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
      body['highlight'] === undefined
        ? null
        : documentHighlighter(body['highlight'], shown, searcher, { parse, now, nestedPath: null }),
    explain: spec.explain ? (doc, score) => explainRescored(shown, rescore, planContext, doc, score) : null,
    innerHits: innerHits(requests, null, context),
  };
}

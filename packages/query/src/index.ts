export type { Matcher, Weight } from './matcher.js';
export type { InnerHitsRequest, ParseContext, ParsedQuery, PlanContext, QueryType } from './parsed-query.js';
export type { GeoArea, PhraseTerm, Plan, ScoreFunction, TermMatch } from './plan.js';
export type { Progress, Searcher, SearcherCache, SearchSettings, SegmentView, StoredDocument } from './searcher.js';

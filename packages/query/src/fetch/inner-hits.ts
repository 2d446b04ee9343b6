import { errors } from '@shoal/errors';
import type { Explanation } from '../plans/explanation-tree.js';
import { createWeight } from '../execute/weight.js';
import type { InnerHitsRequest, JoinedDocuments, PlanContext } from '../parsed-query.js';
import type { Weight } from '../matcher.js';
import type { Plan } from '../plan.js';
import { planQuery } from '../plan-query.js';
import type { Progress, Searcher, SegmentView, StoredDocument } from '../searcher.js';
import { type FetchedDoc, renderHits, type HighlightDocument, type InnerHitsOf, segmentOf } from './render-hits.js';
import { type FetchSpec, parseFetchSpec } from './fetch-spec.js';
import { formatFloat } from '@shoal/values';
import { joinedMatches } from './joined-hits.js';
import type { InnerSort } from './inner-sort.js';
import { NestedPlaces } from './nested-identity.js';

/** Functions and data that the fetch phase gives to inner hits. */
export interface InnerHitsContext {
  readonly searcher: Searcher;
  readonly now: () => number;
  readonly progress: Progress;
  readonly aliasFilter: PlanContext['aliasFilter'];
  readonly nearestKept: PlanContext['nearestKept'];
  /** Binds a `highlight` body to the documents of a nested path, or to root documents. */
  highlight(body: unknown, plan: Plan, path: string | null): HighlightDocument | null;
  /** Binds a sort of the matches; null for the order by score. */
  sort(body: unknown, path: string | null): InnerSort | null;
  explain(plan: Plan): (doc: number) => Explanation;
}

interface Prepared {
  readonly name: string;
  /** Path of nested objects; null for documents of another relation. */
  readonly path: string | null;
  readonly joined: JoinedDocuments | null;
  readonly from: number;
  readonly size: number;
  readonly spec: FetchSpec;
  readonly plan: Plan;
  readonly weight: Weight;
  readonly highlight: HighlightDocument | null;
  readonly sort: InnerSort | null;
  readonly tracksScores: boolean;
  readonly children: InnerHitsOf | null;
}

const DEFAULT_SIZE = 3;

/** Returns the inner hits of the queries below one level. `parentPath` is null for documents. */
export function innerHits(
  requests: readonly InnerHitsRequest[],
  parentPath: string | null,
  context: InnerHitsContext,
): InnerHitsOf | null {
  if (requests.length === 0) return null;
  const places = new NestedPlaces(context.searcher.mapping);
  const prepared = requests.map((request) => prepare(request, context));
  return async (segment, doc, document, source) => {
    const texts: string[] = [];
    for (const one of prepared) {
      const page =
        one.joined === null
          ? nestedPage(one, segment, doc, parentPath, { document, source: source() }, places)
          : await joinedPage(one, one.joined, segment, doc, document, context);
      texts.push(`${JSON.stringify(one.name)}:${await pageText(one, page, context)}`);
    }
    return `{${texts.join(',')}}`;
  };
}

/**
 * Throws for inner hits that the index does not allow: a window that is too large, a sort that cannot be bound. A shard
 * that finds nothing refuses them like one that does.
 */
export function checkInnerHits(
  requests: readonly InnerHitsRequest[],
  context: Pick<InnerHitsContext, 'searcher' | 'sort'> & PlanContext,
): void {
  for (const { path, query, body } of requests) {
    const children: InnerHitsRequest[] = [];
    planQuery(query, { ...context, nestedPath: path, innerHits: children });
    refuseWindow(Number(body['from'] ?? 0) + Number(body['size'] ?? DEFAULT_SIZE), body['name'], context.searcher);
    parseFetchSpec(body);
    if (body['sort'] !== undefined) context.sort(body['sort'], path);
    checkInnerHits(children, context);
  }
}

function prepare({ name, path, joined, query, body }: InnerHitsRequest, context: InnerHitsContext): Prepared {
  const { searcher, now, aliasFilter = null, nearestKept = null } = context;
  const children: InnerHitsRequest[] = [];
  const plan = planQuery(query, { searcher, now, nestedPath: path, aliasFilter, nearestKept, innerHits: children });
  const from = Number(body['from'] ?? 0);
  const size = Number(body['size'] ?? DEFAULT_SIZE);
  refuseWindow(from + size, body['name'], searcher);
  return {
    name,
    path,
    joined: joined ?? null,
    from,
    size,
    spec: parseFetchSpec(body),
    plan,
    weight: createWeight(plan, searcher, { needsScores: true, nestedPath: path }),
    highlight: body['highlight'] === undefined ? null : context.highlight(body['highlight'], plan, path),
    sort: body['sort'] === undefined ? null : context.sort(body['sort'], path),
    tracksScores: body['track_scores'] === true,
    children: innerHits(children, path, context),
  };
}

function refuseWindow(window: number, name: unknown, { settings }: Searcher): void {
  const max = settings.maxInnerResultWindow;
  if (window <= max) return;
  throw errors.illegalArgument(
    `Inner result window is too large, the inner hit definition's [${typeof name === 'string' ? name : 'null'}]'s ` +
      `from + size must be less than or equal to: [${max}] but was [${window}]. ` +
      'This limit can be set by changing the [index.max_inner_result_window] index level setting.',
  );
}

interface Root {
  readonly document: StoredDocument;
  readonly source: Record<string, unknown>;
}

interface InnerMatch {
  readonly doc: number;
  readonly score: number;
  /** Sort values as JSON text; null without a sort. */
  readonly sort: string | null;
}

/** The hits of a page of matches, and the count and best score of all matches. */
interface Page {
  readonly docs: readonly FetchedDoc[];
  readonly total: number;
  /** -Infinity if nothing matches. */
  readonly maxScore: number;
}

const showsScores = ({ sort, tracksScores }: Prepared): boolean => sort === null || tracksScores;

function nestedPage(
  one: Prepared,
  segment: SegmentView,
  parent: number,
  parentPath: string | null,
  root: Root,
  places: NestedPlaces,
): Page {
  const matches = matchesBelow(one, one.path!, segment, parent, parentPath, places);
  const docs = matches.slice(one.from, one.from + one.size).map(
    (match): FetchedDoc => ({
      doc: segment.docBase + match.doc,
      score: showsScores(one) ? match.score : null,
      sort: match.sort,
      nested: places.identity(segment, match.doc, one.path!),
      root,
    }),
  );
  const maxScore = matches.reduce((max, { score }) => Math.max(max, score), -Infinity);
  return { docs, total: matches.length, maxScore };
}

async function joinedPage(
  one: Prepared,
  joined: JoinedDocuments,
  segment: SegmentView,
  doc: number,
  { id }: StoredDocument,
  { searcher, progress }: InnerHitsContext,
): Promise<Page> {
  const { weight, sort, from, size } = one;
  const search = { searcher, joined, weight, sort, size: from + size, progress };
  const { top, total, maxScore } = await joinedMatches(search, segment, doc, id);
  const docs = Array.from(top.docs.subarray(from), (found, i): FetchedDoc => {
    const score = top.scores[from + i]!;
    const view = segmentOf(searcher, found);
    const values = sort === null ? null : sort.text(view, found - view.docBase, score);
    return { doc: found, score: showsScores(one) ? score : null, sort: values };
  });
  return { docs, total, maxScore };
}

async function pageText(one: Prepared, page: Page, context: InnerHitsContext): Promise<string> {
  const { spec, plan, highlight, children } = one;
  const explain = spec.explain ? context.explain(plan) : null;
  const hits = await renderHits(
    context.searcher,
    {
      spec,
      plans: [plan],
      nestedPath: one.path,
      withType: false,
      showsQueryScores: false,
      showsLookups: false,
      highlight,
      percolates: [],
      explain,
      innerHits: children,
    },
    page.docs,
    context.progress,
  );
  const isScored = page.total > 0 && one.size > 0 && showsScores(one);
  const best = isScored ? formatFloat(Math.max(0, page.maxScore)) : 'null';
  const shown = hits.map((hit) => Buffer.from(hit).toString()).join(',');
  // Lucene's collectors of best scores forget the total of a page that begins behind the last match.
  const total = one.sort === null && one.size > 0 && one.from >= page.total ? 0 : page.total;
  return `{"hits":{"total":{"value":${total},"relation":"eq"},"max_score":${best},"hits":[${shown}]}}`;
}

/** Returns the matching nested documents of one parent, best first. */
function matchesBelow(
  one: Prepared,
  path: string,
  segment: SegmentView,
  parent: number,
  parentPath: string | null,
  places: NestedPlaces,
): InnerMatch[] {
  const own = places.bits(segment, path);
  const matcher = own && one.weight.matcher(segment, true);
  if (!own || !matcher) return [];
  const parents = places.bits(segment, parentPath)!;
  const start = parent === 0 ? 0 : parents.previous(parent - 1) + 1;
  const children: number[] = [];
  for (let doc = own.next(start); doc < parent; doc = own.next(doc + 1)) children.push(doc);
  const docs = Int32Array.from(children);
  const scores = new Float64Array(docs.length);
  const count = matcher.filter(docs, docs.length, scores);
  return orderMatches(one.sort, segment, docs.subarray(0, count), scores);
}

function orderMatches(
  sort: InnerSort | null,
  segment: SegmentView,
  docs: Int32Array,
  scores: Float64Array,
): InnerMatch[] {
  if (sort) {
    const { order, text } = sort.within(segment, docs, scores);
    return order.map((i) => ({ doc: docs[i]!, score: scores[i]!, sort: text(i) }));
  }
  const matches = Array.from(docs, (doc, i): InnerMatch => ({ doc, score: scores[i]!, sort: null }));
  return matches.sort((a, b) => b.score - a.score || a.doc - b.doc);
}

import assert from 'node:assert/strict';
import type { Mapping } from '@shoal/mapping';
import { WINDOW_DOCS } from '@shoal/segments';
import { describeQuery } from '../describe.js';
import { windowEnd } from '../execute/matchers/gather.js';
import { createWeight } from '../execute/weight.js';
import { parseContext } from '../parse/parse-context.js';
import { parseQuery } from '../parse/parse-query.js';
import type { InnerHitsRequest } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { planQuery } from '../plan-query.js';
import type { Searcher } from '../searcher.js';
import { acceptedIn, errorText, FIXTURE_NOW_MS, type MemoryIndexOptions, memoryIndex } from './memory-index.js';

/** Result of a query. */
export interface SearchResult {
  /** Ids of the matching documents, best score first, equal scores in order of indexing. */
  readonly ids: readonly string[];
  /** Scores beside the ids, rounded to six digits. */
  readonly scores: readonly number[];
  /** The query as `_validate/query?explain` shows it. */
  readonly plan: string;
}

type Answer = Omit<SearchResult, 'plan'> & Partial<SearchResult>;

/** An index in memory that runs queries of the DSL. */
export interface SearchFixture {
  readonly mapping: Mapping;
  /** Parses, plans and runs a query. Throws the error that a search would answer with. */
  search(query: object): SearchResult;
  /** Checks a table of queries and what each answers; a row without `plan` leaves the plan open. */
  answers(table: readonly (readonly [query: object, result: Answer])[]): void;
  /** Checks a table of queries and the ids that each finds, in order of indexing. */
  finds(table: readonly (readonly [query: object, ids: readonly string[]])[]): void;
  /**
   * Checks a table of queries and the error of each: `type: reason`, its causes behind ` <- `. Places in the body
   * (`[1:19]`) are missing, because the coordinator finds them in the text of the request.
   */
  refuses(table: readonly (readonly [query: object, error: string])[]): void;
}

/**
 * Builds an index over sealed segments in memory, to test a query type beside its file:
 *
 *     const index = await searchFixture({
 *       mapping: { k: { type: 'keyword' } },
 *       documents: [{ k: 'apple' }, { k: 'apricot' }, { k: 'pear' }],
 *     });
 *
 *     test('prefix finds terms that begin with the value', () =>
 *       index.answers([[{ prefix: { k: 'ap' } }, { ids: ['1', '2'], scores: [1, 1], plan: 'k:ap*' }]]));
 *
 * Each query runs over all documents in one segment and over the same documents in two, as matches with scores, as
 * matches without, and as a filter of candidates; all must find the same.
 */
export async function searchFixture(options: MemoryIndexOptions): Promise<SearchFixture> {
  const index = memoryIndex(options);
  const all = Array.from({ length: index.documentCount }, (_, i) => i);
  const half = Math.ceil(all.length / 2);
  const searchers = [await index.searcher([all]), await index.searcher([all.slice(0, half), all.slice(half)])];
  const search = (query: object): SearchResult => {
    const [whole, split] = searchers.map((searcher) => run(query, searcher));
    assert.deepEqual(split, whole, 'two segments answer as one does');
    return whole!;
  };
  return {
    mapping: index.mapping,
    search,
    answers: (table) => {
      for (const [query, result] of table) {
        const { ids, scores, plan } = search(query);
        assert.deepEqual(
          result.plan === undefined ? { ids, scores } : { ids, scores, plan },
          result,
          JSON.stringify(query),
        );
      }
    },
    finds: (table) => {
      for (const [query, ids] of table) assert.deepEqual(inOrder(search(query).ids), ids, JSON.stringify(query));
    },
    refuses: (table) => {
      for (const [query, error] of table)
        assert.equal(
          failureOf(() => search(query)),
          error,
          JSON.stringify(query),
        );
    },
  };
}

const inOrder = (ids: readonly string[]): string[] => [...ids].sort((a, b) => Number(a) - Number(b));

function run(query: object, searcher: Searcher): SearchResult {
  const parsed = parseQuery(query, parseContext());
  const innerHits: InnerHitsRequest[] = [];
  const plan = planQuery(parsed, { searcher, now: () => FIXTURE_NOW_MS, nestedPath: null, innerHits });
  const scored = matchesOf(plan, searcher, true);
  const docs = scored.map(({ doc }) => doc);
  const unscored = matchesOf(plan, searcher, false).map(({ doc }) => doc);
  assert.deepEqual(unscored, docs, 'a query that is not scored matches the same documents');
  assert.deepEqual(filteredBy(plan, searcher), scored, 'a filter keeps the same documents with the same scores');
  const best = [...scored].sort((a, b) => b.score - a.score || a.doc - b.doc);
  return {
    ids: best.map(({ doc }) => searcher.stored(doc).id),
    scores: best.map(({ score }) => Number(score.toPrecision(6))),
    plan: describeQuery(plan, searcher.mapping),
  };
}

/** A matching root document, numbered over the whole searcher; the score is 0 in unscored searches. */
interface Match {
  readonly doc: number;
  readonly score: number;
}

function matchesOf(plan: Plan, searcher: Searcher, needsScores: boolean): Match[] {
  const weight = createWeight(plan, searcher, { needsScores });
  const docs = new Int32Array(WINDOW_DOCS);
  const scores = needsScores ? new Float64Array(WINDOW_DOCS) : null;
  return searcher.segments.flatMap((view) => {
    const matcher = weight.matcher(view, needsScores);
    const accepted = acceptedIn(view);
    const found: Match[] = [];
    for (let from = 0; matcher !== null && from < view.maxDoc; from = windowEnd(from, view.maxDoc)) {
      const count = matcher.window(from, windowEnd(from, view.maxDoc), docs, scores);
      for (let i = 0; i < count; i++)
        if (accepted.get(docs[i]!)) found.push({ doc: view.docBase + docs[i]!, score: scores?.[i] ?? 0 });
    }
    return found;
  });
}

/** Returns the live root documents that `filter` of the plan's matcher keeps. */
function filteredBy(plan: Plan, searcher: Searcher): Match[] {
  const weight = createWeight(plan, searcher, { needsScores: true });
  return searcher.segments.flatMap((view) => {
    const accepted = acceptedIn(view);
    const docs = Int32Array.from({ length: view.maxDoc }, (_, doc) => doc).filter((doc) => accepted.get(doc));
    const scores = new Float64Array(docs.length);
    const kept = weight.matcher(view, true)?.filter(docs, docs.length, scores) ?? 0;
    return Array.from({ length: kept }, (_, i) => ({ doc: view.docBase + docs[i]!, score: scores[i]! }));
  });
}

function failureOf(search: () => unknown): string {
  try {
    search();
  } catch (error) {
    return errorText(error);
  }
  return 'no error';
}

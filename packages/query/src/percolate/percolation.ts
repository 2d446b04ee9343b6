import { isApiError } from '@shoal/errors';
import { readSource } from '@shoal/json';
import { multiNumbers, type SegmentReader, WINDOW_DOCS } from '@shoal/segments';
import { windowEnd } from '../execute/matchers/gather.js';
import { createWeight } from '../execute/weight.js';
import { explainPlan } from '../explain.js';
import type { ParsedQuery } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { planQuery } from '../plan-query.js';
import type { Explanation } from '../plans/explanation-tree.js';
import type { Searcher, SegmentView } from '../searcher.js';
import { blocksAround } from './number-blocks.js';
import type { Percolation } from './percolation-api.js';
import { ANY_DOCUMENT, documentTerm } from './required-terms.js';

/** Documents in memory on which stored queries run. */
export class DocumentPercolation implements Percolation<Plan> {
  readonly documents: Searcher;
  readonly roots: readonly number[];
  readonly terms: readonly string[];
  readonly #slots: ReadonlyMap<number, number>;
  readonly #parse: (query: unknown) => ParsedQuery;
  readonly #now: () => number;

  /** `documents` is a searcher over the documents alone, `parse` parses a stored query. */
  constructor(documents: Searcher, parse: (query: unknown) => ParsedQuery, now: () => number) {
    this.documents = documents;
    this.#parse = parse;
    this.#now = now;
    this.roots = documents.segments.flatMap(rootsOf);
    this.#slots = new Map(this.roots.map((doc, slot) => [doc, slot]));
    this.terms = [...new Set([ANY_DOCUMENT, ...documents.segments.flatMap(({ reader }) => termsOf(reader))])];
  }

  matches(query: Uint8Array): boolean {
    let isFound = false;
    this.#visit(query, false, () => (isFound = true));
    return isFound;
  }

  score(query: Uint8Array): number | null {
    let best: number | null = null;
    this.#visit(query, true, (_doc, score) => {
      best = best === null ? score : Math.max(best, score);
    });
    return best;
  }

  slots(query: Uint8Array): number[] {
    const found: number[] = [];
    this.#visit(query, false, (doc) => found.push(this.#slots.get(doc)!));
    return found;
  }

  explain(query: Uint8Array): Explanation | null {
    const plan = this.plan(query);
    return plan === null ? null : explainPlan(plan, this.documents, this.roots[0]!);
  }

  plan(query: Uint8Array): Plan | null {
    const context = { searcher: this.documents, now: this.#now, nestedPath: null, innerHits: [] };
    try {
      return planQuery(this.#parse(readSource(query)), context);
    } catch (error) {
      if (isApiError(error)) return null;
      throw error;
    }
  }

  #visit(query: Uint8Array, needsScores: boolean, visit: (doc: number, score: number) => void): void {
    const plan = this.plan(query);
    if (plan === null) return;
    const weight = createWeight(plan, this.documents, { needsScores });
    const docs = new Int32Array(WINDOW_DOCS);
    const scores = needsScores ? new Float64Array(WINDOW_DOCS) : null;
    for (const view of this.documents.segments) {
      const matcher = weight.matcher(view, needsScores);
      for (let from = 0; matcher !== null && from < view.maxDoc; from = windowEnd(from, view.maxDoc)) {
        const count = matcher.window(from, windowEnd(from, view.maxDoc), docs, scores);
        for (let i = 0; i < count; i++)
          if (isRoot(view, docs[i]!)) visit(view.docBase + docs[i]!, scores === null ? 0 : scores[i]!);
      }
    }
  }
}

const isRoot = ({ reader }: SegmentView, doc: number): boolean => reader.roots === null || reader.roots.get(doc);

const rootsOf = (view: SegmentView): number[] =>
  Array.from({ length: view.maxDoc }, (_, doc) => doc)
    .filter((doc) => isRoot(view, doc))
    .map((doc) => view.docBase + doc);

function termsOf(reader: SegmentReader): string[] {
  return reader.fields.flatMap((field) => [...wordsOf(reader, field), ...blocksOf(reader, field)]);
}

function wordsOf(reader: SegmentReader, field: string): string[] {
  const cursor = reader.terms(field)?.cursor();
  const found: string[] = [];
  while (cursor?.next()) found.push(documentTerm(field, cursor.term));
  return found;
}

function blocksOf(reader: SegmentReader, field: string): string[] {
  const column = field.startsWith('_') ? null : reader.numbers(field);
  if (column === null) return [];
  const docs = Int32Array.from({ length: reader.maxDoc }, (_, doc) => doc);
  const all = multiNumbers();
  column.readAll(docs, docs.length, all);
  const numbers = new Set(all.values.subarray(0, all.starts[docs.length]));
  return [...numbers].flatMap((number) => blocksAround(number).map((block) => documentTerm(field, block)));
}

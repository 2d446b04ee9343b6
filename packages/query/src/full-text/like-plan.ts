import { errors } from '@shoal/errors';
import type { Analyzer } from '@shoal/analysis';
import { extractAll, parseSource } from '@shoal/json';
import type { FieldType } from '@shoal/mapping';
import { countTerm } from '../execute/statistics.js';
import { minimumShouldMatch } from '../parse/minimum-should-match.js';
import type { PlanContext } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { boostPlan, nonePlan } from '../plan-query.js';
import { boolPlan } from '../queries/bool.js';
import type { Searcher } from '../searcher.js';
import { namedAnalyzer } from './match-options.js';
import { isTextField } from './text-field.js';

/** A document of `like`, given or named. */
interface NamedItem {
  readonly id: string | null;
  readonly document: Readonly<Record<string, unknown>> | null;
  /** Fields whose terms count; null for those of the query. */
  readonly fields: readonly string[] | null;
  /** Version that the document must have; null for any. */
  readonly version: number | null;
  /** Names of analysers by field, where they are not those of the mapping. */
  readonly analyzers: ReadonlyMap<string, unknown>;
}

/** One item of `like`: a text or a document. */
export type LikeItem = { readonly text: string } | NamedItem;

/** Options of a more_like_this query, named as in the DSL. */
export interface LikeOptions {
  readonly maxQueryTerms: number;
  readonly minTermFreq: number;
  readonly minDocFreq: number;
  readonly maxDocFreq: number;
  readonly minWordLength: number;
  /** Longest word in characters; 0 for no limit. */
  readonly maxWordLength: number;
  readonly stopWords: ReadonlySet<string>;
  readonly analyzer: string | null;
  readonly minimumShouldMatch: string;
  /** Factor for the weights by which terms are boosted; 0 leaves terms without boost. */
  readonly boostTerms: number;
  /** Whether the documents named in `like` may be hits themselves. */
  readonly include: boolean;
}

/** Frequencies of words by field. */
type Frequencies = Map<string, Map<string, number>>;

/**
 * Returns the plan of a more_like_this query: the most significant terms of the items, of which some have to match.
 * After Lucene's MoreLikeThis.
 */
export function likePlan(
  fields: readonly string[],
  like: readonly LikeItem[],
  unlike: readonly LikeItem[],
  options: LikeOptions,
  context: PlanContext,
): Plan {
  const { searcher } = context;
  const skipped = new Set(
    [...frequenciesOf(fields, unlike, options, context).values()].flatMap((words) => [...words.keys()]),
  );
  const clauses: Plan[] = [];
  const documents = like.filter((item) => !('text' in item));
  if (documents.length > 0)
    clauses.push(...fromDocuments(frequenciesOf(fields, documents, options, context), skipped, options, searcher));
  const texts = like.filter((item) => 'text' in item);
  if (texts.length > 0) clauses.push(...fromTexts(fields, texts, skipped, options, context));
  if (clauses.length === 0) return nonePlan('No terms supplied for more_like_this');
  const ids = options.include ? [] : documents.flatMap((item) => ('id' in item && item.id !== null ? [item.id] : []));
  const plan =
    ids.length === 0 && clauses.length === 1
      ? clauses[0]!
      : boolPlan({ should: clauses, mustNot: ids.length === 0 ? [] : [{ kind: 'ids', ids, boost: 1 }] });
  return plan.kind === 'bool' ? { ...plan, isOpaque: true } : plan;
}

function fromDocuments(
  frequencies: Frequencies,
  skipped: ReadonlySet<string>,
  options: LikeOptions,
  searcher: Searcher,
): Plan[] {
  const terms = [...frequencies].flatMap(([field, words]) => tellingTerms(words, [field], skipped, options, searcher));
  return combineTerms(terms, options);
}

/**
 * Returns the clauses of the texts in `like`. Texts are analysed as the first field; each term is searched in the field
 * where it is most frequent.
 */
function fromTexts(
  fields: readonly string[],
  texts: readonly LikeItem[],
  skipped: ReadonlySet<string>,
  options: LikeOptions,
  context: PlanContext,
): Plan[] {
  const first = fields[0];
  if (first === undefined) return [];
  const words = frequenciesOf([first], texts, options, context).get(first) ?? new Map<string, number>();
  return combineTerms(tellingTerms(words, fields, skipped, options, context.searcher), options);
}

function combineTerms(terms: readonly Plan[], { minimumShouldMatch: spec }: LikeOptions): Plan[] {
  if (terms.length === 0) return [];
  return [boolPlan({ should: terms, minimumShouldMatch: minimumShouldMatch(spec, terms.length) })];
}

interface ScoredTerm {
  readonly field: string;
  readonly term: string;
  readonly score: number;
}

function tellingTerms(
  words: ReadonlyMap<string, number>,
  fields: readonly string[],
  skipped: ReadonlySet<string>,
  options: LikeOptions,
  searcher: Searcher,
): Plan[] {
  const scored: ScoredTerm[] = [];
  for (const [term, freq] of words) {
    if (freq < options.minTermFreq || skipped.has(term) || isNoise(term, options)) continue;
    const counts = fields.map((field) => ({ field, docFreq: countTerm(searcher, field, term) }));
    const { field, docFreq } = counts.reduce((best, count) => (count.docFreq > best.docFreq ? count : best));
    if (docFreq < options.minDocFreq || docFreq > options.maxDocFreq || docFreq === 0) continue;
    const idf = Math.fround(Math.log((searcher.maxDoc + 1) / (docFreq + 1)) + 1);
    scored.push({ field, term, score: Math.fround(freq * idf) });
  }
  const best = scored.sort((a, b) => b.score - a.score).slice(0, options.maxQueryTerms);
  // From the least telling word upwards, as Lucene takes them from its queue: scores are added in this order.
  const clauses = best.reverse();
  const least = clauses[0]?.score ?? 1;
  return clauses.map(({ field, term, score }) => {
    const plan: Plan = { kind: 'term', field, term, boost: 1 };
    return options.boostTerms > 0 ? boostPlan(plan, boostOf(options.boostTerms, score, least)) : plan;
  });
}

/** The boost of a term by its score: `boost_terms` for the least telling term, as Lucene takes terms from its queue. */
function boostOf(boostTerms: number, score: number, least: number): number {
  return Math.fround(Math.fround(Math.fround(boostTerms) * score) / least);
}

function isNoise(term: string, { minWordLength, maxWordLength, stopWords }: LikeOptions): boolean {
  return (
    (minWordLength > 0 && term.length < minWordLength) ||
    (maxWordLength > 0 && term.length > maxWordLength) ||
    stopWords.has(term)
  );
}

function frequenciesOf(
  fields: readonly string[],
  items: readonly LikeItem[],
  options: LikeOptions,
  context: PlanContext,
): Frequencies {
  const frequencies: Frequencies = new Map();
  let length = 0;
  for (const item of items) {
    const source = 'text' in item ? null : (item.document ?? storedSource(item, context.searcher));
    for (const field of 'text' in item ? fields : namesOf(item, fields, context.searcher)) {
      const values = 'text' in item ? [item.text] : source ? fieldValues(field, source, context.searcher) : [];
      if (values.length === 0) continue;
      let words = frequencies.get(field);
      if (!words) frequencies.set(field, (words = new Map()));
      for (const value of values) {
        const text = String(value);
        length += text.length;
        checkLength(length);
        countWords(text, itemAnalyzer(item, field, context) ?? analyzerOf(field, options, context), words);
      }
    }
  }
  return frequencies;
}

/** Fields of an item. 8.12 takes all fields of a document without an id that is given, whatever fields are named. */
function namesOf(item: NamedItem, fields: readonly string[], { mapping }: Searcher): readonly string[] {
  return item.document === null || item.id !== null
    ? (item.fields ?? fields)
    : mapping.fields.filter(isLiked).map(({ name }) => name);
}

/** Whether the terms of a field have counts by which they are chosen. */
export const isLiked = (type: FieldType): boolean =>
  type.runtime === undefined && (isTextField(type) || type.capabilities.countsWholeValues);

/** Limit on the characters that are analysed for one part of a query: planning cannot pause. */
const CHARACTERS_MAX = 2_000_000;

function checkLength(length: number): void {
  if (length > CHARACTERS_MAX)
    throw errors.illegalArgument(
      `The length of the texts of [more_like_this] exceeds the allowed maximum of [${CHARACTERS_MAX}]`,
    );
}

function fieldValues(field: string, source: Readonly<Record<string, unknown>>, { mapping }: Searcher): unknown[] {
  const values = extractAll(source, mapping.sourcePaths(field));
  return values.filter((value) => value !== null && typeof value !== 'object');
}

function itemAnalyzer(item: LikeItem, field: string, context: PlanContext): Analyzer | null {
  const name = 'text' in item ? undefined : item.analyzers.get(field);
  return name === undefined ? null : namedAnalyzer(String(name), 'more_like_this', context);
}

function analyzerOf(field: string, { analyzer }: LikeOptions, context: PlanContext): Analyzer | null {
  if (analyzer !== null) return namedAnalyzer(analyzer, 'more_like_this', context);
  return context.searcher.mapping.field(field)?.indexAnalyzer ?? null;
}

function countWords(text: string, analyzer: Analyzer | null, into: Map<string, number>): void {
  const list = analyzer?.analyze(text);
  const terms = list ? list.terms.slice(0, list.count) : [text];
  for (const term of terms) into.set(term, (into.get(term) ?? 0) + 1);
}

/** Returns the source of a live document of this shard, null if there is none. */
function storedSource({ id, version }: NamedItem, searcher: Searcher): Record<string, unknown> | null {
  if (id === null) return null;
  for (const { reader, live, docBase, maxDoc } of searcher.segments) {
    for (const doc of reader.findId(id)) {
      if (doc >= maxDoc || (live !== null && !live.get(doc))) continue;
      const stored = searcher.stored(docBase + doc);
      if (stored.id === id && version !== null && stored.version !== version) return null;
      if (stored.id === id && stored.source.length > 0) return parseSource(stored.source);
    }
  }
  return null;
}

import { compareTerms } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { type JsonObject, parseSource } from '@shoal/json';
import type { FieldType } from '@shoal/mapping';
import { regexpAutomaton } from '../automata/regexp.js';
import type { Searcher } from '../searcher.js';
import { contextFilter, type MatchedContexts } from './completion-contexts.js';
import { type CompletionOptions, parseCompletion, type RegexOptions } from './completion-options.js';
import { type MatchInput, prefixMatcher } from './completion-prefix.js';
import {
  mappedField,
  type ParsedSuggestion,
  type Suggester,
  type SuggestEntry,
  type SuggestInput,
  type SuggestOption,
  suggestAnalyzer,
} from './suggester.js';

/** Suggests inputs of a `completion` field that begin with a text, heaviest first. */
export const completionSuggester: Suggester = { name: 'completion', parse };

/** Separator of the parts of a completion term: analysed input, weight, input, contexts. */
const SEPARATOR = '\u001f';
const SHARD_SIZE_MIN = 5;

function parse(body: JsonObject): ParsedSuggestion {
  const options = parseCompletion(body);
  return {
    type: 'completion',
    field: options.field,
    run: async (input) => [await suggestCompletions(options, input)],
    reduce: (shards) => reduceCompletions(shards, options),
  };
}

async function suggestCompletions(options: CompletionOptions, input: SuggestInput): Promise<SuggestEntry> {
  const { text, searcher } = input;
  const type = completionField(options.field, searcher);
  const shardSize = options.shardSize ?? Math.max(options.size, SHARD_SIZE_MIN);
  if (shardSize <= 0) throw errors.illegalArgument(`ShardSize must be positive but was: ${shardSize}`);
  const sought = input.isRegex ? text : analyseInput(text, options, type, searcher);
  const matches = input.isRegex ? regexMatcher(sought, options.regex) : prefixMatcher(sought, options.fuzzy);
  // A prefix in which the analyzer finds no token begins no input.
  const candidates = sought === '' ? [] : candidatesOf(type, matches, options, shardSize, searcher);
  const best = bestCandidates(candidates, shardSize, options.skipsDuplicates);
  return { text, offset: 0, length: text.length, options: await optionsOf(best, input) };
}

function completionField(name: string, searcher: Searcher): FieldType {
  const type = mappedField(name, searcher);
  if (type.capabilities.completes) return type;
  throw errors.illegalArgument(`Field [${name}] is not a completion suggest field`);
}

function analyseInput(
  given: string,
  { analyzer: name }: CompletionOptions,
  type: FieldType,
  searcher: Searcher,
): string {
  // The analyzer is only looked up: 8.12 analyses the prefix by that of the field.
  suggestAnalyzer(name, type, searcher);
  const tokens = type.searchAnalyzer!.analyze(given);
  return tokens.terms.slice(0, tokens.count).join(type.toJson(true)['preserve_separators'] === false ? '' : ' ');
}

function regexMatcher(pattern: string, { flags, statesMax }: RegexOptions): MatchInput {
  regexpAutomaton(pattern, flags, false, statesMax);
  const automaton = regexpAutomaton(`(${pattern}).*`, flags, false, Math.max(statesMax, pattern.length * 2));
  return (input) => (automaton.matches(input) ? 0 : null);
}

interface Candidate {
  readonly doc: number;
  /** The input as it was analysed. */
  readonly input: string;
  readonly text: string;
  readonly score: number;
  readonly contexts: MatchedContexts['contexts'];
}

/**
 * Returns the best inputs of a segment, the best one of each document: of equal scores those whose analysed input comes
 * first, as in Lucene. Other inputs of a document count among them all the same.
 */
function bestOfSegment(candidates: Candidate[], size: number, skipsDuplicates: boolean): Candidate[] {
  candidates.sort((a, b) => b.score - a.score || compareTerms(a.input, b.input));
  return ofEachDocument(firstInputs(candidates, size, skipsDuplicates));
}

function ofEachDocument(candidates: readonly Candidate[]): Candidate[] {
  const docs = new Set<number>();
  return candidates.filter(({ doc }) => !docs.has(doc) && docs.add(doc));
}

/** Returns the first `size` inputs, of which several may be of one document; with `skipsDuplicates` each text once. */
function firstInputs(candidates: readonly Candidate[], size: number, skipsDuplicates: boolean): Candidate[] {
  const texts = new Set<string>();
  const kept = skipsDuplicates ? candidates.filter(({ text }) => !texts.has(text) && texts.add(text)) : candidates;
  return kept.slice(0, size);
}

/** Returns the best inputs of all segments. */
function bestCandidates(candidates: Candidate[], size: number, skipsDuplicates: boolean): Candidate[] {
  candidates.sort((a, b) => b.score - a.score || compareTerms(a.text, b.text) || a.doc - b.doc);
  return firstInputs(candidates, size, skipsDuplicates);
}

/** Merges the options of shards: the heaviest, each list in its order; with `skipsDuplicates` one of each text. */
function reduceCompletions(
  shards: readonly (readonly SuggestEntry[])[],
  { size, skipsDuplicates }: CompletionOptions,
): SuggestEntry[] {
  const [first = []] = shards;
  return first.map((entry, i) => {
    const options = shards.flatMap((entries) => entries[i]?.options ?? []);
    options.sort((a, b) => Number(b['_score']) - Number(a['_score']) || compareTerms(a.text, b.text));
    const texts = new Set<string>();
    const kept = skipsDuplicates ? options.filter(({ text }) => !texts.has(text) && texts.add(text)) : options;
    return { ...entry, options: kept.slice(0, size) };
  });
}

function candidatesOf(
  type: FieldType,
  matches: MatchInput,
  options: CompletionOptions,
  size: number,
  searcher: Searcher,
): Candidate[] {
  const all: Candidate[] = [];
  const matchContexts = contextFilter(options.contexts, type);
  for (const { reader, live, docBase, maxDoc } of searcher.segments) {
    const terms = reader.terms(type.name);
    if (!terms) continue;
    const found: Candidate[] = [];
    for (const cursor = terms.cursor(), more = { next: cursor.next() }; more.next; more.next = cursor.next()) {
      const [analysedInput = '', weight = '1', text = '', tail] = cursor.term.split(SEPARATOR);
      const boost = matches(analysedInput);
      const context = boost === null ? null : matchContexts(tail === undefined ? null : JSON.parse(tail));
      if (boost === null || context === null) continue;
      const score = weighted(Number(weight), boost + context.boost);
      const { contexts } = context;
      const postings = terms.postings(cursor.ordinal);
      while (postings.nextBlock() > 0) {
        for (let i = 0; i < postings.size; i++) {
          const doc = postings.docs[i]!;
          if (doc < maxDoc && (live === null || live.get(doc)))
            found.push({ doc: docBase + doc, input: analysedInput, text, score, contexts });
        }
      }
    }
    all.push(...bestOfSegment(found, size, options.skipsDuplicates));
  }
  return all;
}

/** Returns the score of an input, after Lucene's CompletionScorer: a weight of 0 does not hide a boost. */
const weighted = (weight: number, boost: number): number =>
  boost === 0 ? weight : weight === 0 ? boost : weight * boost;

/** Shows the documents of candidates as the search shows its hits. */
async function optionsOf(candidates: readonly Candidate[], { showHits }: SuggestInput): Promise<SuggestOption[]> {
  // A search that no document can be shown of is not refused for what it would show.
  if (candidates.length === 0) return [];
  const hits = await showHits(
    Int32Array.from(candidates, ({ doc }) => doc),
    Float32Array.from(candidates, ({ score }) => score),
  );
  return candidates.map(({ text, contexts }, i) => ({
    text,
    ...parseSource(hits[i]!),
    ...(Object.keys(contexts).length > 0 ? { contexts } : {}),
  }));
}

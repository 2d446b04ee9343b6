import type { Analyzer } from '@shoal/analysis';
import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { formatFloat } from '@shoal/values';
import { byWeight, type CandidateGenerator, candidateGenerator } from './direct-generator.js';
import { parsePhrase, type PhraseOptions, type Tags } from './phrase-options.js';
import { type BestPhrases, bestPhrases, type Candidate } from './phrase-search.js';
import { mergeByText } from './reduce-options.js';
import {
  mappedField,
  type ParsedSuggestion,
  type Suggester,
  type SuggestEntry,
  type SuggestInput,
  suggestAnalyzer,
} from './suggester.js';
import { wordModel } from './word-model.js';

/** Suggests corrections of a whole text, by a noisy channel model over the terms of a field. */
export const phraseSuggester: Suggester = { name: 'phrase', parse };

const DEFAULT_SIZE = 5;
const NOTHING: BestPhrases = { phrases: [], cutoff: Number.MIN_VALUE };

function parse(body: JsonObject): ParsedSuggestion {
  const options = parsePhrase(body);
  return {
    type: 'phrase',
    field: options.field,
    run: async (input) => [await suggestPhrases(options, input)],
    reduce: (shards) => reducePhrases(shards, options.size),
  };
}

/** Keeps of all shards what is better than the cutoff of each: a shard may know the text itself better. */
function reducePhrases(shards: readonly (readonly SuggestEntry[])[], size: number): SuggestEntry[] {
  const cutoff = Math.max(...shards.map(([entry]) => Number(entry?.cutoff ?? 0)));
  return mergeByText(shards).map(({ text, offset, length, options }) => ({
    ...{ text, offset, length },
    options: options.filter(({ score }) => shards.length === 1 || Number(score) > cutoff).slice(0, size),
  }));
}

async function suggestPhrases(options: PhraseOptions, input: SuggestInput): Promise<SuggestEntry> {
  const { text, searcher } = input;
  const field = mappedField(options.field, searcher).name;
  const analyzer = suggestAnalyzer(options.analyzer, mappedField(options.field, searcher), searcher);
  const shardSize = options.shardSize ?? Math.max(options.size, DEFAULT_SIZE);
  if (shardSize <= 0) throw errors.illegalArgument(`ShardSize must be positive but was: ${shardSize}`);
  if (options.isCollating) throw errors.illegalArgument('script_lang not supported [mustache]');
  const given = options.generators.length > 0 ? options.generators : [{ field }];
  const generators = given.flatMap((generator) => candidateGenerator(generator, searcher) ?? []);
  const hasTerms = searcher.segments.some(({ reader }) => reader.terms(field) !== null);
  const { phrases, cutoff } =
    generators.length === 0 || !hasTerms
      ? NOTHING
      : await findPhrases({ field, analyzer, shardSize, generators, options }, input);
  return {
    ...{ text, offset: 0, length: text.length, cutoff },
    options: phrases.map(({ path, score }) => ({
      text: path.map(({ term }) => term).join(options.separator),
      ...(options.highlight ? { highlighted: highlightChanges(path, options.separator, options.highlight) } : {}),
      score: Number(formatFloat(Math.fround(score))),
    })),
  };
}

/** A phrase suggestion bound to a shard. */
interface BoundPhrase {
  readonly field: string;
  readonly analyzer: Analyzer | null;
  readonly shardSize: number;
  readonly generators: readonly CandidateGenerator[];
  readonly options: PhraseOptions;
}

async function findPhrases(bound: BoundPhrase, { text, searcher, pause }: SuggestInput): Promise<BestPhrases> {
  const { field, analyzer, options, shardSize } = bound;
  const words = phraseWords(text, analyzer, options);
  if (words.length === 0 || words.length >= options.tokenLimit) return NOTHING;
  const sets: Candidate[][] = [];
  for (const word of words) {
    sets.push(candidatesFor(word, bound));
    await pause();
  }
  const { smoothing, separator, likelihood, confidence, maxErrors } = options;
  const model = wordModel(field, smoothing, separator, searcher);
  const gramSize = options.gramSize ?? shingleSize(analyzer);
  return bestPhrases(sets, { model, gramSize, likelihood, confidence, maxErrors, size: shardSize }, pause);
}

/** A word of the phrase and the words of other meaning at its place, such as synonyms. */
interface PhraseWord {
  readonly text: string;
  readonly synonyms: string[];
}

function phraseWords(text: string, analyzer: Analyzer | null, { requiresUnigrams }: PhraseOptions): PhraseWord[] {
  if (!analyzer) return text === '' ? [] : [{ text, synonyms: [] }];
  const tokens = analyzer.analyze(text, true);
  const words: PhraseWord[] = [];
  for (let i = 0; i < tokens.count; i++) {
    if (requiresUnigrams && tokens.types[i] === 'shingle') continue;
    const isSynonym = i > 0 && tokens.positions[i] === tokens.positions[i - 1] && tokens.types[i] === 'SYNONYM';
    if (isSynonym && words.length > 0) words.at(-1)!.synonyms.push(tokens.terms[i]!);
    else words.push({ text: tokens.terms[i]!, synonyms: [] });
  }
  if (words.length === 0 && tokens.count > 0)
    throw errors.refusedState('At least one unigram is required but all tokens were ngrams');
  return words;
}

/** Returns the candidates for a word: the word itself first, then the best of all generators. */
function candidatesFor({ text, synonyms }: PhraseWord, { generators, shardSize, options }: BoundPhrase): Candidate[] {
  const first = generators[0]!;
  const candidates = new Map<string, Candidate>();
  for (const synonym of synonyms)
    if (first.docFreq(synonym) > 0) candidates.set(synonym, first.synonym(synonym, options.likelihood));
  for (const generator of generators)
    for (const candidate of generator.candidates(text)) candidates.set(candidate.term, candidate);
  const best = [...candidates.values()].sort(byWeight).slice(0, shardSize);
  return [first.original(text), ...best];
}

/** Returns the length of the longest shingles that an analyzer makes; 1 if it makes none. */
function shingleSize(analyzer: Analyzer | null): number {
  if (!analyzer) return 1;
  const tokens = analyzer.analyze('aa bb cc dd ee', true);
  let longest = 1;
  for (let i = 0; i < tokens.count; i++) longest = Math.max(longest, tokens.terms[i]!.split(' ').length);
  return longest;
}

function highlightChanges(path: readonly Candidate[], separator: string, { pre, post }: Tags): string {
  const parts: string[] = [];
  for (let i = 0; i < path.length; ) {
    let end = i;
    while (end < path.length && !path[end]!.isOriginal) end++;
    if (end > i)
      parts.push(
        pre +
          path
            .slice(i, end)
            .map(({ term }) => term)
            .join(separator) +
          post,
      );
    else parts.push(path[end++]!.term);
    i = end;
  }
  return parts.join(separator);
}

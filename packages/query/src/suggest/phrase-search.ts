import type { WordModel } from './word-model.js';

/** A word that may replace a word of the phrase. */
export interface Candidate {
  readonly term: string;
  /** Similarity to the given word, up to 1; 1 for the word itself. */
  readonly likeness: number;
  readonly isOriginal: boolean;
}

/**
 * Options of a search for phrases. `gramSize` is the longest shingle of the model, `likelihood` the probability that a
 * given word is right.
 */
export interface PhraseSearch {
  readonly model: WordModel;
  readonly gramSize: number;
  readonly likelihood: number;
  /** Phrases must score above `confidence` times the score of the text itself. */
  readonly confidence: number;
  /** Limit on changed words: a number, or below 1 a fraction of the words. */
  readonly maxErrors: number;
  readonly size: number;
}

/** A phrase as one candidate for each word, with its score. */
export interface ScoredPhrase {
  readonly path: readonly Candidate[];
  readonly score: number;
}

/** Returns the most likely phrases, best first. Each phrase has one of the candidates at each position. */
export function bestPhrases(sets: readonly (readonly Candidate[])[], search: PhraseSearch): ScoredPhrase[] {
  const errorsMax = search.maxErrors >= 1 ? Math.trunc(search.maxErrors) : Math.round(search.maxErrors * sets.length);
  const originals = sets.map((set) => set[0]!);
  const cutoff = search.confidence > 0 ? scoreOf(originals, search) * search.confidence : Number.MIN_VALUE;
  const found: ScoredPhrase[] = [];
  const extend = (path: readonly Candidate[], errorsLeft: number): void => {
    const set = sets[path.length];
    if (set === undefined) {
      const score = scoreOf(path, search);
      if (score > cutoff) keep(found, { path, score }, search.size);
      return;
    }
    for (const candidate of set)
      if (candidate.isOriginal || errorsLeft > 0)
        extend([...path, candidate], candidate.isOriginal ? errorsLeft : errorsLeft - 1);
  };
  extend([], errorsMax);
  return found.sort((a, b) => b.score - a.score);
}

function keep(found: ScoredPhrase[], phrase: ScoredPhrase, size: number): void {
  found.push(phrase);
  if (found.length <= size) return;
  found.sort((a, b) => b.score - a.score);
  found.pop();
}

/**
 * Returns the score of a phrase: e to the sum of the decimal logarithms, as Elasticsearch's CandidateScorer computes
 * it.
 */
function scoreOf(path: readonly Candidate[], { model, gramSize, likelihood }: PhraseSearch): number {
  let sum = 0;
  for (let i = 0; i < path.length; i++) {
    const channel = path[i]!.likeness === 1 ? likelihood : path[i]!.likeness;
    sum += Math.log10(channel * wordScore(path, i, gramSize, model));
  }
  return Math.exp(sum);
}

function wordScore(path: readonly Candidate[], i: number, gramSize: number, model: WordModel): number {
  const word = path[i]!.term;
  if (i === 0 || gramSize === 1) return model.unigram(word);
  if (i === 1 || gramSize === 2) return model.bigram(path[i - 1]!.term, word);
  return model.trigram(path[i - 2]!.term, path[i - 1]!.term, word);
}

import { compareTerms } from '@shoal/codec';
import type { Pause } from '../searcher.js';
import type { WordModel } from './word-model.js';

/** A word that may replace a word of the phrase. */
export interface Candidate {
  readonly term: string;
  /** Similarity to the given word, up to 1; 1 for the word itself. */
  readonly likeness: number;
  readonly isOriginal: boolean;
  /** Likeness times the share of the term in all occurrences of its field's terms. */
  readonly weight: number;
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

/** Phrases, best first, and the score that all of them exceed. */
export interface BestPhrases {
  readonly phrases: readonly ScoredPhrase[];
  readonly cutoff: number;
}

/** Candidates that are tried before others have their turn. */
const STEPS_AT_ONCE = 2048;

/**
 * Returns the most likely phrases, best first. Each phrase has one of the candidates at each position. A word only
 * makes a phrase less likely, so a beginning that is no better than what was found is not followed.
 */
export async function bestPhrases(
  sets: readonly (readonly Candidate[])[],
  search: PhraseSearch,
  pause: Pause,
): Promise<BestPhrases> {
  const last = sets.length - 1;
  const errorsMax =
    search.maxErrors >= 1 ? Math.trunc(search.maxErrors) : Math.max(1, Math.round(search.maxErrors * sets.length));
  const originals = sets.map((set) => set[0]!);
  const cutoff = search.confidence > 0 ? scoreOf(originals, search) * search.confidence : Number.MIN_VALUE;
  const found: ScoredPhrase[] = [];
  const path: Candidate[] = [];
  const next = new Int32Array(sets.length);
  const errorsLeft = new Int32Array(sets.length + 1).fill(errorsMax, 0, 1);
  const sums = new Float64Array(sets.length + 1);
  for (let depth = 0, steps = 1; depth >= 0; steps++) {
    if (steps % STEPS_AT_ONCE === 0) await pause();
    const candidate = sets[depth]![next[depth]!++];
    if (candidate === undefined) {
      next[depth--] = 0;
      continue;
    }
    if (!candidate.isOriginal && errorsLeft[depth] === 0) continue;
    path[depth] = candidate;
    const sum = sums[depth]! + logScore(path, depth, search);
    const score = Math.exp(sum);
    if (!(score > cutoff) || isBelowAll(score, found, search.size)) continue;
    if (depth === last) keep(found, { path: path.slice(0, sets.length), score }, search.size);
    else {
      errorsLeft[depth + 1] = errorsLeft[depth]! - (candidate.isOriginal ? 0 : 1);
      sums[++depth] = sum;
    }
  }
  return { phrases: found.sort(byScore), cutoff };
}

const isBelowAll = (score: number, found: readonly ScoredPhrase[], size: number): boolean =>
  found.length >= size && found.every((phrase) => phrase.score > score);

function keep(found: ScoredPhrase[], phrase: ScoredPhrase, size: number): void {
  found.push(phrase);
  if (found.length <= size) return;
  found.sort(byScore);
  found.pop();
}

/** Compares phrases by score; equal ones by their words in turn, the heavier candidate first. */
function byScore(a: ScoredPhrase, b: ScoredPhrase): number {
  if (a.score !== b.score) return b.score - a.score;
  for (let i = 0; i < a.path.length; i++) {
    const [left, right] = [a.path[i]!, b.path[i]!];
    const order = right.weight - left.weight || compareTerms(left.term, right.term);
    if (order !== 0) return order;
  }
  return 0;
}

/**
 * Returns the score of a phrase: e to the sum of the decimal logarithms, as Elasticsearch's CandidateScorer computes
 * it.
 */
function scoreOf(path: readonly Candidate[], search: PhraseSearch): number {
  let sum = 0;
  for (let i = 0; i < path.length; i++) sum += logScore(path, i, search);
  return Math.exp(sum);
}

function logScore(path: readonly Candidate[], i: number, { model, gramSize, likelihood }: PhraseSearch): number {
  const channel = path[i]!.likeness === 1 ? likelihood : path[i]!.likeness;
  return Math.log10(channel * wordScore(path, i, gramSize, model));
}

function wordScore(path: readonly Candidate[], i: number, gramSize: number, model: WordModel): number {
  const word = path[i]!.term;
  if (i === 0 || gramSize === 1) return model.unigram(word);
  if (i === 1 || gramSize === 2) return model.bigram(path[i - 1]!.term, word);
  return model.trigram(path[i - 2]!.term, path[i - 1]!.term, word);
}

import { PostingsWalk } from '../execute/matchers/postings-walk.js';
import { lengthOfNorm, type ModelScorer, scoreOf, type TermScorer } from '../execute/similarity.js';
import { formatFloat } from '@shoal/values';
import { type ExplainPlace } from './explanation.js';
import { exactLine, type Explanation, explanation } from './explanation-tree.js';

/** Returns the postings of a term, moved to a document; null when the document does not have the term. */
export function walkTo(field: string, term: string, { segment, doc }: ExplainPlace): PostingsWalk | null {
  const terms = segment.reader.terms(field);
  const ordinal = terms === null ? -1 : terms.lookup(term);
  if (ordinal < 0) return null;
  const walk = new PostingsWalk(terms!.postings(ordinal));
  return walk.advance(doc) === doc ? walk : null;
}

/** Explains the inverse document frequency of a term that `docFreq` documents have. */
export function idfOf(scorer: TermScorer, docFreq: number): Explanation {
  return explanation(scorer.idf, 'idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:', [
    exactLine(docFreq, 'n, number of documents containing term'),
    exactLine(scorer.field.docCount, 'N, total number of documents with field'),
  ]);
}

/**
 * Explains the score of a frequency. `text` names the term or phrase; `idf` explains its inverse document
 * frequency.
 */
export function weightOfFreq(
  text: string,
  field: string,
  scorer: TermScorer,
  freq: number,
  idf: readonly Explanation[],
  freqText: string,
  place: ExplainPlace,
): Explanation {
  const norm = place.segment.reader.norms(field)?.get(place.doc) ?? 1;
  const value = scoreOf(scorer, freq, norm);
  const weight = (score: Explanation): Explanation =>
    explanation(value, `weight(${text} in ${place.doc}) [PerFieldSimilarity], result of:`, [score]);
  if (scorer.model?.terms) return weight(explainModel(scorer.model, value, freq, norm, freqText));
  return weight(scoreOfFreq(scorer, freq, norm, idf, freqText));
}

/** Explains the BM25 score of a frequency in a document with a norm byte. */
export function scoreOfFreq(
  scorer: TermScorer,
  freq: number,
  norm: number,
  idf: readonly Explanation[],
  freqText: string,
): Explanation {
  const text = `score(freq=${formatFloat(freq)}), computed as boost * idf * tf from:`;
  return explanation(scoreOf(scorer, freq, norm), text, [
    ...(scorer.boost === 1 ? [] : [explanation(scorer.boost, 'boost')]),
    ...idf,
    tfOf(scorer, freq, norm, freqText),
  ]);
}

function explainModel(
  { model, terms }: ModelScorer,
  value: number,
  freq: number,
  norm: number,
  freqText: string,
): Explanation {
  const scores = terms.map((statistics) => model.explain(statistics, freq, lengthOfNorm(norm), freqText));
  return scores.length === 1 ? scores[0]! : explanation(value, model.sumText ?? 'sum of:', scores);
}

function tfOf({ field }: TermScorer, freq: number, norm: number, freqText: string): Explanation {
  const { k1, b } = field.parameters;
  const tf = Math.fround(1 - Math.fround(1 / Math.fround(1 + Math.fround(freq * field.cache[norm]!))));
  return explanation(tf, 'tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:', [
    explanation(freq, freqText),
    explanation(Math.fround(k1), 'k1, term saturation parameter'),
    explanation(Math.fround(b), 'b, length normalization parameter'),
    explanation(lengthOfNorm(norm), `dl, length of field${lengthOfNorm(norm) >= 40 ? ' (approximate)' : ''}`),
    explanation(field.averageLength, 'avgdl, average length of field'),
  ]);
}

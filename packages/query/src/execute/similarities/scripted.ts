import { type ScoredCounts, ScriptedSimilarity } from '@shoal/script';
import { exactLine } from '../../plans/explanation-tree.js';
import { line, type SimilarityModel, type TermStatistics } from './similarity-model.js';

/** Scores by the scripts of an index's settings. Throws what they throw when they do not compile. */
export function scripted(scripts: { readonly script: unknown; readonly weightScript: unknown }): SimilarityModel {
  const similarity = new ScriptedSimilarity(scripts);
  const known = new WeakMap<TermStatistics, ScoredCounts>();
  const countsOf = (statistics: TermStatistics): ScoredCounts => {
    let counts = known.get(statistics);
    if (counts === undefined)
      known.set(statistics, (counts = { ...statistics, sumTotalTermFreq: statistics.fieldTokens }));
    return counts;
  };
  return {
    score: (statistics, freq, length) => similarity.score(countsOf(statistics), freq, length),
    explain(statistics, freq, length) {
      const counts = countsOf(statistics);
      return line(
        similarity.score(counts, freq, length),
        `score from ${similarity.text} computed from:`,
        similarity
          .lines(counts, freq, length)
          .map(([value, kind, text]) => (kind === 'float' ? line(value, text) : exactLine(value, text))),
      );
    },
    sumText: 'Sum of:',
  };
}

import type { Analyzer } from '@shoal/analysis';
import { errors } from '@shoal/errors';

/** The tokens of a query's text at one position; several tokens are alternatives. */
export interface TextPosition {
  readonly position: number;
  readonly terms: readonly string[];
}

/** Characters of a long text that are analysed first, to see whether it has too many tokens. */
const PROBE_CHARACTERS = 1 << 18;

/**
 * Tokens of a text grouped by position, ascending. Throws too_many_clauses for more than `positionsMax`; of a long text
 * only the beginning is analysed then.
 */
export function textPositions(analyzer: Analyzer, text: string, positionsMax = Infinity): TextPosition[] {
  if (text.length > PROBE_CHARACTERS * 2) groupTokens(analyzer, text.slice(0, PROBE_CHARACTERS), positionsMax);
  return groupTokens(analyzer, text, positionsMax);
}

function groupTokens(analyzer: Analyzer, text: string, positionsMax: number): TextPosition[] {
  const tokens = analyzer.analyze(text);
  const groups: { position: number; terms: string[] }[] = [];
  for (let i = 0; i < tokens.count; i++) {
    const position = tokens.positions[i]!;
    const term = tokens.terms[i]!;
    const last = groups.at(-1);
    if (last?.position !== position) {
      if (groups.length >= positionsMax) throw errors.tooManyClauses(`maxClauseCount is set to ${positionsMax}`);
      groups.push({ position, terms: [term] });
    } else if (!last.terms.includes(term)) last.terms.push(term);
  }
  return groups;
}

import type { Analyzer } from '@shoal/analysis';

/** The tokens of a query's text at one position; several tokens are alternatives. */
export interface TextPosition {
  readonly position: number;
  readonly terms: readonly string[];
}

/** Tokens of a text grouped by position, ascending. */
export function textPositions(analyzer: Analyzer, text: string): TextPosition[] {
  const tokens = analyzer.analyze(text);
  const groups: { position: number; terms: string[] }[] = [];
  for (let i = 0; i < tokens.count; i++) {
    const position = tokens.positions[i]!;
    const term = tokens.terms[i]!;
    const last = groups.at(-1);
    if (last?.position !== position) groups.push({ position, terms: [term] });
    else if (!last.terms.includes(term)) last.terms.push(term);
  }
  return groups;
}

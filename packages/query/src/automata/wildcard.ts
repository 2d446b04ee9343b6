import { ANY_CHAR, oneChar } from './char-set.js';
import { type Automaton, automatonOf } from './automaton.js';
import { type Expression, Expressions } from './expression.js';

/** One element of a wildcard pattern. */
export type WildcardPart = { readonly kind: 'any' | 'one' } | { readonly kind: 'char'; readonly code: number };

/** Elements of a pattern: `*` any text, `?` one character, `\` takes the next character as it is. */
export function wildcardParts(pattern: string): WildcardPart[] {
  const parts: WildcardPart[] = [];
  const codes = [...pattern];
  for (let i = 0; i < codes.length; i++) {
    const char = codes[i]!;
    if (char === '*') parts.push({ kind: 'any' });
    else if (char === '?') parts.push({ kind: 'one' });
    else
      parts.push({ kind: 'char', code: (char === '\\' && i + 1 < codes.length ? codes[++i]! : char).codePointAt(0)! });
  }
  return parts;
}

/** Limit on states; no pattern that a request may carry needs more. */
const STATES_MAX = 100_000;

/** Returns the automaton of a pattern. */
export function wildcardAutomaton(pattern: string, caseInsensitive: boolean): Automaton<Expression> {
  const expressions = new Expressions();
  let result = expressions.empty;
  for (const part of wildcardParts(pattern).reverse()) {
    result = expressions.concat(partExpression(expressions, part, caseInsensitive), result);
  }
  return automatonOf(expressions, result, STATES_MAX);
}

function partExpression(expressions: Expressions, part: WildcardPart, caseInsensitive: boolean): Expression {
  if (part.kind === 'char') return expressions.chars(oneChar(part.code, caseInsensitive));
  return part.kind === 'any' ? expressions.anything : expressions.chars(ANY_CHAR);
}

/** Whether a text matches a pattern as a whole. */
export function wildcardMatches(pattern: string, text: string): boolean {
  return wildcardAutomaton(pattern, false).matches(text);
}

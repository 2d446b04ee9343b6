import { type ApiError, errors } from '@shoal/errors';
import { regexpAutomaton } from '@shoal/query';

/** Most states of the automaton of a role's names. */
const STATES_MAX = 10_000;
/**
 * Most steps of comparing two patterns, and length of the longest pattern compared. Any user may call
 * `_has_privileges`, so its cost must be limited.
 */
const STEPS_MAX = 50_000;
const PATTERN_LENGTH_MAX = 1000;
/** Enables all optional operators of Lucene's `RegExp`. */
const ALL_OPERATORS = 255;

/** Index name patterns of a role: exact names, wildcards with `*` and `?`, Lucene `/regular expressions/`. */
export interface NamePatterns {
  matches(name: string): boolean;
  /** Whether every name that `pattern` matches is matched by these patterns. */
  coversPattern(pattern: string): boolean;
}

const ALL_NAMES: NamePatterns = { matches: () => true, coversPattern: () => true };

/** Compiles patterns. Throws for regular expressions that are invalid or too large. */
export function namePatterns(patterns: readonly string[]): NamePatterns {
  if (patterns.includes('*')) return ALL_NAMES;
  if (patterns.every(isPlain)) return plainNames(new Set(patterns));
  const union = patterns.map((pattern) => `(${expressionOf(pattern)})`).join('|');
  const automaton = regexpAutomaton(union, ALL_OPERATORS, false, STATES_MAX);
  return { matches: (name) => automaton.matches(name), coversPattern: (pattern) => isSubset(pattern, union) };
}

function plainNames(names: ReadonlySet<string>): NamePatterns {
  return { matches: (name) => names.has(name), coversPattern: (pattern) => names.has(pattern) };
}

function isPlain(pattern: string): boolean {
  return !/[*?\\]/.test(pattern) && !isExpression(pattern);
}

function isExpression(pattern: string): boolean {
  return pattern.length > 1 && pattern.startsWith('/') && pattern.endsWith('/');
}

/** Converts a pattern to a Lucene regular expression. */
function expressionOf(pattern: string): string {
  if (isExpression(pattern)) return pattern.slice(1, -1);
  let expression = '';
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i]!;
    if (char === '*') expression += '.*';
    else if (char === '?') expression += '.';
    else if (char === '\\' && i + 1 < pattern.length) expression += literal(pattern[++i]!);
    else expression += literal(char);
  }
  return expression === '' ? '()' : expression;
}

function literal(char: string): string {
  return /[a-zA-Z0-9_]/.test(char) || char.charCodeAt(0) > 127 ? char : `\\${char}`;
}

/**
 * Whether `union` accepts every text that `pattern` accepts: the automaton of their difference has no accepting state.
 */
function isSubset(pattern: string, union: string): boolean {
  if (pattern.length > PATTERN_LENGTH_MAX)
    throw errors.illegalArgument(`the pattern is longer than [${PATTERN_LENGTH_MAX}] characters`);
  const difference = regexpAutomaton(`(${expressionOf(pattern)})&~(${union})`, ALL_OPERATORS, false, STATES_MAX);
  const seen = new Set([difference.start]);
  for (const state of seen) {
    if (difference.accepting[state] !== 0) return false;
    if (seen.size * difference.classCount > STEPS_MAX) throw tooComplex(pattern);
    for (let charClass = 0; charClass < difference.classCount; charClass++)
      seen.add(difference.expand(state, charClass));
  }
  return true;
}

function tooComplex(pattern: string): ApiError {
  return errors.illegalArgument(`the pattern [${pattern}] is too complex to compare`);
}

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

/**
 * Compiles patterns. Names and prefixes (`logs-*`), of which a role may have thousands, are looked up; only others make
 * an automaton. Throws for regular expressions that are invalid or too large.
 */
export function namePatterns(patterns: readonly string[]): NamePatterns {
  if (patterns.includes('*')) return ALL_NAMES;
  const names = new Set(patterns.filter(isPlain));
  if (names.size === patterns.length) return { matches: (name) => names.has(name), coversPattern: (p) => names.has(p) };
  const isPrefixed = prefixMatcher(patterns.filter(isPrefix).map((pattern) => pattern.slice(0, -1)));
  const others = patterns.filter((pattern) => !isPlain(pattern) && !isPrefix(pattern));
  const automaton = others.length === 0 ? null : automatonOf(unionOf(others));
  return {
    matches: (name) => names.has(name) || isPrefixed(name) || (automaton?.matches(name) ?? false),
    coversPattern: (pattern) => (isPrefix(pattern) && isPrefixed(pattern)) || isSubset(pattern, patterns),
  };
}

/** Returns whether a name begins with one of some prefixes: a look-up for each length that a prefix has. */
function prefixMatcher(prefixes: readonly string[]): (name: string) => boolean {
  const known = new Set(prefixes);
  const lengths = [...new Set(prefixes.map(({ length }) => length))];
  return (name) => lengths.some((length) => length <= name.length && known.has(name.slice(0, length)));
}

const automatonOf = (expression: string): ReturnType<typeof regexpAutomaton> =>
  regexpAutomaton(expression, ALL_OPERATORS, false, STATES_MAX);

const unionOf = (patterns: readonly string[]): string =>
  patterns.map((pattern) => `(${expressionOf(pattern)})`).join('|');

function isPlain(pattern: string): boolean {
  return !/[*?\\]/.test(pattern) && !isExpression(pattern);
}

/** Whether a pattern is a name with `*` at its end. */
function isPrefix(pattern: string): boolean {
  return pattern.length > 1 && pattern.endsWith('*') && isPlain(pattern.slice(0, -1)) && pattern[0] !== '/';
}

/** The characters that all names of a pattern begin with, as far as they are easily known. */
function headOf(pattern: string): string {
  return isExpression(pattern) ? '' : /^[^*?\\]*/.exec(pattern)![0];
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
 * Whether `patterns` accept every text that `pattern` accepts: the automaton of their difference has no accepting
 * state. Those that begin otherwise accept none of them and are left out.
 */
function isSubset(pattern: string, patterns: readonly string[]): boolean {
  if (pattern.length > PATTERN_LENGTH_MAX)
    throw errors.illegalArgument(`the pattern is longer than [${PATTERN_LENGTH_MAX}] characters`);
  const head = headOf(pattern);
  const near = patterns.filter((own) => own.startsWith(head) || head.startsWith(headOf(own)));
  if (near.length === 0) return false;
  const difference = automatonOf(`(${expressionOf(pattern)})&~(${unionOf(near)})`);
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

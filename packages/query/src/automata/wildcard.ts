import { errors } from '@shoal/errors';
import { Automaton, boundariesOf, type StateSpace } from './automaton.js';
import { ANY_CHAR, type CharSet, contains, oneChar } from './char-set.js';

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

/** Limit on positions in all states of an automaton together, which bounds its memory and the time to build it. */
const POSITIONS_MAX = 5_000_000;
/** Limit on states. */
const STATES_MAX = 100_000;

/** Limit on elements of a pattern, runs of `*` counted once: no term is longer, and each `*` adds at most one. */
const ELEMENTS_MAX = 65_536;

/** Ascending positions in a pattern: numbers of the elements that the next character is compared with. */
type Positions = readonly number[];

/**
 * Returns the automaton of a pattern. Its states are sets of positions. Once a `*` is reached, what was reached before
 * an earlier `*` needs no more to be followed: whatever it would match, the later `*` matches too. A state therefore
 * holds positions of one stretch between two `*` only. Throws illegal_argument_exception for a pattern that needs too
 * many states.
 */
export function wildcardAutomaton(pattern: string, caseInsensitive: boolean): Automaton<Positions> {
  const elements = withoutRuns(wildcardParts(pattern));
  if (elements.length > ELEMENTS_MAX)
    throw errors.illegalArgument(
      `Determinizing automaton of [${elements.length}] elements would require more than ${ELEMENTS_MAX} effort.`,
    );
  const sets = elements.map((element) => (element.kind === 'char' ? oneChar(element.code, caseInsensitive) : ANY_CHAR));
  return new Automaton(positionSpace(elements, sets), boundariesOf(new Set(sets)), STATES_MAX);
}

/** A run of `*` matches what one matches. */
const withoutRuns = (parts: readonly WildcardPart[]): WildcardPart[] =>
  parts.filter((part, i) => part.kind !== 'any' || parts[i - 1]?.kind !== 'any');

function positionSpace(elements: readonly WildcardPart[], sets: readonly CharSet[]): StateSpace<Positions> {
  const isStar = (position: number): boolean => elements[position]?.kind === 'any';
  let effort = 0;
  return {
    start: isStar(0) ? [0, 1] : [0],
    dead: [],
    key: (positions) => positions.join(),
    step: (positions, code) => {
      const next = nextPositions(positions, (position) => contains(sets[position] ?? [], code), isStar);
      effort += next.length;
      if (effort > POSITIONS_MAX)
        throw errors.illegalArgument(`Determinizing automaton would require more than ${POSITIONS_MAX} effort.`);
      return next;
    },
    accepts: (positions) => positions.at(-1) === elements.length,
    acceptsAll: (positions) => positions.at(-1) === elements.length && isStar(elements.length - 1),
  };
}

/** The positions after a character: a `*` stays, and lets the element behind it begin. */
function nextPositions(
  positions: Positions,
  matches: (position: number) => boolean,
  isStar: (position: number) => boolean,
): Positions {
  const next: number[] = [];
  const enter = (position: number): void => {
    if (next.at(-1) === position) return;
    if (isStar(position)) next.length = 0;
    next.push(position);
    if (isStar(position)) next.push(position + 1);
  };
  for (const position of positions) {
    if (isStar(position)) enter(position);
    else if (matches(position)) enter(position + 1);
  }
  return next;
}

/** Whether a text matches a pattern as a whole. */
export function wildcardMatches(pattern: string, text: string): boolean {
  return wildcardAutomaton(pattern, false).matches(text);
}

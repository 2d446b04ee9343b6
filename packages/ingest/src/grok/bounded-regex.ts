import { errors } from '@shoal/errors';
import { type GuardedRegex, type TimeGuard, withinTime } from '../time-guard.js';

/** Length of texts, in units, from which on the time of any expression is bounded. */
const LONG_TEXT = 1024;

/**
 * Quantified groups that hold a quantifier or alternatives, and references to groups: what makes backtracking take
 * exponential time.
 */
const SUSPICIOUS = /[+*?}]\)[+*{]|\|[^()]*\)[+*{]|\\[1-9k]/;

/** The first match of an expression in a text. */
export interface BoundedMatch {
  /** Offset of the match. */
  readonly index: number;
  /** Length of the match, in units. */
  readonly length: number;
  /** Texts of the groups by number, from 1 on; those that took no part are undefined. */
  readonly groups: readonly (string | undefined)[];
}

/** A regular expression whose matching ends in time. */
export interface BoundedRegex {
  /** Returns the first match; null if nothing matches. Throws when the time is over. */
  exec(text: string): BoundedMatch | null;
}

/** Syntax of Oniguruma that JavaScript writes otherwise. */
function translate(pattern: string): string {
  return pattern
    .replace(/\\h/g, '[0-9a-fA-F]')
    .replace(/\\A/g, '^')
    .replace(/\\[zZ]/g, '$')
    .replace(/\[:(alpha|digit|alnum|upper|lower|space|punct|xdigit|word):\]/g, (_all, name: string) => CLASSES[name]!)
    .replace(/\(\?>/g, '(?:')
    .replace(/([+*?}])\+/g, '$1');
}

const CLASSES: Readonly<Record<string, string>> = {
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  punct: '!-/:-@\\[-`{-~',
  xdigit: '0-9a-fA-F',
  word: '\\w',
};

/**
 * Compiles an expression. V8 backtracks, which for some expressions takes exponential time, and for long texts and
 * several `.*` polynomial time. Such a match is ended after 100 ms; that costs some 50 us, so that harmless expressions
 * on short texts run without, and others without as long as `guard` watches all of the work around them.
 */
export function boundedRegex(pattern: string, guard: TimeGuard | null): BoundedRegex {
  const regex = compile(translate(pattern));
  const guarded: GuardedRegex = { regex, isTrusted: true };
  const isSuspicious = SUSPICIOUS.test(pattern);
  const timed = withinTime((text) => regex.exec(text), 'grok pattern matching');
  const warmed = { narrow: false, wide: false };
  const matchOf = (text: string): RegExpExecArray | null => {
    if (!isSuspicious && text.length <= LONG_TEXT) return regex.exec(text);
    warmUp(regex, WIDE.test(text) ? 'wide' : 'narrow', warmed);
    return guard?.covers(guarded) ? guard.exec(guarded, text) : timed(text);
  };
  return {
    exec(text) {
      const match = matchOf(text);
      return match === null ? null : { index: match.index, length: match[0].length, groups: match };
    },
  };
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 's');
  } catch (error) {
    throw errors.illegalArgument(error instanceof Error ? error.message : String(error));
  }
}

/** Characters that V8 keeps in two bytes, for which it compiles an expression anew. */
const WIDE = /[^\0-\xff]/;

/**
 * Lets V8 compile an expression before its time is bounded: that takes some 20 ms for the long ones of the bank, at the
 * first match to byte code and at the second to machine code.
 */
function warmUp(regex: RegExp, kind: 'narrow' | 'wide', warmed: Record<typeof kind, boolean>): void {
  if (warmed[kind]) return;
  warmed[kind] = true;
  const text = kind === 'wide' ? '\u0100' : ' ';
  regex.exec(text);
  regex.exec(text);
}

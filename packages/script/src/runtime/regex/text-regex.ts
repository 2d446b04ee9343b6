import { RE2JS } from 're2js';
import { BacktrackingRegex } from './backtracking-regex.js';
import { NO_FLAGS, withFlags } from './parse-regex.js';
import type { TextRegex } from './text-matcher.js';

const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
};

/** Removes white space and comments of a pattern with the flag `x`. */
function withoutComments(source: string): string {
  return source.replace(/\\.|#[^\n]*|\s+/g, (part) => (part.startsWith('\\') ? part : ''));
}

/**
 * Compiles a regular expression of Java: for RE2, whose matching takes time linear in the text; and what that does not
 * know (look-around, back references, atomic groups and possessive quantifiers, intersections of classes) for a matcher
 * that backtracks, within a bound on its steps. Throws RegexSyntaxError in the words of Java.
 */
export function compileTextRegex(source: string, flags = ''): TextRegex {
  const bits = [...flags].reduce((all, flag) => all | (FLAGS[flag] ?? 0), 0);
  if (flags.includes('l')) return RE2JS.compile(RE2JS.quote(source), bits);
  if (!readsOtherwise(source)) {
    try {
      return RE2JS.compile(flags.includes('x') ? withoutComments(source) : source, bits);
    } catch {
      // Either RE2 does not have it, or it is wrong: the other compiler tells.
    }
  }
  return new BacktrackingRegex(source, withFlags(NO_FLAGS, flags, true));
}

/** Whether RE2 takes for something else what Java understands: classes within classes and their intersections. */
const readsOtherwise = (source: string): boolean => /&&|\[[^\]]*\[(?!:)/.test(source);

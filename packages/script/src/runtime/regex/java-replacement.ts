import type { TextMatcher } from './text-matcher.js';

/** A part of a replacement: a text, or a group by number or name. */
export type ReplacementPart = string | { readonly group: number } | { readonly name: string };

/** What is wrong with a replacement. */
export type ReplacementFault = 'syntax' | 'group';

const DIGIT = /\d/;

/**
 * Reads a replacement as Java's `Matcher.replaceAll`: `$1` and `${name}` are groups, `$0` is the match, a backslash
 * takes the next character as it is. `fail` makes the error of what is wrong: `group` if there is no such group, else
 * `syntax`.
 */
export function parseReplacement(
  replacement: string,
  groupCount: number,
  fail: (reason: string, what: ReplacementFault) => Error,
): readonly ReplacementPart[] {
  const parts: ReplacementPart[] = [];
  for (let i = 0; i < replacement.length; i++) {
    const char = replacement[i]!;
    if (char === '\\') {
      i++;
      if (i === replacement.length) throw fail('character to be escaped is missing', 'syntax');
      parts.push(replacement[i]!);
    } else if (char === '$') {
      const [part, end] = groupAt(replacement, i + 1, groupCount, fail);
      parts.push(part);
      i = end - 1;
    } else parts.push(char);
  }
  return parts;
}

/** Reads what stands behind a dollar sign; returns the group and where it ends. */
function groupAt(
  replacement: string,
  from: number,
  groupCount: number,
  fail: (reason: string, what: ReplacementFault) => Error,
): [part: ReplacementPart, end: number] {
  if (from === replacement.length) throw fail('Illegal group reference: group index is missing', 'syntax');
  if (replacement[from] === '{') {
    const end = replacement.indexOf('}', from);
    if (end < 0) throw fail("named capturing group is missing trailing '}'", 'syntax');
    return [{ name: replacement.slice(from + 1, end) }, end + 1];
  }
  if (!DIGIT.test(replacement[from]!)) throw fail('Illegal group reference', 'syntax');
  let group = Number(replacement[from]);
  let end = from + 1;
  // Further digits belong to the number as long as there is such a group.
  while (
    end < replacement.length &&
    DIGIT.test(replacement[end]!) &&
    group * 10 + Number(replacement[end]) <= groupCount
  )
    group = group * 10 + Number(replacement[end++]);
  if (group > groupCount) throw fail(`No group ${group}`, 'group');
  return [{ group }, end];
}

/** Returns what a replacement puts in the place of the match at which a matcher stands. */
export function filledReplacement(parts: readonly ReplacementPart[], matcher: TextMatcher): string {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else text += ('group' in part ? matcher.group(part.group) : matcher.group(part.name)) ?? '';
  }
  return text;
}

/**
 * Splits a text at the matches of a matcher that stands before it, as Java's `Pattern.split`: an empty match at the
 * beginning gives no empty text; empty texts at the end are left out without a limit, which is 0.
 */
export function splitAtMatches(matcher: TextMatcher, text: string, limit = 0): string[] {
  const parts: string[] = [];
  let last = 0;
  while ((limit <= 0 || parts.length < limit - 1) && matcher.find()) {
    const end = matcher.end();
    if (end === 0) continue;
    parts.push(text.slice(last, matcher.start()));
    last = end;
  }
  if (parts.length === 0) return [text];
  parts.push(text.slice(last));
  if (limit === 0) while (parts.length > 0 && parts.at(-1) === '') parts.pop();
  return parts;
}

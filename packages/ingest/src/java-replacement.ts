import { errors } from '@shoal/errors';
import type { RE2JS } from 're2js';

type Part = string | { readonly group: number } | { readonly name: string };

const DIGIT = /\d/;

/**
 * Replaces all matches as Java's `Matcher.replaceAll`: `$1` and `${name}` are groups, `$0` is the match, a backslash
 * takes the next character as it is. `charge` is told the length of each inserted text before the result is made.
 */
export function replaceAllAsJava(
  pattern: RE2JS,
  text: string,
  replacement: string,
  charge: (bytes: number) => void,
): string {
  const matcher = pattern.matcher(text);
  let parts: readonly Part[] | null = null;
  const pieces: string[] = [];
  let at = 0;
  while (matcher.find()) {
    parts ??= partsOf(replacement, matcher.groupCount());
    let inserted = '';
    for (const part of parts) {
      if (typeof part === 'string') inserted += part;
      else inserted += ('group' in part ? matcher.group(part.group) : matcher.group(part.name)) ?? '';
    }
    charge(inserted.length);
    pieces.push(text.slice(at, matcher.start()), inserted);
    at = matcher.end();
  }
  return at === 0 && pieces.length === 0 ? text : pieces.join('') + text.slice(at);
}

function partsOf(replacement: string, groupCount: number): Part[] {
  const parts: Part[] = [];
  for (let i = 0; i < replacement.length; i++) {
    const char = replacement[i]!;
    if (char === '\\') {
      i++;
      if (i === replacement.length) throw errors.illegalArgument('character to be escaped is missing');
      parts.push(replacement[i]!);
    } else if (char === '$') {
      const [part, end] = groupAt(replacement, i + 1, groupCount);
      parts.push(part);
      i = end - 1;
    } else parts.push(char);
  }
  return parts;
}

/** Reads what stands behind a dollar sign; returns the group and where it ends. */
function groupAt(replacement: string, from: number, groupCount: number): [part: Part, end: number] {
  if (from === replacement.length) throw errors.illegalArgument('Illegal group reference: group index is missing');
  if (replacement[from] === '{') {
    const end = replacement.indexOf('}', from);
    if (end < 0) throw errors.illegalArgument("named capturing group is missing trailing '}'");
    return [{ name: replacement.slice(from + 1, end) }, end + 1];
  }
  if (!DIGIT.test(replacement[from]!)) throw errors.illegalArgument('Illegal group reference');
  let group = Number(replacement[from]);
  let end = from + 1;
  // Further digits belong to the number as long as there is such a group.
  while (
    end < replacement.length &&
    DIGIT.test(replacement[end]!) &&
    group * 10 + Number(replacement[end]) <= groupCount
  )
    group = group * 10 + Number(replacement[end++]);
  if (group > groupCount) throw errors.illegalArgument(`No group ${group}`);
  return [{ group }, end];
}

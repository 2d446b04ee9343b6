import { errors } from '@shoal/errors';
import type { RE2JS } from 're2js';
import { type Pause, resultInTurns } from './steps-in-turns.js';

type Part = string | { readonly group: number } | { readonly name: string };

const DIGIT = /\d/;

/** What replacing asks of its caller. `charge` is told the length of each inserted text before the result is made. */
export interface ReplaceSite {
  readonly charge: (bytes: number) => void;
  readonly pause: Pause;
}

/**
 * Replaces all matches as Java's `Matcher.replaceAll`: `$1` and `${name}` are groups, `$0` is the match, a backslash
 * takes the next character as it is. A promise if the thread was given to others meanwhile.
 */
export function replaceAllAsJava(
  pattern: RE2JS,
  text: string,
  replacement: string,
  { charge, pause }: ReplaceSite,
): string | Promise<string> {
  const matcher = pattern.matcher(text);
  let parts: readonly Part[] | null = null;
  let result = '';
  let at = 0;
  const step = (): boolean => {
    if (!matcher.find()) return false;
    parts ??= partsOf(replacement, matcher.groupCount());
    let inserted = '';
    for (const part of parts) {
      if (typeof part === 'string') inserted += part;
      else inserted += ('group' in part ? matcher.group(part.group) : matcher.group(part.name)) ?? '';
    }
    charge(inserted.length);
    result += text.slice(at, matcher.start()) + inserted;
    at = matcher.end();
    return true;
  };
  return resultInTurns(step, pause, () => (parts === null ? text : result + text.slice(at)));
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

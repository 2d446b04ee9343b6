import { errors } from '@shoal/errors';
import { RE2JS } from 're2js';

/** A regular expression from settings, matched in linear time. Offsets are UTF-16 units. */
export interface UserRegex {
  /** Whether the whole text matches. */
  matches(text: string): boolean;
  /** All matches from the left; each has the [start, end] of its groups, -1 for groups that did not match. */
  findAll(text: string): readonly (readonly (readonly [number, number])[])[];
  /** Replaces all matches or the first; `$1` and `\\$` in the replacement mean the same as in Java. */
  replace(text: string, replacement: string, all: boolean): string;
}

const FLAGS: ReadonlyMap<string, number> = new Map([
  ['CASE_INSENSITIVE', RE2JS.CASE_INSENSITIVE],
  ['DOTALL', RE2JS.DOTALL],
  ['MULTILINE', RE2JS.MULTILINE],
  ['UNICODE_CASE', 0],
  ['UNICODE_CHARACTER_CLASS', 0],
  ['CANON_EQ', 0],
  ['UNIX_LINES', 0],
  ['LITERAL', 0],
  ['COMMENTS', 0],
]);

function parseFlags(text: string): number {
  let flags = 0;
  for (const name of text.split('|').filter((part) => part !== '')) {
    const flag = FLAGS.get(name.toUpperCase());
    if (flag === undefined) throw errors.illegalArgument(`Unknown regex flag [${name}]`);
    flags |= flag;
  }
  return flags;
}

function groupsOf(matcher: {
  groupCount(): number;
  start(group: number): number;
  end(group: number): number;
}): (readonly [number, number])[] {
  const groups: (readonly [number, number])[] = [];
  for (let group = 0; group <= matcher.groupCount(); group++) groups.push([matcher.start(group), matcher.end(group)]);
  return groups;
}

/**
 * Compiles a pattern in Java's dialect, as far as RE2 supports it. Throws illegal_argument_exception, also for
 * look-around and back references.
 */
export function compileRegex(pattern: string, flags: string): UserRegex {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern, parseFlags(flags));
  } catch (error) {
    if (error instanceof Error && error.name === 'ApiError') throw error;
    throw errors.illegalArgument(error instanceof Error ? error.message : String(error));
  }
  return {
    matches: (text) => compiled.matches(text),
    findAll(text) {
      const matcher = compiled.matcher(text);
      const found: (readonly [number, number])[][] = [];
      while (matcher.find()) found.push(groupsOf(matcher));
      return found;
    },
    replace(text, replacement, all) {
      const matcher = compiled.matcher(text);
      return all ? matcher.replaceAll(replacement) : matcher.replaceFirst(replacement);
    },
  };
}

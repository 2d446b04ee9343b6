import { errors } from '@shoal/errors';
import { isObject } from '../java-values.js';
import { RecentMap } from '../recent-map.js';
import { type Pause, resultInTurns } from '../steps-in-turns.js';
import { withinTime } from '../time-guard.js';
import { requiredLiterals } from './required-literals.js';

/** Texts whose results are kept. */
const CACHE_MAX = 1000;
/** Length of texts, in units, from which on the time of matching is bounded; such texts are not kept. */
const LONG_TEXT = 1024;

/** Length of texts from which on all expressions together take too long at a stretch, and how many of them do not. */
const HUGE_TEXT = 64 * 1024;
const MATCHERS_IN_TURN = 50;

/** A name with up to four parts of a version; a part is null if the text does not tell it. */
export interface VersionedName {
  readonly name: string;
  readonly version: readonly (string | null)[];
}

/** What a text of a user agent tells; null for what no expression recognized. */
export interface UserAgent {
  readonly agent: VersionedName | null;
  readonly os: VersionedName | null;
  readonly device: VersionedName | null;
}

/** Recognizes user agents by a list of expressions. */
export interface UserAgentParser {
  /** Throws illegal_argument_exception if a long text takes too long. */
  parse(text: string): UserAgent;
  /** As `parse`; a promise if the thread was given to others meanwhile, which only texts of many kilobytes need. */
  parseInTurns(text: string, pause: Pause): UserAgent | Promise<UserAgent>;
}

interface Matcher {
  /** Texts of which one is in every match, lower-cased; most expressions are decided by them. Empty: not known. */
  readonly literals: readonly string[];
  readonly match: (text: string) => VersionedName | null;
}

/**
 * Makes a parser of the lists `user_agent_parsers`, `os_parsers` and `device_parsers` of a file in the format of
 * uap-core. Expressions are compiled when they are first needed. Throws for another format.
 */
export function userAgentParser(regexes: unknown): UserAgentParser {
  if (!isObject(regexes)) throw errors.parse('not a valid regular expression file');
  const agents = matchers(regexes['user_agent_parsers'], 'family_replacement', 'v');
  const systems = matchers(regexes['os_parsers'], 'os_replacement', 'os_v');
  const devices = matchers(regexes['device_parsers'], 'device_replacement', null);
  const cache = new RecentMap<string, UserAgent>(CACHE_MAX);
  const parse = (text: string): UserAgent => {
    const lower = text.toLowerCase();
    return {
      agent: firstMatch(agents, text, lower),
      os: firstMatch(systems, text, lower),
      device: firstMatch(devices, text, lower),
    };
  };
  const withBound = withinTime(parse, 'user agent matching');
  const lists = [agents, systems, devices];
  const parser: UserAgentParser = {
    parse(text) {
      if (text.length > LONG_TEXT) return withBound(text);
      const known = cache.get(text);
      if (known !== undefined) return known;
      const result = parse(text);
      cache.set(text, result);
      return result;
    },
    parseInTurns: (text, pause) => (text.length > HUGE_TEXT ? parsePieces(lists, text, pause) : parser.parse(text)),
  };
  return parser;
}

/** Finds the first match of each list, some expressions in a turn of the thread. */
function parsePieces(
  lists: readonly (readonly Matcher[])[],
  text: string,
  pause: Pause,
): UserAgent | Promise<UserAgent> {
  const lower = text.toLowerCase();
  const found: (VersionedName | null)[] = [null, null, null];
  let [list, from] = [0, 0];
  const matchSome = withinTime(
    () => firstMatch(lists[list]!.slice(from, from + MATCHERS_IN_TURN), text, lower),
    'user agent matching',
  );
  const step = (): boolean => {
    if (list === lists.length) return false;
    found[list] = matchSome(text);
    from += MATCHERS_IN_TURN;
    if (found[list] !== null || from >= lists[list]!.length) [list, from] = [list + 1, 0];
    return true;
  };
  return resultInTurns(step, pause, () => ({
    agent: found[0] ?? null,
    os: found[1] ?? null,
    device: found[2] ?? null,
  }));
}

function firstMatch(list: readonly Matcher[], text: string, lower: string): VersionedName | null {
  for (const { literals, match } of list) {
    if (literals.length > 0 && !containsOne(lower, literals)) continue;
    const found = match(text);
    if (found !== null) return found;
  }
  return null;
}

function containsOne(text: string, literals: readonly string[]): boolean {
  for (const literal of literals) if (text.includes(literal)) return true;
  return false;
}

/** Makes the matchers of one list; its rows replace parts of a version by the keys `prefix` + 1 to 4. */
function matchers(list: unknown, nameKey: string, prefix: string | null): readonly Matcher[] {
  if (!Array.isArray(list)) return [];
  return list.map((row: unknown): Matcher => {
    const source = isObject(row) ? textOf(row['regex']) : null;
    if (!isObject(row) || source === null) throw errors.parse('not a valid regular expression file');
    const regex = lazyRegex(source, row['regex_flag'] === 'i');
    const name = textOf(row[nameKey]);
    const parts = [1, 2, 3, 4].map((i) => (prefix === null ? null : textOf(row[`${prefix}${i}_replacement`])));
    return {
      literals: requiredLiterals(source),
      match(text) {
        const groups = regex().exec(text);
        return groups && named(groups, name, prefix === null ? [] : parts);
      },
    };
  });
}

const textOf = (value: unknown): string | null => (value === undefined || value === null ? null : String(value));

function lazyRegex(source: string, ignoresCase: boolean): () => RegExp {
  let regex: RegExp | null = null;
  return () => (regex ??= new RegExp(source, ignoresCase ? 'i' : ''));
}

/** As Elasticsearch does, only `$1` of a replacement is replaced, and only in the name. */
function named(groups: RegExpExecArray, replacement: string | null, parts: readonly (string | null)[]) {
  const first = groups[1];
  const name = replacement === null ? (first ?? null) : replacement.replace('$1', (all) => first ?? all);
  if (name === null) return null;
  return { name, version: parts.map((part, i) => part ?? groups[i + 2] ?? null) };
}

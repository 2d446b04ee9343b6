import { classOfLetter, classOfProperty, folding, not, oneCharacter, rangeOf } from './character-tests.js';
import type { PatternReader, RegexFlags } from './pattern-reader.js';
import { type CharacterTest, RegexSyntaxError } from './regex-tree.js';

/** Classes within classes. */
const DEPTH_MAX = 50;

/** Parses a class of characters behind its `[`: unions, intersections by `&&`, classes within it. */
export function parseClass(reader: PatternReader, flags: RegexFlags, depth = 0): CharacterTest {
  if (depth > DEPTH_MAX) throw new RegexSyntaxError('Too many nested character classes');
  const isNegated = reader.takes('^');
  let whole: CharacterTest | null = null;
  let tests: CharacterTest[] = [];
  const close = (): CharacterTest | null => {
    if (tests.length === 0) return whole;
    const [all, before] = [tests, whole];
    const union: CharacterTest = all.length === 1 ? all[0]! : (code) => all.some((test) => test(code));
    return before === null ? union : (code) => before(code) && union(code);
  };
  for (let isFirst = true; ; isFirst = false) {
    if (flags.hasComments) reader.skipComments();
    if (reader.isOver) throw new RegexSyntaxError('Unclosed character class');
    if (!isFirst && reader.takes(']')) break;
    if (reader.takes('&&')) {
      whole = close();
      tests = [];
    } else if (reader.takes('[')) tests.push(parseClass(reader, flags, depth + 1));
    else tests.push(...parseMember(reader, flags));
  }
  const test = close() ?? (() => false);
  return isNegated ? not(test) : test;
}

/** Parses a character, a range, or a class of a letter or a name. */
function parseMember(reader: PatternReader, flags: RegexFlags): CharacterTest[] {
  const fold = folding(flags.ignoresCase, flags.isUnicodeCase);
  if (reader.takes('\\Q')) return [...reader.quoted()].map((one) => oneCharacter(one.codePointAt(0)!, fold));
  const family = takeFamily(reader);
  if (family !== null) return [family];
  const low = takeCharacter(reader);
  const isRange = reader.sees('-') && !reader.sees('-]') && !reader.sees('-[') && !reader.sees('-&&');
  if (!isRange) return [oneCharacter(low, fold)];
  reader.at++;
  if (reader.isOver) throw new RegexSyntaxError('Unclosed character class');
  return [rangeOf(low, takeCharacter(reader), fold)];
}

const takeCharacter = (reader: PatternReader): number => (reader.takes('\\') ? reader.escaped() : reader.code());

/** Takes a class of a letter or a name behind a backslash; null if none comes next. */
export function takeFamily(reader: PatternReader): CharacterTest | null {
  if (!reader.sees('\\')) return null;
  const letter = reader.source[reader.at + 1] ?? '';
  const family = classOfLetter(letter);
  if (family === null && letter !== 'p' && letter !== 'P') return null;
  reader.at += 2;
  if (family !== null) return family;
  const test = classOfProperty(reader.property());
  return letter === 'P' ? not(test) : test;
}

import { currentBudget } from '../../runtime/budget.js';
import { compareTexts } from '../../runtime/comparison.js';
import { textOf } from '../../runtime/java-text.js';
import { Matcher, type Pattern } from '../../runtime/regex.js';
import {
  filledReplacement,
  parseReplacement,
  type ReplacementPart,
  splitAtMatches,
} from '../../runtime/regex/java-replacement.js';
import { illegalArgument, Thrown } from '../../runtime/thrown.js';
import { JavaArray, ScriptObject } from '../../runtime/values.js';
import type { AllowTable, ClassRow } from './class-row.js';
import { type LocaleValue, lowerCase, upperCase } from './locale.js';

/** A text that is being built. */
export class TextBuilder extends ScriptObject {
  readonly javaClass: string = 'java.lang.StringBuilder';
  text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }

  toText(): string {
    return this.text;
  }

  append(part: string): this {
    currentBudget().charge(part.length * 2);
    this.text += part;
    return this;
  }
}

/** The text of a String or of a builder. */
const chars = (value: unknown): string => textOf(value);

function bounds(begin: number, end: number, length: number): Thrown {
  return new Thrown('java.lang.StringIndexOutOfBoundsException', `begin ${begin}, end ${end}, length ${length}`);
}

/** A part of a text. Throws as Java does for places outside of it. */
export function substring(text: string, begin: number, end: number = text.length): string {
  if (begin < 0 || end > text.length || begin > end) throw bounds(begin, end, text.length);
  return text.slice(begin, end);
}

/** The char at a place. Throws as Java does for places outside of the text. */
export function charAt(text: string, index: number): number {
  if (index < 0 || index >= text.length)
    throw new Thrown(
      'java.lang.StringIndexOutOfBoundsException',
      `Index ${index} out of bounds for length ${text.length}`,
    );
  return text.charCodeAt(index);
}

/** Replaces matches of a pattern by what a lambda makes of each. */
function replaceMatches(
  text: string,
  pattern: Pattern,
  replace: (matcher: unknown) => unknown,
  isOnce: boolean,
): string {
  const matcher = new Matcher(pattern, text);
  let result = '';
  let at = 0;
  while (matcher.find()) {
    result += text.slice(at, matcher.start()) + textOf(replace(matcher));
    at = matcher.end();
    currentBudget().charge(result.length);
    if (isOnce) break;
  }
  return result + text.slice(at);
}

function replacementOf({ compiled }: Pattern, by: string, groupCount: number): readonly ReplacementPart[] {
  const parts = parseReplacement(by, groupCount, (told, what) =>
    what === 'group' ? new Thrown('java.lang.IndexOutOfBoundsException', told) : illegalArgument(told),
  );
  for (const part of parts)
    if (typeof part === 'object' && 'name' in part && !Object.hasOwn(compiled.namedGroups(), part.name))
      throw illegalArgument(`No group with name {${part.name}}`);
  return parts;
}

/** Replaces matches by a text with groups, as Java's `Matcher.replaceAll`. */
function replaceBy({ pattern, text }: Matcher, by: string, isOnce: boolean): string {
  const matcher = pattern.matcher(text);
  let parts: readonly ReplacementPart[] | null = null;
  let result = '';
  let at = 0;
  while (matcher.find()) {
    // A replacement that nothing asks for is never read, and may be wrong.
    parts ??= replacementOf(pattern, by, matcher.groupCount());
    const replaced = filledReplacement(parts, matcher);
    currentBudget().charge(2 * (replaced.length + matcher.start() - at));
    result += text.slice(at, matcher.start()) + replaced;
    at = matcher.end();
    if (isOnce) break;
  }
  return result + text.slice(at);
}

function splitBy(pattern: Pattern, text: string, limit: number): JavaArray {
  const parts = splitAtMatches(pattern.matcher(text), text, limit);
  currentBudget().charge(text.length * 2 + parts.length * 16);
  return new JavaArray('java.lang.String', parts);
}

function splitOnToken(text: string, token: string, limit: number): JavaArray {
  if (token === '') throw illegalArgument('token must not be empty');
  const parts: string[] = [];
  let at = 0;
  for (let next = text.indexOf(token); next >= 0; next = text.indexOf(token, at)) {
    if (limit > 0 && parts.length === limit - 1) break;
    parts.push(text.slice(at, next));
    at = next + token.length;
  }
  parts.push(text.slice(at));
  currentBudget().charge(text.length * 2 + parts.length * 16);
  return new JavaArray('java.lang.String', parts);
}

const isSpace = (unit: number): boolean => unit <= 32;

/** Java's `trim`: control characters and spaces only. */
function trim(text: string): string {
  let begin = 0;
  let end = text.length;
  while (begin < end && isSpace(text.charCodeAt(begin))) begin++;
  while (end > begin && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(begin, end);
}

function grown(text: string): string {
  if (text.length > 512) currentBudget().charge(text.length * 2);
  return text;
}

function replaceAllTexts(text: string, from: unknown, to: unknown): string {
  const wanted = chars(from);
  const by = chars(to);
  const matches = wanted === '' ? text.length + 1 : text.split(wanted).length - 1;
  currentBudget().charge((text.length + matches * by.length) * 2);
  return text.replaceAll(wanted, () => by);
}

const charSequenceRow: ClassRow = {
  name: 'java.lang.CharSequence',
  methods: {
    'char charAt(int)': (text: unknown, index: number) => charAt(chars(text), index),
    'int length()': (text: unknown) => chars(text).length,
    'CharSequence subSequence(int,int)': (text: unknown, begin: number, end: number) =>
      substring(chars(text), begin, end),
    'String replaceAll(Pattern,java.util.function.Function)': (
      text: unknown,
      pattern: Pattern,
      replace: () => unknown,
    ) => replaceMatches(chars(text), pattern, replace, false),
    'String replaceFirst(Pattern,java.util.function.Function)': (
      text: unknown,
      pattern: Pattern,
      replace: () => unknown,
    ) => replaceMatches(chars(text), pattern, replace, true),
  },
};

const stringRow: ClassRow = {
  name: 'java.lang.String',
  parents: ['java.lang.CharSequence', 'java.lang.Comparable'],
  constructors: { '()': () => '' },
  statics: {
    'String join(CharSequence,Iterable)': (delimiter: unknown, values: Iterable<unknown>) =>
      grown([...values].map(textOf).join(chars(delimiter))),
    'String valueOf(def)': textOf,
  },
  methods: {
    'int compareTo(String)': compareTexts,
    'int compareToIgnoreCase(String)': (a: string, b: string) =>
      compareTexts(a.toUpperCase().toLowerCase(), b.toUpperCase().toLowerCase()),
    'String concat(String)': (a: string, b: string) => grown(a + b),
    'boolean contains(CharSequence)': (text: string, part: unknown) => text.includes(chars(part)),
    'boolean contentEquals(CharSequence)': (text: string, other: unknown) => text === chars(other),
    'String decodeBase64()': (text: string) => Buffer.from(text, 'base64').toString('utf8'),
    'String encodeBase64()': (text: string) => grown(Buffer.from(text, 'utf8').toString('base64')),
    'boolean endsWith(String)': (text: string, end: string) => text.endsWith(end),
    'boolean equalsIgnoreCase(String)': (a: string, b: string | null) =>
      b !== null && a.toLowerCase() === b.toLowerCase(),
    'int indexOf(String)': (text: string, part: string) => text.indexOf(part),
    'int indexOf(String,int)': (text: string, part: string, from: number) => text.indexOf(part, from),
    'boolean isEmpty()': (text: string) => text === '',
    'int lastIndexOf(String)': (text: string, part: string) => text.lastIndexOf(part),
    'int lastIndexOf(String,int)': (text: string, part: string, from: number) =>
      from < 0 ? -1 : text.lastIndexOf(part, from),
    'boolean regionMatches(int,String,int,int)': (
      text: string,
      at: number,
      other: string,
      from: number,
      length: number,
    ) =>
      at >= 0 &&
      from >= 0 &&
      at + length <= text.length &&
      from + length <= other.length &&
      text.slice(at, at + length) === other.slice(from, from + length),
    'String replace(CharSequence,CharSequence)': replaceAllTexts,
    'String[] splitOnToken(String)': (text: string, token: string) => splitOnToken(text, token, -1),
    'String[] splitOnToken(String,int)': splitOnToken,
    'boolean startsWith(String)': (text: string, start: string) => text.startsWith(start),
    'boolean startsWith(String,int)': (text: string, start: string, at: number) =>
      at >= 0 && text.startsWith(start, at),
    'String substring(int)': (text: string, begin: number) => substring(text, begin),
    'String substring(int,int)': substring,
    'char[] toCharArray()': (text: string) =>
      new JavaArray(
        'char',
        Array.from({ length: text.length }, (_none, i) => text.charCodeAt(i)),
      ),
    'String toLowerCase()': (text: string) => grown(text.toLowerCase()),
    'String toUpperCase()': (text: string) => grown(text.toUpperCase()),
    'String toLowerCase(Locale)': (text: string, locale: LocaleValue) => grown(lowerCase(text, locale)),
    'String toUpperCase(Locale)': (text: string, locale: LocaleValue) => grown(upperCase(text, locale)),
    'boolean regionMatches(boolean,int,String,int,int)': (
      text: string,
      isLoose: boolean,
      at: number,
      other: string,
      otherAt: number,
      length: number,
    ) => {
      if (at < 0 || otherAt < 0 || at + length > text.length || otherAt + length > other.length) return false;
      const [a, b] = [text.slice(at, at + length), other.slice(otherAt, otherAt + length)];
      return a === b || (isLoose && a.toLowerCase() === b.toLowerCase());
    },
    'String trim()': trim,
  },
};

function builderRow(name: string): ClassRow {
  return {
    name,
    parents: ['java.lang.CharSequence'],
    constructors: {
      '()': () => new TextBuilder(''),
      '(CharSequence)': (text: unknown) => new TextBuilder(chars(text)),
    },
    methods: {
      [`${name} append(def)`]: (builder: TextBuilder, part: unknown) => builder.append(textOf(part)),
      [`${name} delete(int,int)`]: (builder: TextBuilder, begin: number, end: number) => {
        builder.text = substring(builder.text, 0, begin) + builder.text.slice(Math.min(end, builder.text.length));
        return builder;
      },
      [`${name} deleteCharAt(int)`]: (builder: TextBuilder, index: number) => {
        charAt(builder.text, index);
        builder.text = builder.text.slice(0, index) + builder.text.slice(index + 1);
        return builder;
      },
      [`${name} insert(int,def)`]: (builder: TextBuilder, at: number, part: unknown) => {
        const rest = substring(builder.text, at);
        builder.text = builder.text.slice(0, at);
        return builder.append(textOf(part) + rest);
      },
      [`${name} reverse()`]: (builder: TextBuilder) => {
        builder.text = [...builder.text].reverse().join('');
        return builder;
      },
      [`${name} replace(int,int,String)`]: (builder: TextBuilder, begin: number, end: number, by: string) => {
        const rest = builder.text.slice(Math.min(end, builder.text.length));
        builder.text = substring(builder.text, 0, begin);
        return builder.append(by + rest);
      },
      'void setCharAt(int,char)': (builder: TextBuilder, index: number, unit: number) => {
        charAt(builder.text, index);
        builder.text = builder.text.slice(0, index) + String.fromCharCode(unit) + builder.text.slice(index + 1);
      },
      'void setLength(int)': (builder: TextBuilder, length: number) => {
        if (length > builder.text.length) builder.append('\0'.repeat(length - builder.text.length));
        else builder.text = builder.text.slice(0, length);
      },
      'int indexOf(String)': (builder: TextBuilder, part: string) => builder.text.indexOf(part),
      'int lastIndexOf(String)': (builder: TextBuilder, part: string) => builder.text.lastIndexOf(part),
      'String substring(int)': (builder: TextBuilder, begin: number) => substring(builder.text, begin),
      'String substring(int,int)': (builder: TextBuilder, begin: number, end: number) =>
        substring(builder.text, begin, end),
    },
  };
}

/** Texts of java.lang and patterns of java.util.regex. */
export const TEXT: AllowTable = [
  charSequenceRow,
  stringRow,
  builderRow('java.lang.StringBuilder'),
  builderRow('java.lang.StringBuffer'),
  {
    name: 'java.util.regex.Pattern',
    statics: { 'String quote(String)': (text: string) => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&') },
    methods: {
      'Matcher matcher(CharSequence)': (pattern: Pattern, text: unknown) => new Matcher(pattern, chars(text)),
      'String pattern()': (pattern: Pattern) => pattern.source,
      'java.util.function.Predicate asPredicate()': (pattern: Pattern) => (text: unknown) =>
        new Matcher(pattern, chars(text)).find(),
      'String[] split(CharSequence)': (pattern: Pattern, text: unknown) => splitBy(pattern, chars(text), 0),
      'String[] split(CharSequence,int)': (pattern: Pattern, text: unknown, limit: number) =>
        splitBy(pattern, chars(text), limit),
    },
  },
  {
    name: 'java.util.regex.Matcher',
    methods: {
      'boolean find()': (matcher: Matcher) => matcher.find(),
      'boolean find(int)': (matcher: Matcher, at: number) => matcher.findFrom(at),
      'boolean matches()': (matcher: Matcher) => matcher.matches(),
      'boolean lookingAt()': (matcher: Matcher) => matcher.lookingAt(),
      'String group()': (matcher: Matcher) => matcher.group(0),
      'String group(int)': (matcher: Matcher, group: number) => matcher.group(group),
      'String namedGroup(String)': (matcher: Matcher, name: string) => matcher.group(name),
      'int groupCount()': (matcher: Matcher) => matcher.groupCount(),
      'int start()': (matcher: Matcher) => matcher.start(),
      'int start(int)': (matcher: Matcher, group: number) => matcher.start(group),
      'int end()': (matcher: Matcher) => matcher.end(),
      'int end(int)': (matcher: Matcher, group: number) => matcher.end(group),
      'Matcher reset()': (matcher: Matcher) => matcher.reset(),
      'Matcher region(int,int)': (matcher: Matcher, start: number, end: number) => matcher.region(start, end),
      'int regionStart()': (matcher: Matcher) => matcher.regionStart,
      'int regionEnd()': (matcher: Matcher) => matcher.regionEnd,
      'boolean hasAnchoringBounds()': () => true,
      'boolean hasTransparentBounds()': () => false,
      'String replaceAll(String)': (matcher: Matcher, by: string) => replaceBy(matcher, by, false),
      'String replaceFirst(String)': (matcher: Matcher, by: string) => replaceBy(matcher, by, true),
    },
  },
];

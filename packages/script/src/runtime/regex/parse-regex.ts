import { folding, isLineEnd, oneCharacter } from './character-tests.js';
import { parseClass, takeFamily } from './parse-class.js';
import { PatternReader, type RegexFlags } from './pattern-reader.js';
import { type Greed, type ParsedRegex, type Place, type RegexNode, RegexSyntaxError, widthOf } from './regex-tree.js';

/** Groups within groups. */
const DEPTH_MAX = 100;
/** Repetitions that a pattern may ask for. */
const REPEAT_MAX = 10_000;

/**
 * Parses a regular expression of Java. Throws RegexSyntaxError. Source of the syntax: the documentation of
 * java.util.regex.Pattern; canonical equivalence, `\X`, `\N{…}` and `\b{g}` are not known.
 */
export function parseRegex(source: string, flags: RegexFlags): ParsedRegex {
  const parser = new Parser(source, flags);
  try {
    return parser.whole();
  } catch (error) {
    if (error instanceof RegexSyntaxError) error.index ??= Math.max(0, parser.place - 1);
    throw error;
  }
}

const PLACES: Readonly<Record<string, Place>> = {
  A: 'textStart',
  z: 'textEnd',
  Z: 'lastLineEnd',
  b: 'wordEdge',
  B: 'noWordEdge',
  G: 'lastMatchEnd',
};

const LOOKS: readonly (readonly [string, { readonly isBehind: boolean; readonly isNegated: boolean }])[] = [
  ['(?=', { isBehind: false, isNegated: false }],
  ['(?!', { isBehind: false, isNegated: true }],
  ['(?<=', { isBehind: true, isNegated: false }],
  ['(?<!', { isBehind: true, isNegated: true }],
];

class Parser {
  readonly #reader: PatternReader;
  readonly #names: Record<string, number> = Object.create(null) as Record<string, number>;
  #flags: RegexFlags;
  #groups = 0;
  #depth = 0;

  constructor(source: string, flags: RegexFlags) {
    this.#reader = new PatternReader(source);
    this.#flags = flags;
  }

  /** How far the pattern is read. */
  get place(): number {
    return this.#reader.at;
  }

  whole(): ParsedRegex {
    const root = this.#choice();
    if (!this.#reader.isOver) throw new RegexSyntaxError("Unmatched closing ')'", Math.max(0, this.#reader.at - 1));
    return { root, groupCount: this.#groups, names: this.#names };
  }

  #choice(): RegexNode {
    if (++this.#depth > DEPTH_MAX) throw new RegexSyntaxError('Too many nested groups');
    const outer = this.#flags;
    const parts = [this.#sequence()];
    while (this.#reader.takes('|')) parts.push(this.#sequence());
    this.#flags = outer;
    this.#depth--;
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts };
  }

  #sequence(): RegexNode {
    const parts: RegexNode[] = [];
    const reader = this.#reader;
    for (;;) {
      if (this.#flags.hasComments) reader.skipComments();
      if (reader.isOver || reader.sees('|') || reader.sees(')')) break;
      if (reader.takes('\\Q')) parts.push(...this.#quoted(reader.quoted()));
      else parts.push(this.#repeated(this.#atom()));
    }
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts };
  }

  /** A quantifier belongs to the last character of a quoted text. */
  #quoted(text: string): RegexNode[] {
    const codes = [...text].map((one) => this.#character(one.codePointAt(0)!));
    const last = codes.pop();
    return last === undefined ? codes : [...codes, this.#repeated(last)];
  }

  #character(code: number): RegexNode {
    const fold = folding(this.#flags.ignoresCase, this.#flags.isUnicodeCase);
    return { kind: 'character', test: oneCharacter(code, fold) };
  }

  #repeated(atom: RegexNode): RegexNode {
    let body = atom;
    for (;;) {
      if (this.#flags.hasComments) this.#reader.skipComments();
      const bounds = this.#bounds();
      if (bounds === null) return body;
      const [min, max] = bounds;
      const greed: Greed = this.#reader.takes('?') ? 'lazy' : this.#reader.takes('+') ? 'possessive' : 'greedy';
      body = { kind: 'repeat', body, min, max, greed };
    }
  }

  #bounds(): readonly [min: number, max: number] | null {
    const reader = this.#reader;
    if (reader.takes('*')) return [0, Infinity];
    if (reader.takes('+')) return [1, Infinity];
    if (reader.takes('?')) return [0, 1];
    if (!reader.sees('{')) return null;
    const match = reader.takesMatch(/\{(\d+)(,(\d*))?\}/y);
    if (match === null) {
      const isBegun = reader.takesMatch(/\{\d+,?\d*/y) !== null;
      throw new RegexSyntaxError(isBegun ? CLOSURE : REPETITION, reader.at);
    }
    const min = Number(match[1]);
    const max = match[2] === undefined ? min : match[3] === '' ? Infinity : Number(match[3]);
    if (max < min || min > REPEAT_MAX || (max !== Infinity && max > REPEAT_MAX))
      throw new RegexSyntaxError('Illegal repetition range');
    return [min, max];
  }

  #atom(): RegexNode {
    const reader = this.#reader;
    if (reader.sees('(')) return this.#group();
    if (reader.takes('[')) return { kind: 'character', test: parseClass(reader, this.#flags) };
    if (reader.takes('.'))
      return { kind: 'character', test: this.#flags.dotMatchesAll ? () => true : (code) => !isLineEnd(code) };
    if (reader.takes('^')) return { kind: 'place', place: this.#flags.isMultiline ? 'lineStart' : 'textStart' };
    if (reader.takes('$')) return { kind: 'place', place: this.#flags.isMultiline ? 'lineEnd' : 'lastLineEnd' };
    if (reader.sees('\\')) return this.#escape();
    const code = reader.code();
    if (code === 123) throw new RegexSyntaxError(REPETITION);
    if ('*+?'.includes(String.fromCodePoint(code)))
      throw new RegexSyntaxError(`Dangling meta character '${String.fromCodePoint(code)}'`);
    return this.#character(code);
  }

  #escape(): RegexNode {
    const reader = this.#reader;
    const family = takeFamily(reader);
    if (family !== null) return { kind: 'character', test: family };
    reader.at++;
    const letter = reader.source[reader.at] ?? '';
    const place = Object.hasOwn(PLACES, letter) ? PLACES[letter] : undefined;
    if (place !== undefined) {
      reader.at++;
      return { kind: 'place', place };
    }
    if (letter === 'R') {
      reader.at++;
      return LINE_BREAK;
    }
    if (letter === 'k') return this.#namedReference();
    if (/[1-9]/.test(letter)) return this.#numberedReference();
    return this.#character(reader.escaped());
  }

  #namedReference(): RegexNode {
    const match = this.#reader.takesMatch(/k<([A-Za-z][A-Za-z0-9]*)>/y);
    if (match === null) throw new RegexSyntaxError("\\k is not followed by '<' for named capturing group");
    const group = this.#names[match[1]!];
    if (group === undefined) throw new RegexSyntaxError(`named capturing group <${match[1]}> does not exist`);
    return this.#reference(group);
  }

  /** Further digits belong to the number as long as there is such a group. */
  #numberedReference(): RegexNode {
    const reader = this.#reader;
    let group = Number(reader.source[reader.at++]);
    for (;;) {
      const digit = /[0-9]/.exec(reader.source[reader.at] ?? '')?.[0];
      if (digit === undefined || group * 10 + Number(digit) > this.#groups) break;
      group = group * 10 + Number(digit);
      reader.at++;
    }
    return this.#reference(group);
  }

  #reference(group: number): RegexNode {
    return { kind: 'reference', group, fold: folding(this.#flags.ignoresCase, this.#flags.isUnicodeCase) };
  }

  #group(): RegexNode {
    const reader = this.#reader;
    for (const [start, look] of LOOKS) if (reader.takes(start)) return this.#look(look);
    if (reader.takes('(?:')) return this.#closed();
    if (reader.takes('(?>')) return { kind: 'atomic', body: this.#closed() };
    const named = reader.takesMatch(/\(\?<([A-Za-z][A-Za-z0-9]*)>/y);
    if (named !== null) return this.#capture(named[1]!);
    if (reader.sees('(?')) return this.#inlineFlags();
    reader.at++;
    return this.#capture(null);
  }

  #capture(name: string | null): RegexNode {
    const number = ++this.#groups;
    if (name !== null && this.#names[name] !== undefined)
      throw new RegexSyntaxError(`Named capturing group <${name}> is already defined`);
    if (name !== null) this.#names[name] = number;
    return { kind: 'group', number, body: this.#closed() };
  }

  #closed(): RegexNode {
    const body = this.#choice();
    if (!this.#reader.takes(')')) throw new RegexSyntaxError('Unclosed group', this.#reader.source.length);
    return body;
  }

  #look(look: { readonly isBehind: boolean; readonly isNegated: boolean }): RegexNode {
    const body = this.#closed();
    if (look.isBehind && widthOf(body)[1] === Infinity)
      throw new RegexSyntaxError('Look-behind group does not have an obvious maximum length');
    return { kind: 'look', body, ...look };
  }

  #inlineFlags(): RegexNode {
    const match = this.#reader.takesMatch(/\(\?([imsxudU]*)(?:-([imsxudU]*))?([:)])/y);
    if (match === null) {
      const isGroup = this.#reader.sees('(?<');
      throw new RegexSyntaxError(
        isGroup ? 'Unknown look-behind group' : 'Unknown inline modifier',
        this.#reader.at + 2,
      );
    }
    const outer = this.#flags;
    const set = withFlags(outer, match[1]!, true);
    this.#flags = withFlags(set, match[2] ?? '', false);
    if (match[3] === ')') return { kind: 'sequence', parts: [] };
    const body = this.#closed();
    this.#flags = outer;
    return body;
  }
}

const REPETITION = 'Illegal repetition';
const CLOSURE = 'Unclosed counted closure';

const LINE_BREAK: RegexNode = {
  kind: 'atomic',
  body: {
    kind: 'choice',
    parts: [
      {
        kind: 'sequence',
        parts: [13, 10].map((code): RegexNode => ({ kind: 'character', test: oneCharacter(code, null) })),
      },
      { kind: 'character', test: (code) => isLineEnd(code) || code === 11 || code === 12 },
    ],
  },
};

const FLAG_NAMES: Readonly<Record<string, keyof RegexFlags>> = {
  i: 'ignoresCase',
  u: 'isUnicodeCase',
  U: 'isUnicodeCase',
  m: 'isMultiline',
  s: 'dotMatchesAll',
  x: 'hasComments',
};

/** Returns flags with those of the letters set or taken off. */
export function withFlags(flags: RegexFlags, letters: string, value: boolean): RegexFlags {
  return [...letters].reduce((all, letter) => {
    const name = FLAG_NAMES[letter];
    return name === undefined ? all : { ...all, [name]: value };
  }, flags);
}

/** No flag set. */
export const NO_FLAGS: RegexFlags = {
  ignoresCase: false,
  isUnicodeCase: false,
  isMultiline: false,
  dotMatchesAll: false,
  hasComments: false,
};

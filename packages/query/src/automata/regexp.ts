import { errors } from '@shoal/errors';
import { ANY_CHAR, charSet, type CharSet, complement, oneChar } from './char-set.js';
import { type Automaton, automatonOf } from './automaton.js';
import { type Expression, Expressions } from './expression.js';
import { REGEXP_FLAGS } from './regexp-flags.js';

/** The automaton of a regular expression in Lucene's syntax, matched against whole terms. Throws for syntax errors. */
export function regexpAutomaton(
  pattern: string,
  flags: number,
  caseInsensitive: boolean,
  statesMax: number,
): Automaton<Expression> {
  const expressions = new Expressions();
  const parser = new RegexpParser(pattern, flags, caseInsensitive, expressions);
  return automatonOf(expressions, parser.parse(), Math.max(2, statesMax));
}

/** Largest bound of an interval. */
const INT_MAX = 2 ** 31 - 1;
const DIGIT: CharSet = [48, 57];
const SPACE: CharSet = charSet([
  [9, 10],
  [12, 13],
  [32, 32],
]);
const WORD: CharSet = charSet([
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
]);

const CLASSES: ReadonlyMap<string, CharSet> = new Map<string, CharSet>([
  ['d', DIGIT],
  ['D', complement(DIGIT)],
  ['s', SPACE],
  ['S', complement(SPACE)],
  ['w', WORD],
  ['W', complement(WORD)],
]);

/** Recursive descent over the grammar in the documentation of Lucene's RegExp class. */
class RegexpParser {
  readonly #chars: readonly string[];
  readonly #flags: number;
  readonly #caseInsensitive: boolean;
  readonly #make: Expressions;
  #at = 0;

  constructor(pattern: string, flags: number, caseInsensitive: boolean, make: Expressions) {
    this.#chars = [...pattern];
    this.#flags = flags;
    this.#caseInsensitive = caseInsensitive;
    this.#make = make;
  }

  parse(): Expression {
    if (this.#chars.length === 0) return this.#make.empty;
    const result = this.#union();
    if (this.#more()) throw this.#fail('end-of-string expected');
    return result;
  }

  #fail(expected: string): Error {
    return errors.illegalArgument(`${expected} at position ${this.#at}`);
  }

  #more(): boolean {
    return this.#at < this.#chars.length;
  }

  #peek(options: string): boolean {
    return this.#more() && options.includes(this.#chars[this.#at]!);
  }

  #match(char: string): boolean {
    if (this.#chars[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #next(): string {
    const char = this.#chars[this.#at];
    if (char === undefined) throw errors.illegalArgument('unexpected end-of-string');
    this.#at++;
    return char;
  }

  #has(flag: number): boolean {
    return (this.#flags & flag) !== 0;
  }

  #union(): Expression {
    const parts = [this.#intersection()];
    while (this.#match('|')) parts.push(this.#intersection());
    return this.#make.or(parts);
  }

  #intersection(): Expression {
    const parts = [this.#concatenation()];
    while (this.#has(REGEXP_FLAGS.INTERSECTION) && this.#match('&')) parts.push(this.#concatenation());
    return parts.length === 1 ? parts[0]! : this.#make.and(parts);
  }

  #concatenation(): Expression {
    const parts = [this.#repetition()];
    while (this.#more() && !this.#peek(')|') && !(this.#has(REGEXP_FLAGS.INTERSECTION) && this.#peek('&')))
      parts.push(this.#repetition());
    return parts.reduceRight((rest, part) => this.#make.concat(part, rest), this.#make.empty);
  }

  #repetition(): Expression {
    let part = this.#complement();
    while (this.#peek('?*+{')) {
      if (this.#match('?')) part = this.#make.repeat(part, 0, 1);
      else if (this.#match('*')) part = this.#make.repeat(part, 0, Infinity);
      else if (this.#match('+')) part = this.#make.concat(part, this.#make.repeat(part, 0, Infinity));
      else part = this.#counted(part);
    }
    return part;
  }

  #counted(part: Expression): Expression {
    this.#at++;
    const min = this.#integer();
    let max = min;
    if (this.#match(',')) max = this.#peek('0123456789') ? this.#integer() : Infinity;
    if (!this.#match('}')) throw this.#fail("expected '}'");
    if (max < min) throw errors.illegalArgument(`invalid repetition range(out of order): ${min}..${max}`);
    if (max !== Infinity) return this.#make.repeat(part, min, max);
    return this.#make.concat(this.#make.repeat(part, min, min), this.#make.repeat(part, 0, Infinity));
  }

  #integer(): number {
    const start = this.#at;
    while (this.#peek('0123456789')) this.#at++;
    if (start === this.#at) throw this.#fail('integer expected');
    return Number(this.#chars.slice(start, this.#at).join(''));
  }

  #complement(): Expression {
    if (this.#has(REGEXP_FLAGS.COMPLEMENT) && this.#match('~')) return this.#make.not(this.#complement());
    return this.#charClass();
  }

  #charClass(): Expression {
    if (!this.#match('[')) return this.#simple();
    const negated = this.#match('^');
    const ranges: (readonly [number, number])[] = [];
    do this.#classRange(ranges);
    while (this.#more() && !this.#peek(']'));
    if (!this.#match(']')) throw this.#fail("expected ']'");
    const set = charSet(ranges);
    return this.#make.chars(negated ? complement(set) : set);
  }

  #classRange(into: (readonly [number, number])[]): void {
    const predefined = this.#predefined();
    if (predefined !== null) {
      for (let i = 0; i < predefined.length; i += 2) into.push([predefined[i]!, predefined[i + 1]!]);
      return;
    }
    const low = this.#char();
    if (!this.#match('-')) {
      const set = oneChar(low, this.#caseInsensitive);
      for (let i = 0; i < set.length; i += 2) into.push([set[i]!, set[i + 1]!]);
      return;
    }
    into.push([low, this.#chars[this.#at] === ']' ? this.#dash(into) : this.#char()]);
  }

  /** `[a-]`: the dash stands for itself. */
  #dash(into: (readonly [number, number])[]): number {
    into.push([45, 45]);
    return into[0]![0];
  }

  #predefined(): CharSet | null {
    if (this.#chars[this.#at] !== '\\') return null;
    const set = CLASSES.get(this.#chars[this.#at + 1] ?? '');
    if (set === undefined) return null;
    this.#at += 2;
    return set;
  }

  #char(): number {
    this.#match('\\');
    return this.#next().codePointAt(0)!;
  }

  #simple(): Expression {
    if (this.#match('.')) return this.#make.chars(ANY_CHAR);
    if (this.#has(REGEXP_FLAGS.EMPTY) && this.#match('#')) return this.#make.none;
    if (this.#has(REGEXP_FLAGS.ANYSTRING) && this.#match('@')) return this.#make.anything;
    if (this.#match('"')) return this.#quoted();
    if (this.#match('(')) return this.#group();
    if ((this.#has(REGEXP_FLAGS.AUTOMATON) || this.#has(REGEXP_FLAGS.INTERVAL)) && this.#match('<'))
      return this.#interval();
    const predefined = this.#predefined();
    return this.#make.chars(predefined ?? oneChar(this.#char(), this.#caseInsensitive));
  }

  #quoted(): Expression {
    const start = this.#at;
    while (this.#more() && !this.#peek('"')) this.#at++;
    const text = this.#chars.slice(start, this.#at);
    if (!this.#match('"')) throw this.#fail("expected '\"'");
    return text.reduceRight(
      (rest, char) => this.#make.concat(this.#make.chars(oneChar(char.codePointAt(0)!, this.#caseInsensitive)), rest),
      this.#make.empty,
    );
  }

  #group(): Expression {
    if (this.#match(')')) return this.#make.empty;
    const inner = this.#union();
    if (!this.#match(')')) throw this.#fail("expected ')'");
    return inner;
  }

  #interval(): Expression {
    const start = this.#at;
    while (this.#more() && !this.#peek('>')) this.#at++;
    const text = this.#chars.slice(start, this.#at).join('');
    if (!this.#match('>')) throw this.#fail("expected '>'");
    const bounds = /^(\d+)-(\d+)$/.exec(text);
    // Bounds are Java ints, as in Lucene.
    if (bounds === null || Number(bounds[1]) > INT_MAX || Number(bounds[2]) > INT_MAX)
      throw errors.illegalArgument(
        text.includes('-') ? `interval syntax error at position ${this.#at - 1}` : `'${text}' not found`,
      );
    return this.#numbers(bounds[1]!, bounds[2]!);
  }

  /** All numbers between two; with leading zeros when both bounds are written with the same number of digits. */
  #numbers(from: string, to: string): Expression {
    const [low, high] = Number(from) <= Number(to) ? [from, to] : [to, from];
    const digits = low.length === high.length ? low.length : 0;
    if (digits > 0) return this.#fixedWidth(low, high);
    const parts: Expression[] = [];
    for (let width = String(Number(low)).length; width <= high.length; width++) {
      const least = width === String(Number(low)).length ? String(Number(low)) : `1${'0'.repeat(width - 1)}`;
      parts.push(this.#fixedWidth(least, width === high.length ? high : '9'.repeat(width)));
    }
    return this.#make.concat(this.#make.repeat(this.#make.chars([48, 48]), 0, Infinity), this.#make.or(parts));
  }

  #fixedWidth(low: string, high: string): Expression {
    const rest = low.length - 1;
    if (rest < 0) return this.#make.empty;
    // Split like other intervals, it would be two of one digit less: the work would double with each digit.
    if (/^0+$/.test(low) && /^9+$/.test(high)) return this.#make.repeat(this.#make.chars([48, 57]), rest + 1, rest + 1);
    const [a, b] = [low.charCodeAt(0), high.charCodeAt(0)];
    const digit = (from: number, to: number): Expression =>
      from > to ? this.#make.none : this.#make.chars([from, to]);
    if (a === b) return this.#make.concat(digit(a, a), this.#fixedWidth(low.slice(1), high.slice(1)));
    return this.#make.or([
      this.#make.concat(digit(a, a), this.#fixedWidth(low.slice(1), '9'.repeat(rest))),
      this.#make.concat(digit(a + 1, b - 1), this.#make.repeat(digit(48, 57), rest, rest)),
      this.#make.concat(digit(b, b), this.#fixedWidth('0'.repeat(rest), high.slice(1))),
    ]);
  }
}

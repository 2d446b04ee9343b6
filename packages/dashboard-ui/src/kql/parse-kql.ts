/** A word, a phrase or a pattern of a query. */
export interface KqlLiteral {
  /** Parts between the asterisks that stand for anything; a single one if there is none. */
  readonly pieces: readonly string[];
  /** Whether it was within quotes: a phrase. */
  readonly isQuoted: boolean;
}

/** Comparison of a field with a value. */
export type KqlComparison = 'gt' | 'gte' | 'lt' | 'lte';

/** A parsed query. */
export type Kql =
  | { readonly kind: 'all' }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Kql[] }
  | { readonly kind: 'not'; readonly part: Kql }
  /** `field: value`; a null field means every field. */
  | { readonly kind: 'is'; readonly field: KqlLiteral | null; readonly value: KqlLiteral }
  | {
      readonly kind: 'range';
      readonly field: KqlLiteral;
      readonly comparison: KqlComparison;
      readonly value: KqlLiteral;
    }
  /** `path: { … }`: all of it within one object of a nested field. */
  | { readonly kind: 'nested'; readonly path: string; readonly part: Kql };

/** Text that is no query: where it stops being one, and what could be there. */
export class KqlError extends Error {
  override readonly name = 'KqlError';
  /** Position of the fault in the text, from 0. */
  readonly at: number;

  constructor(at: number, expected: string, found: string) {
    super(`Expected ${expected} at position ${at + 1}, but found ${found}.`);
    this.at = at;
  }
}

/** Deepest nesting of parentheses, braces and `not`. */
const DEPTH_MAX = 100;
const COMPARISONS: Readonly<Record<string, KqlComparison>> = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte' };
const SPACE = /\s/;
const SPECIAL = '():<>"{}';
const KEYWORD = /(?:and|or|not)(?=[\s()"]|$)/iy;
const ESCAPES: Readonly<Record<string, string>> = { t: '\t', r: '\r', n: '\n' };

/** The text of a literal, asterisks included. */
export const literalText = ({ pieces }: KqlLiteral): string => pieces.join('*');

/** Whether the literal is a single asterisk: anything at all. */
export const isAnything = ({ pieces, isQuoted }: KqlLiteral): boolean => !isQuoted && /^\*+$/.test(pieces.join('*'));

/**
 * Parses the Kibana Query Language. `not` binds first, then `and`, then `or`; an empty text matches everything.
 * Throws KqlError.
 */
export function parseKql(text: string): Kql {
  const parser = new KqlParser(text);
  return parser.query();
}

class KqlParser {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  query(): Kql {
    this.skipSpace();
    if (this.isAtEnd()) return { kind: 'all' };
    const whole = this.or(0, this.clause);
    if (!this.isAtEnd()) throw this.fault('"and", "or" or the end');
    return whole;
  }

  or(depth: number, operand: (depth: number) => Kql): Kql {
    return this.chain('or', () => this.chain('and', () => this.not(depth, operand)));
  }

  chain(kind: 'and' | 'or', operand: () => Kql): Kql {
    const parts = [operand()];
    while (this.takeKeyword(kind)) parts.push(operand());
    return parts.length === 1 ? parts[0]! : { kind, parts };
  }

  not(depth: number, operand: (depth: number) => Kql): Kql {
    if (depth > DEPTH_MAX) throw this.fault(`at most ${DEPTH_MAX} levels`);
    if (this.takeKeyword('not')) return { kind: 'not', part: this.not(depth + 1, operand) };
    if (!this.take('(')) return operand.call(this, depth);
    const inner = this.or(depth + 1, operand);
    this.expect(')');
    return inner;
  }

  /** `field: …`, `field > …` or a value alone. */
  clause(depth: number): Kql {
    const literal = this.literal('a field, a value or "("');
    if (this.take(':')) {
      if (this.take('{')) return this.nested(literal, depth);
      return this.fieldValues(literal, depth);
    }
    const sign = /[<>]=?/y;
    sign.lastIndex = this.at;
    const found = sign.exec(this.text)?.[0];
    if (found === undefined) return { kind: 'is', field: null, value: literal };
    this.at += found.length;
    this.skipSpace();
    return { kind: 'range', field: literal, comparison: COMPARISONS[found]!, value: this.literal('a value') };
  }

  nested(path: KqlLiteral, depth: number): Kql {
    const part = this.or(depth + 1, this.clause);
    this.expect('}');
    return { kind: 'nested', path: literalText(path), part };
  }

  /** `v`, or `(a or b and not c)`: each value is compared with the field. */
  fieldValues(field: KqlLiteral, depth: number): Kql {
    const value = (): Kql => ({ kind: 'is', field, value: this.literal('a value') });
    if (!this.take('(')) return value();
    const inner = this.or(depth + 1, value);
    this.expect(')');
    return inner;
  }

  literal(expected: string): KqlLiteral {
    if (this.text[this.at] === '"') return this.quoted();
    const from = this.at;
    const pieces = [''];
    const add = (chars: string): void => void (pieces[pieces.length - 1] += chars);
    while (!this.isAtEnd() && !SPECIAL.includes(this.text[this.at]!) && !this.isAtKeyword(from)) {
      const char = this.text[this.at]!;
      if (char === '\\') add(this.escaped());
      else {
        this.at++;
        if (char === '*') pieces.push('');
        else add(char);
      }
    }
    if (this.text.slice(from, this.at).trim() === '') throw this.fault(expected);
    pieces[pieces.length - 1] = pieces.at(-1)!.trimEnd();
    return { pieces, isQuoted: false };
  }

  /** The words `and`, `or` and `not` end a value only as words of their own. */
  isAtKeyword(from: number): boolean {
    if (this.at > from && !SPACE.test(this.text[this.at - 1]!)) return false;
    KEYWORD.lastIndex = this.at;
    return KEYWORD.test(this.text);
  }

  quoted(): KqlLiteral {
    const from = this.at++;
    let inner = '';
    while (!this.isAtEnd() && this.text[this.at] !== '"')
      inner += this.text[this.at] === '\\' ? this.escaped() : this.text[this.at++]!;
    if (this.isAtEnd()) throw new KqlError(this.at, `a quote that ends the one at position ${from + 1}`, 'the end');
    this.at++;
    this.skipSpace();
    return { pieces: [inner], isQuoted: true };
  }

  /** `\*`, `\"`, `\and`, `\n`, `\u00e4`. */
  escaped(): string {
    const unicode = /\\u([0-9a-fA-F]{4})/y;
    unicode.lastIndex = this.at;
    const code = unicode.exec(this.text)?.[1];
    if (code !== undefined) {
      this.at += 6;
      return String.fromCharCode(Number.parseInt(code, 16));
    }
    const char = this.text[this.at + 1];
    if (char === undefined) throw new KqlError(this.at + 1, 'a character after the backslash', 'the end');
    this.at += 2;
    return ESCAPES[char] ?? char;
  }

  takeKeyword(word: string): boolean {
    KEYWORD.lastIndex = this.at;
    if (KEYWORD.exec(this.text)?.[0].toLowerCase() !== word) return false;
    this.at += word.length;
    this.skipSpace();
    return true;
  }

  take(char: string): boolean {
    if (this.text[this.at] !== char) return false;
    this.at++;
    this.skipSpace();
    return true;
  }

  expect(char: string): void {
    if (!this.take(char)) throw this.fault(`"${char}"`);
    this.skipSpace();
  }

  skipSpace(): void {
    while (!this.isAtEnd() && SPACE.test(this.text[this.at]!)) this.at++;
  }

  isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  fault(expected: string): KqlError {
    const word = /[\s\S]\w*/uy;
    word.lastIndex = this.at;
    const found = word.exec(this.text)?.[0];
    return new KqlError(this.at, expected, found === undefined ? 'the end' : `"${found.slice(0, 20)}"`);
  }
}

import { RegexSyntaxError } from './regex-tree.js';

/** Flags of a pattern that hold from one place of it on. */
export interface RegexFlags {
  readonly ignoresCase: boolean;
  readonly isUnicodeCase: boolean;
  readonly isMultiline: boolean;
  readonly dotMatchesAll: boolean;
  readonly hasComments: boolean;
}

const ESCAPED: Readonly<Record<string, number>> = { t: 9, n: 10, r: 13, f: 12, a: 7, e: 27 };
/** Escapes of a number: letter, digits, words of Java for what is none. */
const NUMBERS: readonly (readonly [RegExp, string])[] = [
  [/x\{([0-9a-fA-F]{1,6})\}/y, 'Illegal hexadecimal escape sequence'],
  [/x([0-9a-fA-F]{2})/y, 'Illegal hexadecimal escape sequence'],
  [/u([0-9a-fA-F]{4})/y, 'Illegal Unicode escape sequence'],
];
const OCTAL = /0([0-3][0-7]{0,2}|[0-7]{1,2})/y;

/** Reads a pattern from left to right. */
export class PatternReader {
  readonly source: string;
  at = 0;

  constructor(source: string) {
    this.source = source;
  }

  get isOver(): boolean {
    return this.at >= this.source.length;
  }

  /** Whether a text comes next. */
  sees(text: string): boolean {
    return this.source.startsWith(text, this.at);
  }

  /** Takes a text if it comes next. */
  takes(text: string): boolean {
    if (!this.sees(text)) return false;
    this.at += text.length;
    return true;
  }

  /** Takes what an expression with the flag `y` matches here; null if it does not. */
  takesMatch(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at;
    const match = expression.exec(this.source);
    if (match !== null) this.at = expression.lastIndex;
    return match;
  }

  /** Takes the next character. */
  code(): number {
    const code = this.source.codePointAt(this.at)!;
    this.at += code > 0xffff ? 2 : 1;
    return code;
  }

  /** Takes white space and comments. */
  skipComments(): void {
    this.takesMatch(/(?:\s|#[^\n]*)*/y);
  }

  /** Takes the rest of an escape of one character, behind its backslash. */
  escaped(): number {
    if (this.isOver) throw new RegexSyntaxError('Unexpected internal error');
    const letter = this.source[this.at]!;
    if (Object.hasOwn(ESCAPED, letter)) {
      this.at++;
      return ESCAPED[letter]!;
    }
    if (letter === 'x' || letter === 'u') return this.#number(letter);
    if (letter === '0') {
      const octal = this.takesMatch(OCTAL);
      if (octal === null) throw new RegexSyntaxError('Illegal octal escape sequence');
      return Number.parseInt(octal[1]!, 8);
    }
    if (letter === 'c') {
      if (this.at + 1 >= this.source.length) throw new RegexSyntaxError('Illegal control escape sequence');
      this.at += 2;
      return this.source.charCodeAt(this.at - 1) ^ 64;
    }
    if (/[A-Za-z]/.test(letter)) throw new RegexSyntaxError('Illegal/unsupported escape sequence');
    return this.code();
  }

  #number(letter: string): number {
    const forms = NUMBERS.filter(([form]) => form.source.startsWith(letter));
    for (const [form] of forms) {
      const match = this.takesMatch(form);
      const code = match === null ? -1 : Number.parseInt(match[1]!, 16);
      if (code >= 0 && code <= 0x10ffff) return code;
    }
    throw new RegexSyntaxError(forms[0]![1]);
  }

  /** Takes the name behind `\p` or `\P`. */
  property(): string {
    const match = this.takesMatch(/\{([^}]*)\}|([A-Za-z])/y);
    if (match === null) throw new RegexSyntaxError('Unclosed character family');
    return match[1] ?? match[2]!;
  }

  /** Takes a quoted text behind `\Q`, to its `\E` or to the end. */
  quoted(): string {
    const end = this.source.indexOf('\\E', this.at);
    const text = this.source.slice(this.at, end < 0 ? undefined : end);
    this.at = end < 0 ? this.source.length : end + 2;
    return text;
  }
}

import { atLine } from './template-error.js';

/** A tag: what stands between its delimiters, of which `sign` is the first character if mustache gives it a meaning. */
export interface Tag {
  readonly sign: string;
  /** The name: trimmed, without the sign. */
  readonly name: string;
}

const SIGNS = '#^/<>$!&%={';
const isBlank = (char: string): boolean => char === ' ' || char === '\t';

/**
 * Reads a template from its start to its end: lines of text and tags. Throws what `fail` makes of a reason.
 */
export class TemplateScanner {
  readonly #source: string;
  readonly #fail: (reason: string) => Error;
  #at = 0;
  /** Offset from which a column is counted: start of the line or of the section. */
  #columnStart = 0;
  #open = '{{';
  #close = '}}';
  /** Number of the line, from 1. */
  line = 1;

  constructor(source: string, fail: (reason: string) => Error) {
    this.#source = source;
    this.#fail = fail;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  /** Counts columns of errors from here on, as at the start of a section. */
  startSection(): void {
    this.#columnStart = this.#at;
  }

  /** Reads a line break, `\n` or `\r\n`; null if none is next. */
  takeLineBreak(): string | null {
    const text = this.#source.startsWith('\r\n', this.#at) ? '\r\n' : this.#source[this.#at] === '\n' ? '\n' : null;
    if (text === null) return null;
    this.#at += text.length;
    this.#columnStart = this.#at;
    this.line++;
    return text;
  }

  /** Reads the text before the next tag, line break, or the end. Empty if one of them is next. */
  takeText(): { readonly text: string; readonly isBlank: boolean } {
    const from = this.#at;
    let blank = true;
    while (!this.isAtEnd && !this.#source.startsWith(this.#open, this.#at) && !this.#isLineBreak()) {
      blank &&= isBlank(this.#source[this.#at]!);
      this.#at++;
    }
    return { text: this.#source.slice(from, this.#at), isBlank: blank };
  }

  /** Reads the tag that is next. */
  takeTag(): Tag {
    this.#at += this.#open.length;
    const found = this.#source.indexOf(this.#close, this.#at);
    const inner = this.#source.slice(this.#at, found < 0 ? undefined : found);
    if (inner === '') throw this.#fail(`Empty mustache ${atLine(this.line)}`);
    const sign = SIGNS.includes(inner[0]!) ? inner[0]! : '';
    // Tags with a sign may end with the template: that of a section then fails because the section is not closed.
    if (found < 0 && sign === '') throw this.#fail(`Improperly closed variable ${atLine(this.line)}`);
    this.#at = found < 0 ? this.#source.length : found + this.#close.length;
    return { sign, name: sign === '{' ? this.#tripleName(inner.slice(1)) : inner.slice(sign.length).trim() };
  }

  /** Sets the delimiters to those of a tag such as `{{=<% %>=}}`, each one or two characters long. */
  setDelimiters(name: string): void {
    const text = name.endsWith('=') ? name.slice(0, -1).trim() : name;
    const [open, close, ...more] = text.split(/\s+/);
    if (!open || !close || more.length > 0 || open.length > 2 || close.length > 2)
      throw this.#fail(`Invalid delimiter string: ${text} ${atLine(this.line)}`);
    this.#open = open;
    this.#close = close;
  }

  /** The name of `{{{name}}}`, whose third closing brace is read here; with other delimiters it is part of the tag. */
  #tripleName(inner: string): string {
    if (this.#close !== '}}') return inner.replace(/\}$/, '').trim();
    if (this.#source[this.#at] !== '}') {
      const column = this.#at - this.#columnStart;
      throw this.#fail(
        `Improperly closed variable: ${inner.trim()} in query-template:${this.line}@${column} ${atLine(this.line)}`,
      );
    }
    this.#at++;
    return inner.trim();
  }

  #isLineBreak(): boolean {
    const char = this.#source[this.#at];
    return char === '\n' || (char === '\r' && this.#source[this.#at + 1] === '\n');
  }
}

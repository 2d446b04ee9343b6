import { readVariable, type Variable } from './variable.js';

/** A part of the text of an expression; the end of the text is the last. */
export interface Token {
  readonly kind: 'operator' | 'number' | 'variable' | 'end';
  /** As written; `<EOF>` for the end. */
  readonly text: string;
  readonly at: number;
  /** What a token of the kind `variable` names. */
  readonly variable: Variable | null;
}

/** A fault in the text of an expression, at an offset. */
export class ExpressionFault extends Error {
  readonly at: number;

  constructor(at: number, told: string) {
    super(told);
    this.at = at;
  }
}

const SPACE = /[ \t\r\n]*/y;
const NUMBER = /0[xX][0-9a-fA-F]+|0[0-7]+|(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;
const OPERATOR = />>>|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>&^|?:!~(),]/y;
/** Characters of which a token begins only with more behind them. */
const BEGINNING = '.=';

/** Reads the token at or behind an offset. Throws ExpressionFault where none begins. */
export function tokenAt(source: string, from: number): Token {
  const at = from + matched(SPACE, source, from)!.length;
  if (at >= source.length) return { kind: 'end', text: '<EOF>', at: source.length, variable: null };
  const number = matched(NUMBER, source, at);
  if (number !== null) return { kind: 'number', text: number, at, variable: null };
  const operator = matched(OPERATOR, source, at);
  if (operator !== null) return { kind: 'operator', text: operator, at, variable: null };
  const read = readVariable(source, at);
  if (read === null) throw unexpectedCharacter(source, at);
  return { kind: 'variable', text: source.slice(at, at + read.length), at, variable: read.variable };
}

/** Tells a line, from 1, and a place in it, from 0, as Lucene's parser does. */
export function placeOf(source: string, at: number): string {
  const lines = source.slice(0, at).split('\n');
  return `on line (${lines.length}) position (${lines.at(-1)!.length})`;
}

function unexpectedCharacter(source: string, at: number): ExpressionFault {
  const shown = source.slice(at, at + (BEGINNING.includes(source[at]!) ? 2 : 1));
  return new ExpressionFault(at, `unexpected character '${shown}' ${placeOf(source, at)}`);
}

function matched(pattern: RegExp, source: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? null;
}

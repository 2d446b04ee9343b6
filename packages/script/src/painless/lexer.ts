import { type SyntaxFailure, syntaxError } from './syntax-error.js';

/** Kinds of tokens. An operator, a separator and a reserved word is its own kind. */
export type TokenKind =
  | 'id'
  | 'primitive'
  | 'def'
  | 'integer'
  | 'hex'
  | 'octal'
  | 'decimal'
  | 'text'
  | 'regex'
  | 'end'
  | 'mark'
  | 'word';

/** A token: its text (a string's without its quotes), offsets of its first unit and of the one behind it. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly at: number;
  readonly end: number;
}

const WORDS: ReadonlySet<string> = new Set([
  'if',
  'in',
  'else',
  'while',
  'do',
  'for',
  'continue',
  'break',
  'return',
  'new',
  'try',
  'catch',
  'throw',
  'this',
  'instanceof',
  'true',
  'false',
  'null',
]);
const PRIMITIVES: ReadonlySet<string> = new Set(['boolean', 'byte', 'short', 'char', 'int', 'long', 'float', 'double']);

/** Operators and separators; longer ones stand before their beginnings. */
const MARKS = [
  '>>>=',
  '===',
  '!==',
  '==~',
  '<<=',
  '>>=',
  '>>>',
  '?.',
  '?:',
  '::',
  '->',
  '==',
  '!=',
  '=~',
  '<=',
  '>=',
  '&&',
  '||',
  '++',
  '--',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '&=',
  '^=',
  '|=',
  '<<',
  '>>',
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  '.',
  ',',
  ';',
  '!',
  '~',
  '*',
  '/',
  '%',
  '+',
  '-',
  '<',
  '>',
  '&',
  '^',
  '|',
  '?',
  ':',
  '=',
] as const;

const SPACE = /(?:\s+|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)+/y;
/** `$` is the name of a function, and of nothing else. */
const NAME = /[_a-zA-Z][_a-zA-Z0-9]*|\$/y;
const HEX = /0[xX][0-9a-fA-F]+[lL]?/y;
const OCTAL = /0[0-7]+[lL]?/y;
const DECIMAL = /(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][+-]?[0-9]+)?[fFdD]?|[eE][+-]?[0-9]+[fFdD]?)/y;
const INTEGER = /(?:0|[1-9][0-9]*)[lLfFdD]?/y;
const REGEX = /\/(?:\\[^\n]|[^\n/\\])+?\/[cilmsUux]*/y;
const LIST_INDEX = /(?:0|[1-9][0-9]*)/y;

/** Whether a `/` behind this token divides; otherwise it begins a regular expression. */
function isOperand(token: Token | undefined): boolean {
  if (!token) return false;
  if (token.kind === 'mark') return token.text === ')' || token.text === ']' || token.text === '}';
  if (token.kind === 'word')
    return token.text === 'true' || token.text === 'false' || token.text === 'null' || token.text === 'this';
  return true;
}

function match(pattern: RegExp, source: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? null;
}

function kindOfName(name: string): TokenKind {
  if (name === 'def') return 'def';
  if (PRIMITIVES.has(name)) return 'primitive';
  return WORDS.has(name) ? 'word' : 'id';
}

const NUMBERS: readonly (readonly [RegExp, TokenKind])[] = [
  [HEX, 'hex'],
  [OCTAL, 'octal'],
  [DECIMAL, 'decimal'],
  [INTEGER, 'integer'],
];

function readString(source: string, at: number): Token {
  const quote = source[at]!;
  let text = '';
  for (let i = at + 1; i < source.length; i++) {
    const char = source[i]!;
    if (char === quote) return { kind: 'text', text, at, end: i + 1 };
    if (char !== '\\') text += char;
    else if (source[i + 1] === '\\' || source[i + 1] === quote) text += source[++i]!;
    else if (i + 1 >= source.length) break;
    else throw badEscape(source, at, i);
  }
  throw syntaxError(at, `unexpected character [${source.slice(at)}].`, 'lexer_no_viable_alt_exception');
}

function badEscape(source: string, at: number, place: number): SyntaxFailure {
  const seen = source.slice(at, place + 2);
  return syntaxError(
    at,
    `unexpected character [${seen}]. The only valid escape sequences in strings starting with ` +
      `[${source[at]}] are [\\\\] and [\\${source[at]}].`,
    'lexer_no_viable_alt_exception',
  );
}

function readNumber(source: string, at: number, previous: Token | undefined): Token {
  if (previous?.text === '.' || previous?.text === '?.') {
    const digits = match(LIST_INDEX, source, at)!;
    return { kind: 'integer', text: digits, at, end: at + digits.length };
  }
  for (const [pattern, kind] of NUMBERS) {
    const text = match(pattern, source, at);
    if (text !== null) return { kind, text, at, end: at + text.length };
  }
  throw syntaxError(at, `unexpected character [${source[at]}].`, 'lexer_no_viable_alt_exception');
}

function readToken(source: string, at: number, previous: Token | undefined): Token {
  const char = source[at]!;
  if (char === '"' || char === "'") return readString(source, at);
  if (char >= '0' && char <= '9') return readNumber(source, at, previous);
  const name = match(NAME, source, at);
  if (name !== null) return { kind: kindOfName(name), text: name, at, end: at + name.length };
  if (char === '/' && !isOperand(previous)) {
    const regex = match(REGEX, source, at);
    if (regex !== null) return { kind: 'regex', text: regex, at, end: at + regex.length };
  }
  const mark = MARKS.find((one) => source.startsWith(one, at));
  if (mark === undefined) throw syntaxError(at, `unexpected character [${char}].`, 'lexer_no_viable_alt_exception');
  return { kind: 'mark', text: mark, at, end: at + mark.length };
}

/**
 * Splits a script into tokens; the last one is of kind `end`. Throws a SyntaxFailure. Grammar: the Painless lexical
 * specification of Elasticsearch 8.12; a `/` is a division only behind an operand.
 */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    at += match(SPACE, source, at)?.length ?? 0;
    if (at >= source.length) break;
    const token = readToken(source, at, tokens.at(-1));
    tokens.push(token);
    at = token.end;
  }
  tokens.push({ kind: 'end', text: '<EOF>', at: source.length, end: source.length });
  return tokens;
}

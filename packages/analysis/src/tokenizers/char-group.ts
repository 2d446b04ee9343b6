import { errors } from '@shoal/errors';
import type { TokenizerFactory } from '../component.js';
import { isDigit, isLetter, isPunctuation, isSymbol, isWhitespace } from '../unicode/characters.js';
import { charRunTokens } from './char-run.js';

const CLASSES: ReadonlyMap<string, (codePoint: number) => boolean> = new Map([
  ['letter', isLetter],
  ['digit', isDigit],
  ['whitespace', isWhitespace],
  ['punctuation', isPunctuation],
  ['symbol', isSymbol],
]);

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\n', '\n'],
  ['\\r', '\r'],
  ['\\t', '\t'],
  ['\\b', '\b'],
  ['\\f', '\f'],
  ['\\\\', '\\'],
]);

function parseChar(text: string): number {
  const unicode = /^\\u([0-9a-fA-F]{4})$/.exec(text)?.[1];
  const char = unicode === undefined ? (ESCAPES.get(text) ?? text) : String.fromCharCode(parseInt(unicode, 16));
  if ([...char].length === 1) return char.codePointAt(0) ?? 0;
  throw errors.settings(`Invalid escaped char in [${text}]`);
}

/**
 * `char_group`: splits at the characters `tokenize_on_chars`, which may also name the classes letter, digit,
 * whitespace, punctuation and symbol.
 */
export const charGroup: TokenizerFactory = {
  create(name, parameters) {
    const list = parameters.list('tokenize_on_chars') ?? [];
    const classes = list.map((entry) => CLASSES.get(entry)).filter((test) => test !== undefined);
    const chars = new Set(list.filter((entry) => !CLASSES.has(entry)).map(parseChar));
    const maxLength = parameters.integer('max_token_length', 255);
    const isPart = (codePoint: number): boolean => !chars.has(codePoint) && !classes.some((test) => test(codePoint));
    return { name, tokenize: (text) => charRunTokens(text, isPart, maxLength) };
  },
};

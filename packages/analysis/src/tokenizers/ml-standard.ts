import type { TokenizerFactory } from '../component.js';
import { newToken, type Token, type TokenStream } from '../token.js';
import { isDigit, isLetter } from '../unicode/characters.js';

const ML_TOKEN_MAX = 10_000;
/** Characters inside words of log lines, and those that begin or hold together paths and addresses. */
const INNER = '._-';
const PATH = './_-\\@%';

const isWordPart = (code: number): boolean => isLetter(code) || isDigit(code);

/** Whether a token is a number or may be one in hexadecimal digits, so that it varies from line to line. */
function isVariable(term: string): boolean {
  const bare = term.replace(/[._:@%-]/g, '');
  return isDigit(term.codePointAt(0) ?? 0) || /^[0-9a-fA-F]*$/.test(bare);
}

/** Runs of letters, digits and `inner` characters, less punctuation at their ends; those that vary leave gaps. */
function words(text: string, inner: string, mayStart: string): TokenStream {
  const tokens: Token[] = [];
  let position = 0;
  const isPart = (code: number): boolean => isWordPart(code) || inner.includes(String.fromCodePoint(code));
  const close = (from: number, to: number): void => {
    let [start, end] = [from, to];
    while (start < end && inner.includes(text[start]!) && !mayStart.includes(text[start]!)) start++;
    while (end > start && inner.includes(text[end - 1]!)) end--;
    const term = text.slice(start, Math.min(end, start + ML_TOKEN_MAX));
    if (term === '') return;
    if (!isVariable(term)) tokens.push(newToken(term, start, end, position, 'word'));
    position++;
  };
  let start = -1;
  for (let i = 0; i <= text.length; ) {
    const code = i < text.length ? text.codePointAt(i)! : -1;
    if (code >= 0 && isPart(code)) {
      if (start < 0) start = i;
    } else if (start >= 0) {
      close(start, i);
      start = -1;
    }
    i += code > 0xffff ? 2 : 1;
  }
  return { tokens, endPosition: position };
}

/** `ml_standard`: words, paths and addresses of log lines; no numbers, neither decimal nor hexadecimal ones. */
export const mlStandard: TokenizerFactory = {
  create: (name) => ({ name, endsAtSpaces: true, tokenize: (text) => words(text, PATH, '/') }),
};

/** `ml_classic`: words of log lines; paths are cut at their slashes. */
export const mlClassic: TokenizerFactory = {
  create: (name) => ({ name, endsAtSpaces: true, tokenize: (text) => words(text, INNER, '') }),
};

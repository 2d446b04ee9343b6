import type { TokenizerFactory } from '../component.js';
import { newToken, type Token, type Tokenizer } from '../token.js';
import { standardTokenizer } from './standard.js';

/** Part of the local name of a mail address between two dots. */
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
/** Part of a host name between two dots. */
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const HOST = `${LABEL}(?:\\.${LABEL})*`;
const PATH = "[A-Za-z0-9\\-._~%!$&'()*+,;=:@/?#]*";
/** Top-level domains of host names that are addresses even without a scheme. */
const TOP_DOMAINS = 'com|org|net|edu|gov|mil|int|info|biz|io|de|uk|fr|es|it|nl|eu|us|ch|at|jp|cn|ru|br|in|au|ca|co';
const WITH_SCHEME =
  "(?:https?|ftp|file):\\/\\/[A-Za-z0-9.\\-_~%:@[\\]]+(?:[/?#][A-Za-z0-9\\-._~%!$&'()*+,;=:@/?#[\\]]*)?";
const BARE = `${HOST}\\.(?:${TOP_DOMAINS})(?![A-Za-z0-9-])(?::\\d{1,5})?(?:\\/${PATH})?`;

/** Mail address; matches in linear time. */
const EMAIL = new RegExp(`${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})+`, 'y');
/** Address with a scheme, or a host name of a known top-level domain; matches in linear time. */
const URL = new RegExp(`(?:${WITH_SCHEME}|${BARE})`, 'y');
const TRAILING = /[.,;:!?'")\]]+$/;

function matchAt(expression: RegExp, text: string, at: number): string | null {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] ?? null;
}

function isWordStart(text: string, at: number): boolean {
  return /[A-Za-z0-9]/.test(text[at] ?? '') && !/[A-Za-z0-9_@.-]/.test(text[at - 1] ?? ' ');
}

/** Web and mail addresses of a text, in order and without overlap. */
function findAddresses(text: string): readonly Token[] {
  const found: Token[] = [];
  for (let i = 0; i < text.length; i++) {
    if (!isWordStart(text, i)) continue;
    const email = matchAt(EMAIL, text, i);
    const url = email === null ? matchAt(URL, text, i)?.replace(TRAILING, '') : undefined;
    const term = email ?? url;
    if (term === undefined || term === '') continue;
    found.push(newToken(term, i, i + term.length, 0, email === null ? '<URL>' : '<EMAIL>'));
    i += term.length - 1;
  }
  return found;
}

function tokenizeAround(text: string, words: Tokenizer): Token[] {
  const tokens: Token[] = [];
  let from = 0;
  const addWords = (until: number): void => {
    for (const token of words.tokenize(text.slice(from, until)).tokens) {
      tokens.push({ ...token, start: token.start + from, end: token.end + from, position: tokens.length });
    }
  };
  for (const address of findAddresses(text)) {
    addWords(address.start);
    tokens.push({ ...address, position: tokens.length });
    from = address.end;
  }
  addWords(text.length);
  return tokens;
}

/** `uax_url_email`: as `standard`, but web and mail addresses are single tokens. */
export const uaxUrlEmail: TokenizerFactory = {
  create(name, parameters) {
    const words = standardTokenizer(name, parameters.integer('max_token_length', 255));
    return {
      name,
      tokenize(text) {
        const tokens = tokenizeAround(text, words);
        return { tokens, endPosition: tokens.length };
      },
    };
  },
};

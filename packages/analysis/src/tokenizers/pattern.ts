import type { TokenizerFactory } from '../component.js';
import { newToken, type Token, type Tokenizer } from '../token.js';
import { compileRegex, type UserRegex } from '../user-regex.js';

/** Non-empty texts between the matches. */
function splitTokens(text: string, regex: UserRegex): Token[] {
  const tokens: Token[] = [];
  let start = 0;
  const close = (end: number): void => {
    if (end > start) tokens.push(newToken(text.slice(start, end), start, end, tokens.length, 'word'));
  };
  for (const [whole] of regex.findAll(text)) {
    close(whole![0]);
    start = whole![1];
  }
  close(text.length);
  return tokens;
}

function groupTokens(text: string, regex: UserRegex, group: number): Token[] {
  const tokens: Token[] = [];
  for (const match of regex.findAll(text)) {
    const [start, end] = match[group] ?? [-1, -1];
    if (end > start) tokens.push(newToken(text.slice(start, end), start, end, tokens.length, 'word'));
  }
  return tokens;
}

/** A tokenizer that splits at a pattern (`group` -1) or outputs a group of each match. */
export function patternTokenizer(name: string, regex: UserRegex, group: number): Tokenizer {
  return {
    name,
    tokenize(text) {
      const tokens = group < 0 ? splitTokens(text, regex) : groupTokens(text, regex, group);
      return { tokens, endPosition: tokens.length };
    },
  };
}

/** `pattern`: parameters and defaults `pattern` `\W+`, `flags` (empty), `group` -1. */
export const pattern: TokenizerFactory = {
  create(name, parameters) {
    const regex = compileRegex(parameters.text('pattern', '\\W+'), parameters.text('flags', ''));
    return patternTokenizer(name, regex, parameters.integer('group', -1));
  },
};

/** `simple_pattern`: the matches of `pattern`. */
export const simplePattern: TokenizerFactory = {
  create: (name, parameters) => patternTokenizer(name, compileRegex(parameters.text('pattern', ''), ''), 0),
};

/** `simple_pattern_split`: the texts between the matches of `pattern`. */
export const simplePatternSplit: TokenizerFactory = {
  create: (name, parameters) => patternTokenizer(name, compileRegex(parameters.text('pattern', ''), ''), -1),
};

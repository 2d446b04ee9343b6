import type { TokenizerFactory } from '../component.js';
import { isLetter } from '../unicode/characters.js';
import { charRunTokens } from './char-run.js';

const MAX_TOKEN_LENGTH = 255;

/** `letter`: runs of letters. */
export const letter: TokenizerFactory = {
  create: (name) => ({ name, endsAtSpaces: true, tokenize: (text) => charRunTokens(text, isLetter, MAX_TOKEN_LENGTH) }),
};

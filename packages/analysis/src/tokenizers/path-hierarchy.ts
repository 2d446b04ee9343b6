import { errors } from '@shoal/errors';
import type { TokenizerFactory } from '../component.js';
import { newToken, type Token, type TokenStream } from '../token.js';

interface PathOptions {
  readonly delimiter: string;
  readonly replacement: string;
  readonly skip: number;
}

function positionsOf(text: string, delimiter: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, at + 1)) found.push(at);
  return found;
}

function stream(tokens: Token[]): TokenStream {
  return { tokens: tokens.map((token) => ({ ...token, position: 0 })), endPosition: tokens.length === 0 ? 0 : 1 };
}

/** Splits `/a/b/c` into `/a`, `/a/b`, `/a/b/c`; skips the first `skip` parts. */
function forward(text: string, { delimiter, replacement, skip }: PathOptions): TokenStream {
  if (text === '') return stream([]);
  const cuts = [...positionsOf(text, delimiter).filter((at) => at > 0), text.length];
  const start = skip === 0 ? 0 : (cuts[skip - 1] ?? text.length);
  const ends = cuts.slice(skip).filter((end) => end > start);
  return stream(
    ends.map((end) => newToken(text.slice(start, end).replaceAll(delimiter, replacement), start, end, 0, 'word')),
  );
}

/** Splits `www.site.co.uk` into itself, `site.co.uk`, `co.uk`, `uk`. */
function backward(text: string, { delimiter, replacement, skip }: PathOptions): TokenStream {
  if (text === '') return stream([]);
  const cuts = [
    0,
    ...positionsOf(text, delimiter)
      .filter((at) => at < text.length - 1)
      .map((at) => at + 1),
  ];
  const kept = skip === 0 ? cuts : cuts.slice(0, Math.max(0, cuts.length - skip));
  const end = skip === 0 ? text.length : (cuts[cuts.length - skip] ?? 0);
  return stream(
    kept.map((start) => newToken(text.slice(start, end).replaceAll(delimiter, replacement), start, end, 0, 'word')),
  );
}

/**
 * `path_hierarchy`: parameters `delimiter` (/), `replacement`, `reverse`, `skip` (0); all tokens are at one position.
 */
export const pathHierarchy: TokenizerFactory = {
  create(name, parameters) {
    const delimiter = parameters.text('delimiter', '/');
    if (delimiter.length !== 1) throw errors.illegalArgument('delimiter must be a one char value');
    const replacement = parameters.text('replacement', delimiter);
    if (replacement.length !== 1) throw errors.illegalArgument('replacement must be a one char value');
    const options = { delimiter, replacement, skip: parameters.integer('skip', 0) };
    const split = parameters.boolean('reverse', false) ? backward : forward;
    return { name, tokenize: (text) => split(text, options) };
  },
};

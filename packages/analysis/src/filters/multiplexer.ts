import { errors } from '@shoal/errors';
import type { FilterFactory } from '../component.js';
import type { Token, TokenFilter, TokenStream } from '../token.js';

function copyOf(stream: TokenStream): TokenStream {
  return { ...stream, tokens: stream.tokens.map((token) => ({ ...token })) };
}

function runAll(filters: readonly TokenFilter[], stream: TokenStream): TokenStream {
  return filters.reduce((current, filter) => filter.apply(current), copyOf(stream));
}

function distinct(tokens: readonly Token[]): Token[] {
  const seen = new Set<string>();
  return tokens.filter((token) => {
    const key = `${token.position} ${token.start} ${token.term}`;
    return !seen.has(key) && seen.add(key);
  });
}

/**
 * `multiplexer`: the tokens of several chains of filters at the same positions; each of `filters` is a chain, `a,b`.
 */
export const multiplexer: FilterFactory = {
  needsSettings: true,
  create(name, parameters, context) {
    const lists = parameters.list('filters') ?? [];
    const chains = lists.map((list) =>
      list.split(',').map((part) => {
        const filter = context.filter(part.trim());
        if (!filter)
          throw errors.illegalArgument(
            `Multiplexing filter [${name}] refers to undefined tokenfilter [${part.trim()}]`,
          );
        return filter;
      }),
    );
    const all: readonly (readonly TokenFilter[])[] = parameters.boolean('preserve_original', true)
      ? [[], ...chains]
      : chains;
    return {
      name,
      normalize: null,
      apply(stream) {
        const tokens = all.flatMap((chain) => runAll(chain, stream).tokens).sort((a, b) => a.position - b.position);
        return { tokens: distinct(tokens), endPosition: stream.endPosition };
      },
    };
  },
};

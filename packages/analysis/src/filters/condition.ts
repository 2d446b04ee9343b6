import { errors } from '@shoal/errors';
import type { FilterFactory } from '../component.js';
import { marks, scriptPredicate } from './token-script.js';
import type { Token, TokenFilter, TokenStream } from '../token.js';

/** Moves tokens by a number of positions. */
function shifted(tokens: readonly Token[], by: number): Token[] {
  for (const token of tokens) token.position += by;
  return [...tokens];
}

/** Applies filters to a run of tokens as to a text of their own that begins at the position `base`. */
function filterRun(filters: readonly TokenFilter[], run: readonly Token[], base: number): readonly Token[] {
  const last = run.at(-1)!;
  const own: TokenStream = {
    endPosition: last.position + 1 - base,
    endOffset: last.end,
    tokens: shifted(run, -base),
  };
  return shifted(filters.reduce((stream, filter) => filter.apply(stream), own).tokens, base);
}

/**
 * `condition`: applies `filter` to the tokens for which a script is true; neighbours among them are filtered together,
 * as Lucene's ConditionalTokenFilter does.
 */
export const condition: FilterFactory = {
  needsSettings: true,
  create(name, parameters, context) {
    const open = scriptPredicate(name, parameters, context);
    const names = parameters.list('filter') ?? [];
    if (names.length === 0) throw errors.illegalArgument(`Empty list of filters provided to tokenfilter [${name}]`);
    const filters = names.map((part) => {
      const filter = context.filter(part);
      if (filter) return filter;
      throw errors.illegalArgument(`ScriptedConditionTokenFilter [${name}] refers to undefined token filter [${part}]`);
    });
    return {
      name,
      normalize: null,
      apply(stream) {
        const { tokens } = stream;
        const isMeant = marks(stream, open());
        const result: Token[] = [];
        for (let i = 0; i < tokens.length; ) {
          const start = i++;
          if (!isMeant[start]) {
            result.push(tokens[start]!);
            continue;
          }
          while (i < tokens.length && isMeant[i]) i++;
          const before = start === 0 ? -1 : tokens[start - 1]!.position;
          // A token at the position of the one before begins its run there.
          const base = Math.min(before + 1, tokens[start]!.position);
          result.push(...filterRun(filters, tokens.slice(start, i), base));
        }
        return { ...stream, tokens: result };
      },
    };
  },
};

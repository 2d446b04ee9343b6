import { errors } from '@shoal/errors';
import type { BuildContext, Parameters } from '../component.js';
import type { TokenPredicate } from '../token-predicate.js';
import type { TokenStream } from '../token.js';

/** Compiles the parameter `script` of a filter. */
export function scriptPredicate(name: string, parameters: Parameters, context: BuildContext): () => TokenPredicate {
  if (context.predicate === null)
    throw errors.illegalArgument(`tokenfilter [${name}] has a script, and no scripts run here`);
  return context.predicate(parameters.group('script') ?? {}, `tokenfilter [${name}]`);
}

/** Says of each token of a stream, in order, whether it is meant. */
export function marks({ tokens }: TokenStream, predicate: TokenPredicate): readonly boolean[] {
  let last = -1;
  return tokens.map((token) => {
    const increment = token.position - last;
    last = token.position;
    return predicate(token, increment);
  });
}

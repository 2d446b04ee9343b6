import type { Token } from './token.js';

/** Whether a token of a text is meant. `increment` is its distance in positions from the token before. */
export type TokenPredicate = (token: Readonly<Token>, increment: number) => boolean;

/**
 * Compiles a script of a filter's definition, JSON as requests write scripts. The function that it returns is called
 * for each text. `owner` names the filter in errors.
 */
export type PredicateCompiler = (script: unknown, owner: string) => () => TokenPredicate;

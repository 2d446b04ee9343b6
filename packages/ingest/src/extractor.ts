import { errors } from '@shoal/errors';
import { compileDissect } from './dissect.js';
import { grokBank } from './grok/bank.js';
import { compileGrok } from './grok/grok.js';

/** A function that returns the named parts of a text; null for one that does not match. */
export type Extractor = (text: string) => Record<string, unknown> | null;

/**
 * Compiles an expression of grok, with the patterns that every pipeline knows, or of dissect. Throws
 * illegal_argument_exception for a malformed one.
 */
export function compileExtractor(syntax: 'grok' | 'dissect', expression: string): Extractor {
  const match = syntax === 'grok' ? grokMatch(expression) : dissectMatch(expression);
  return (text) => {
    const found = match(text);
    return found === null ? null : Object.fromEntries(found);
  };
}

type Match = (text: string) => ReadonlyMap<string, unknown> | null;

function grokMatch(expression: string): Match {
  const grok = compileGrok(expression, grokBank(false));
  return (text) => grok.match(text);
}

function dissectMatch(expression: string): Match {
  try {
    const dissect = compileDissect(expression, '');
    return (text) => dissect.parse(text);
  } catch (error) {
    throw errors.illegalArgument(error instanceof Error ? error.message : String(error));
  }
}

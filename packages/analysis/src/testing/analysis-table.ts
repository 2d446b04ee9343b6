import assert from 'node:assert/strict';
import { errors, isApiError } from '@shoal/errors';
import type { CustomDefinition } from '../analyzer.js';
import { buildAnalysisRegistry } from '../registry.js';
import type { TokenPredicate } from '../token-predicate.js';

/**
 * Parts of a custom analyzer as in an `_analyze` request: names or definitions. The default tokenizer is `standard`.
 */
export type Chain = Partial<CustomDefinition>;

/** What scripts of filters may say here instead of Painless: some tests of tokens by name. */
const PREDICATES: Readonly<Record<string, TokenPredicate>> = {
  all: () => true,
  'but the third': ({ position }) => position !== 2,
  'from the third': ({ position }) => position >= 2,
  'not at 4': ({ position }) => position !== 4,
  'behind a gap': (_token, increment) => increment === 2,
  'behind a gap, or late': ({ position }, increment) => increment === 2 || position > 3,
  'up to the second': ({ position }) => position <= 1,
  keyword: ({ keyword }) => keyword,
  'three letters': ({ term }) => term.length === 3,
};

function predicateOf(script: unknown, owner: string): () => TokenPredicate {
  const { source } = script as { readonly source?: string };
  const predicate = PREDICATES[source ?? ''];
  if (!predicate) throw errors.illegalArgument(`no script of ${owner}`);
  return () => predicate;
}

const registry = buildAnalysisRegistry({}, { predicate: predicateOf });

/**
 * Tokens of a text as `term@position`, separated by spaces; a token that spans n > 1 positions ends with `:n`. With
 * `offsets` they are `term[start-end]` instead, in UTF-16 units of the text.
 */
export function tokensOf(chain: Chain, text: string, show: 'positions' | 'offsets' = 'positions'): string {
  const list = registry.custom({ tokenizer: 'standard', ...chain }).analyze(text, true);
  const tokens = Array.from({ length: list.count }, (_, i) => {
    if (show === 'offsets') return `${list.terms[i]}[${list.startOffsets[i]}-${list.endOffsets[i]}]`;
    const span = list.positionLengths[i] ?? 1;
    return `${list.terms[i]}@${list.positions[i]}${span === 1 ? '' : `:${span}`}`;
  });
  return tokens.join(' ');
}

/**
 * Checks a table of texts and their tokens with positions, to test a token filter beside its file:
 *
 *     test('lowercase writes terms in lower case', () => analyzes({ filter: ['lowercase'] }, [['A Bc', 'a@0 bc@1']]));
 */
export function analyzes(chain: Chain, table: readonly (readonly [text: string, tokens: string])[]): void {
  for (const [text, tokens] of table) assert.equal(tokensOf(chain, text), tokens, text);
}

/** As `analyzes`, with offsets instead of positions: for tokenizers and character filters. */
export function cuts(chain: Chain, table: readonly (readonly [text: string, tokens: string])[]): void {
  for (const [text, tokens] of table) assert.equal(tokensOf(chain, text, 'offsets'), tokens, text);
}

/** Checks a table of invalid definitions and their errors, `type: reason`. */
export function refuses(table: readonly (readonly [chain: Chain, error: string])[]): void {
  for (const [chain, error] of table) assert.equal(failureOf(chain), error, JSON.stringify(chain));
}

function failureOf(chain: Chain): string {
  try {
    tokensOf(chain, '');
    return 'no error';
  } catch (error) {
    if (!isApiError(error)) throw error;
    return `${error.type}: ${error.reason ?? ''}`;
  }
}

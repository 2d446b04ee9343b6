import assert from 'node:assert/strict';
import { isApiError } from '@shoal/errors';
import type { CustomDefinition } from '../analyzer.js';
import { buildAnalysisRegistry } from '../registry.js';

/**
 * Parts of a custom analyzer as in an `_analyze` request: names or definitions. The default tokenizer is `standard`.
 */
export type Chain = Partial<CustomDefinition>;

const registry = buildAnalysisRegistry({});

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

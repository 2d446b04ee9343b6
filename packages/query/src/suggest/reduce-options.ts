import { compareTerms } from '@shoal/codec';
import type { SuggestEntry, SuggestOption } from './suggester.js';

/** Compares options of an answer; the better one first. */
export type OptionOrder = (a: SuggestOption, b: SuggestOption) => number;

const number = (option: SuggestOption, key: 'score' | 'freq'): number => Number(option[key] ?? 0);

/** Compares options by score, then by frequency, both descending, then by text. */
export const byScore: OptionOrder = (a, b) =>
  number(b, 'score') - number(a, 'score') || number(b, 'freq') - number(a, 'freq') || compareTerms(a.text, b.text);

/** Compares options by frequency, then by score, both descending, then by text. */
export const byFrequency: OptionOrder = (a, b) => number(b, 'freq') - number(a, 'freq') || byScore(a, b);

/** Merges the entries of shards: options of one text become one, with the best score and the sum of frequencies. */
export function mergeByText(shards: readonly (readonly SuggestEntry[])[], order = byScore): SuggestEntry[] {
  if (shards.length === 1) return [...shards[0]!];
  const [first = []] = shards;
  return first.map((entry, i) => {
    const merged = new Map<string, SuggestOption>();
    for (const option of shards.flatMap((entries) => entries[i]?.options ?? [])) {
      const known = merged.get(option.text);
      merged.set(option.text, known ? combined(known, option) : option);
    }
    return { ...entry, options: [...merged.values()].sort(order) };
  });
}

function combined(a: SuggestOption, b: SuggestOption): SuggestOption {
  const score = Math.max(number(a, 'score'), number(b, 'score'));
  return 'freq' in a ? { ...a, score, freq: number(a, 'freq') + number(b, 'freq') } : { ...a, score };
}

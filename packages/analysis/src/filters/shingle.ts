import { errors } from '@shoal/errors';
import type { BuildContext, FilterFactory, Parameters } from '../component.js';
import type { Token, TokenFilter, TokenStream } from '../token.js';

/** Options of a shingle filter. */
export interface ShingleOptions {
  readonly min: number;
  readonly max: number;
  readonly outputsUnigrams: boolean;
  readonly outputsUnigramsIfNone: boolean;
  readonly separator: string;
  readonly filler: string;
}

/** One position: its first token, or the filler of a gap. */
interface Slot {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly Token[];
}

/** Slots of all positions, including gaps and the gap at the end. */
function slotsOf({ tokens, endPosition, endOffset }: TokenStream, filler: string): readonly Slot[] {
  const slots: Slot[] = [];
  const fill = (until: number, at: number): void => {
    while (slots.length < until) slots.push({ term: filler, start: at, end: at, tokens: [] });
  };
  for (const token of tokens) {
    fill(token.position, token.start);
    const last = slots[token.position];
    if (last) slots[token.position] = { ...last, tokens: [...last.tokens, token] };
    else slots.push({ term: token.term, start: token.start, end: token.end, tokens: [token] });
  }
  fill(endPosition, endOffset ?? tokens.at(-1)?.end ?? 0);
  return slots;
}

function shinglesAt(slots: readonly Slot[], from: number, options: ShingleOptions): Token[] {
  const made: Token[] = [];
  for (let size = options.min; size <= options.max && from + size <= slots.length; size++) {
    const parts = slots.slice(from, from + size);
    if (parts.every((part) => part.tokens.length === 0)) continue;
    const term = parts.map((part) => part.term).join(options.separator);
    made.push({
      term,
      start: parts[0]!.start,
      end: parts.at(-1)!.end,
      position: from,
      span: options.outputsUnigrams ? size : size - options.min + 1,
      type: 'shingle',
      keyword: false,
    });
  }
  return made;
}

/** A filter that adds tokens of several consecutive tokens, joined. */
export function shingleFilter(name: string, options: ShingleOptions): TokenFilter {
  return {
    name,
    normalize: null,
    apply(stream) {
      const slots = slotsOf(stream, options.filler);
      const tokens: Token[] = [];
      slots.forEach((slot, i) => {
        if (options.outputsUnigrams) tokens.push(...slot.tokens);
        tokens.push(...shinglesAt(slots, i, options));
      });
      const hasShingles = tokens.some(({ type }) => type === 'shingle');
      if (!hasShingles && options.outputsUnigramsIfNone && !options.outputsUnigrams) return stream;
      return { tokens, endPosition: stream.endPosition };
    },
  };
}

function checkSizes(min: number, max: number, isUnigram: boolean, { maxShingleDiff }: BuildContext): void {
  const difference = max - min + (isUnigram ? 1 : 0);
  if (difference > maxShingleDiff) {
    throw errors.illegalArgument(
      'In Shingle TokenFilter the difference between max_shingle_size and min_shingle_size (and +1 if outputting ' +
        'unigrams) ' +
        `must be less than or equal to: [${maxShingleDiff}] but was [${difference}]. This limit can be set by ` +
        'changing the ' +
        '[index.max_shingle_diff] index level setting.',
    );
  }
  if (max < 2) throw errors.illegalArgument('Max shingle size must be >= 2');
  if (min < 2) throw errors.illegalArgument('Min shingle size must be >= 2');
  if (min > max) throw errors.illegalArgument('Min shingle size must be <= max shingle size');
}

function optionsOf(parameters: Parameters): ShingleOptions {
  return {
    min: parameters.integer('min_shingle_size', 2),
    max: parameters.integer('max_shingle_size', 2),
    outputsUnigrams: parameters.boolean('output_unigrams', true),
    outputsUnigramsIfNone: parameters.boolean('output_unigrams_if_no_shingles', false),
    separator: parameters.text('token_separator', ' '),
    filler: parameters.text('filler_token', '_'),
  };
}

/** `shingle`: adds runs of `min_shingle_size` to `max_shingle_size` (both 2 by default) tokens. */
export const shingle: FilterFactory = {
  create(name, parameters, context) {
    const options = optionsOf(parameters);
    checkSizes(options.min, options.max, options.outputsUnigrams, context);
    return shingleFilter(name, options);
  },
};

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

/** One token, or the filler of a gap. */
interface Slot {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  readonly token: Token | null;
}

/** Slots of all tokens, including gaps and the gap at the end. Tokens at one position come one after the other. */
function slotsOf({ tokens, endPosition, endOffset }: TokenStream, filler: string): readonly Slot[] {
  const slots: Slot[] = [];
  const fill = (count: number, at: number): void => {
    for (let i = 0; i < count; i++) slots.push({ term: filler, start: at, end: at, token: null });
  };
  let next = 0;
  for (const token of tokens) {
    fill(token.position - next, token.start);
    slots.push({ term: token.term, start: token.start, end: token.end, token });
    next = token.position + 1;
  }
  fill(endPosition - next, endOffset ?? tokens.at(-1)?.end ?? 0);
  return slots;
}

function shinglesAt(slots: readonly Slot[], from: number, options: ShingleOptions): Token[] {
  const made: Token[] = [];
  for (let size = options.min; size <= options.max && from + size <= slots.length; size++) {
    const parts = slots.slice(from, from + size);
    if (parts.every(({ token }) => token === null)) continue;
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
        if (options.outputsUnigrams && slot.token !== null) tokens.push({ ...slot.token, position: i, span: 1 });
        tokens.push(...shinglesAt(slots, i, options));
      });
      const hasShingles = tokens.some(({ type }) => type === 'shingle');
      if (!hasShingles && options.outputsUnigramsIfNone && !options.outputsUnigrams) return stream;
      // A gap at the end follows the last token that is given out.
      const gap = stream.endPosition - ((stream.tokens.at(-1)?.position ?? -1) + 1);
      return { ...stream, tokens, endPosition: (tokens.at(-1)?.position ?? -1) + 1 + gap };
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

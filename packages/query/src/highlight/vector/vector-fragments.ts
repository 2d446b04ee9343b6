import { errors } from '@shoal/errors';
import type { HighlightOptions } from '../highlight-spec.js';
import { encoder } from '../unified.js';
import { boundaryScanner } from './boundary-scanner.js';
import { endOf, type FoundPhrase, type Range, startOf } from './phrase-list.js';

/** Separator of the values in the text that fragments are cut from. */
const SEPARATOR = ' ';
const DEFAULT_MARGIN = 6;
/** A fragment is at least as long as so many margins. */
const MARGINS_MIN = 3;

interface Fragment extends Range {
  readonly phrases: readonly FoundPhrase[];
  readonly boost: number;
}

/**
 * Returns fragments as Elasticsearch's fast vector highlighter does. `phrases` have offsets in the values joined by one
 * character. Throws illegal_argument_exception for a fragment size below three margins.
 */
export function vectorFragments(
  values: readonly string[],
  phrases: readonly FoundPhrase[],
  options: HighlightOptions,
): string[] {
  const found = cutFragments(phrases, options);
  if (found.length > 0) return render(values, found, options);
  if (options.noMatchSize <= 0) return [];
  return render(values, [{ start: 0, end: options.noMatchSize, phrases: [], boost: 0 }], options);
}

function cutFragments(phrases: readonly FoundPhrase[], options: HighlightOptions): Fragment[] {
  if (options.numberOfFragments === 0)
    return phrases.length === 0 ? [] : [fragment(0, Number.MAX_SAFE_INTEGER, phrases)];
  const margin = options.fragmentOffset < 0 ? DEFAULT_MARGIN : options.fragmentOffset;
  const min = Math.max(1, margin * MARGINS_MIN);
  const size = options.fragmentSize;
  if (size < min) throw errors.illegalArgument(`fragCharSize(${size}) is too small. It must be ${min} or higher.`);
  const fragments: Fragment[] = [];
  let from = 0;
  for (let i = 0; i < phrases.length; ) {
    const first = phrases[i]!;
    // A phrase that the fragment before has cut is not shown.
    if (startOf(first) < from) {
      i++;
      continue;
    }
    const spanStart = Math.max(startOf(first) - margin, from);
    const spanEnd = Math.max(endOf(first), spanStart + size);
    const own: FoundPhrase[] = [];
    let end = endOf(first);
    for (; i < phrases.length && (phrases[i] === first || endOf(phrases[i]!) <= spanEnd); i++) {
      end = endOf(phrases[i]!);
      if (phrases[i]!.ranges.length <= 1 || end - startOf(first) <= size) own.push(phrases[i]!);
    }
    if (own.length === 0) continue;
    const length = end - startOf(first);
    const start = Math.max(from, startOf(first) - Math.max(0, Math.trunc((size - length) / 2)));
    from = start + Math.max(length, size);
    fragments.push(fragment(start, from, own));
  }
  return fragments;
}

const fragment = (start: number, end: number, phrases: readonly FoundPhrase[]): Fragment => ({
  ...{ start, end, phrases },
  boost: phrases.reduce((sum, { boost }) => Math.fround(sum + boost), 0),
});

function render(values: readonly string[], found: readonly Fragment[], options: HighlightOptions): string[] {
  const fragments = values.length > 1 ? splitByValue(found, values) : [...found];
  if (options.isScoreOrdered) fragments.sort((a, b) => b.boost - a.boost || a.start - b.start);
  const scanner = boundaryScanner(options);
  let text = '';
  let read = 0;
  const max = options.numberOfFragments === 0 ? fragments.length : options.numberOfFragments;
  return fragments.slice(0, max).map(({ start, end, phrases }) => {
    // Values are read as far as fragments need them: an end moves no further than what was read.
    while (text.length < end && read < values.length) text += values[read++]! + SEPARATOR;
    const length = text.length - 1;
    const to = length < end ? length : scanner.endAt(text, end);
    const from = scanner.startAt(text, start);
    return marked(text.slice(0, to), from, phrases, options);
  });
}

function marked(text: string, from: number, phrases: readonly FoundPhrase[], options: HighlightOptions): string {
  const { preTags, postTags } = options;
  const encode = encoder(options);
  let result = '';
  let at = from;
  for (const { ranges, number } of phrases)
    for (const { start, end } of ranges) {
      result +=
        encode(text.slice(at, start)) +
        preTags[number % preTags.length]! +
        encode(text.slice(start, end)) +
        postTags[number % postTags.length]!;
      at = end;
    }
  return result + encode(text.slice(at));
}

/** Splits fragments so that each is of one value, with the ranges that the value has; after Lucene. */
function splitByValue(found: readonly Fragment[], values: readonly string[]): Fragment[] {
  const split: Fragment[] = [];
  for (const one of found) {
    let rest = one.phrases;
    let valueEnd = 0;
    for (const value of values) {
      const valueStart = valueEnd;
      valueEnd += value.length + 1;
      if (value === '') continue;
      if (one.start >= valueStart && one.end <= valueEnd) {
        split.push({ ...one, phrases: rest });
        break;
      }
      if (rest.length === 0) break;
      if (startOf(rest[0]!) >= valueEnd) continue;
      const [own, others] = partOf(rest, valueStart, valueEnd);
      const start = one.start > valueStart && one.start < valueEnd ? one.start : valueStart;
      const end = one.end > valueStart && one.end < valueEnd ? one.end : valueEnd;
      split.push(fragment(start, end, own));
      rest = others;
    }
  }
  return split.sort((a, b) => a.start - b.start);
}

/** Returns the parts of phrases that a value has, and what is left of them behind it. */
function partOf(phrases: readonly FoundPhrase[], from: number, to: number): [FoundPhrase[], FoundPhrase[]] {
  const own: FoundPhrase[] = [];
  const rest: FoundPhrase[] = [];
  for (const phrase of phrases) {
    const inside = phrase.ranges
      .filter(({ start }) => start < to)
      .map(({ start, end }) => ({ start: Math.max(start, from), end: end < to ? end : to - 1 }));
    const behind = phrase.ranges
      .filter(({ end }) => end >= to)
      .map(({ start, end }) => ({ start: Math.max(start, to), end }));
    if (inside.length > 0) own.push({ ...phrase, ranges: inside });
    if (behind.length > 0) rest.push({ ...phrase, ranges: behind });
  }
  return [own, rest];
}

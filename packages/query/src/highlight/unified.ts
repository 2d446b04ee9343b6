import { breakList } from './break-list.js';
import { type FieldText, VALUE_SEPARATOR } from './field-text.js';
import { boundedFragmenter, plainFragmenter, wholeFragmenter } from './fragments.js';
import type { HighlightOptions } from './highlight-spec.js';
import { type FragmenterOf, bestPassages, type Passage } from './passages.js';
import { sortedInSteps, STEP_ITEMS, type Steps } from './steps.js';
import type { TextMatch } from './text-match.js';
import { wordBreaks } from './word-breaks.js';

/** Returns the fragments of a field as Elasticsearch's unified highlighter does; empty for none. */
export function* unifiedFragments(
  text: FieldText,
  found: readonly TextMatch[] | null,
  options: HighlightOptions,
): Steps<string[]> {
  const matches = yield* distinct(yield* sortedInSteps(found ?? [], inText));
  if (matches.length === 0) return noMatch(text, options);
  const isWhole = options.numberOfFragments === 0;
  const passages = yield* bestPassages(
    text,
    matches,
    isWhole ? wholeFragmenter : fragmenterOf(options),
    isWhole ? Infinity : options.numberOfFragments,
  );
  if (options.isScoreOrdered) passages.sort((a, b) => b.score - a.score);
  const fragments: string[] = [];
  for (const passage of passages) fragments.push(yield* markMatches(text.text, passage, options));
  return fragments;
}

const inText = (a: TextMatch, b: TextMatch): number =>
  a.start - b.start || a.end - b.end || (a.term < b.term ? -1 : a.term > b.term ? 1 : 0);

/** Drops repeated matches: a word that the query names twice would weigh more in the choice of fragments. */
function* distinct(matches: readonly TextMatch[]): Steps<TextMatch[]> {
  const kept: TextMatch[] = [];
  for (let i = 0; i < matches.length; i++) {
    if (i % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const { start, end, term } = matches[i]!;
    const before = kept.at(-1);
    if (before?.start !== start || before.end !== end || before.term !== term) kept.push(matches[i]!);
  }
  return kept;
}

function fragmenterOf({ boundaryScanner, fragmentSize }: HighlightOptions): FragmenterOf {
  if (boundaryScanner === 'word') return (value) => plainFragmenter(value, 'word');
  return fragmentSize > 0
    ? (value) => boundedFragmenter(value, fragmentSize)
    : (value) => plainFragmenter(value, 'sentence');
}

/** Returns the fragment's text with its matches in tags; overlapping matches get one pair of tags. */
function* markMatches(text: string, { start, end, matches }: Passage, options: HighlightOptions): Steps<string> {
  const encode = encoder(options);
  let result = '';
  let at = start;
  for (let i = 0; i < matches.length; i++) {
    if (i % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const from = matches[i]!.start;
    let to = matches[i]!.end;
    while (i + 1 < matches.length && matches[i + 1]!.start < to) to = Math.max(to, matches[++i]!.end);
    to = Math.min(to, end);
    result +=
      encode(text.slice(at, Math.max(at, from))) +
      options.preTags[0]! +
      encode(text.slice(from, to)) +
      options.postTags[0]!;
    at = to;
  }
  result += encode(text.slice(at, Math.max(at, end)));
  return trimText(result);
}

/** Trims a text as Java's `String.trim` does: all characters up to U+0020. */
function trimText(text: string): string {
  const plain = text.endsWith(VALUE_SEPARATOR) ? text.slice(0, -1) : text;
  let from = 0;
  let to = plain.length;
  while (from < to && plain.charCodeAt(from) <= 0x20) from++;
  while (to > from && plain.charCodeAt(to - 1) <= 0x20) to--;
  return plain.slice(from, to);
}

const HTML: Readonly<Record<string, string>> = {
  '"': '&quot;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#x27;',
  '/': '&#x2F;',
};

/** Returns the encoder of the text between tags. */
export function encoder({ encoder: name }: HighlightOptions): (text: string) => string {
  return name === 'html' ? (text) => text.replace(/["&<>'/]/g, (char) => HTML[char]!) : (text) => text;
}

/** Returns the beginning of the first non-empty value, cut behind a word (`no_match_size`). */
function noMatch({ values }: FieldText, options: HighlightOptions): string[] {
  const value = values.find((text) => text !== '');
  if (options.noMatchSize <= 0 || value === undefined) return [];
  if (options.noMatchSize >= value.length) return [trimText(encoder(options)(value))];
  const end = breakList(() => wordBreaks(value)).following(options.noMatchSize);
  return [trimText(encoder(options)(value.slice(0, end < 0 ? value.length : end)))];
}

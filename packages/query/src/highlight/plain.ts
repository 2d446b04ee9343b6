import type { FieldText } from './field-text.js';
import type { HighlightOptions } from './highlight-spec.js';
import { sortedInSteps, STEP_ITEMS, type Steps } from './steps.js';
import type { TextMatch } from './text-match.js';
import { encoder } from './unified.js';

interface Fragment {
  text: string;
  readonly terms: Set<string>;
}

/** A value of a field with what is marked in it. */
export interface PlainValue {
  /** The value alone: its positions begin at 0. */
  readonly text: FieldText;
  readonly found: readonly TextMatch[];
}

/**
 * Returns fragments as Elasticsearch's plain highlighter does: each value is cut between tokens whenever a multiple of
 * the size is passed; fragments score by their number of distinct terms.
 */
export function* plainFragments(values: readonly PlainValue[], options: HighlightOptions): Steps<string[]> {
  const isWhole = options.numberOfFragments === 0;
  const max = isWhole ? 1 : options.numberOfFragments;
  const fragments: Fragment[] = [];
  for (const { text, found } of values) {
    const cut = (yield* cutValue(text, yield* termsByToken(text, found), found, options)).filter(
      ({ terms }) => terms.size > 0,
    );
    const best = new Set([...cut].sort(byScore).slice(0, max));
    for (const fragment of cut) if (best.has(fragment)) fragments.push(fragment);
  }
  const best = isWhole ? fragments : [...fragments].sort(byScore).slice(0, max);
  const chosen = new Set(best);
  const ordered = options.isScoreOrdered ? best : fragments.filter((fragment) => chosen.has(fragment));
  if (ordered.length > 0) return ordered.map((fragment) => fragment.text);
  const first = values[0]?.text;
  if (options.noMatchSize <= 0 || first === undefined) return [];
  const excerpt = cutAtToken(first, options.noMatchSize);
  return excerpt === '' ? [] : [excerpt];
}

const byScore = (a: Fragment, b: Fragment): number => b.terms.size - a.terms.size;

/** Returns the terms of the tokens that matches contain, by token index. */
function* termsByToken({ tokens }: FieldText, matches: readonly TextMatch[]): Steps<Map<number, string>> {
  const terms = new Map<number, string>();
  const areas: TextMatch[] = [];
  for (let i = 0; i < matches.length; i++) {
    if (i % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const own = matches[i]!.tokens;
    if (own === undefined) areas.push(matches[i]!);
    for (const token of own ?? []) terms.set(token, tokens.terms[token]!);
  }
  const sorted = yield* sortedInSteps(areas, (a, b) => a.start - b.start);
  const ends = new Int32Array(sorted.length);
  for (let i = 0, end = 0; i < sorted.length; i++) ends[i] = end = Math.max(end, sorted[i]!.end);
  for (let i = 0; i < tokens.terms.length; i++) {
    if (i % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const before = countUpTo(sorted, tokens.startOffsets[i]!);
    if (before > 0 && ends[before - 1]! >= tokens.endOffsets[i]!) terms.set(i, tokens.terms[i]!);
  }
  return terms;
}

/** Returns how many of the matches, ascending by start, begin at `offset` or before it. */
function countUpTo(matches: readonly TextMatch[], offset: number): number {
  let low = 0;
  let high = matches.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (matches[middle]!.start <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function* cutValue(
  { tokens, text: content }: FieldText,
  byToken: ReadonlyMap<number, string>,
  found: readonly TextMatch[],
  options: HighlightOptions,
): Steps<Fragment[]> {
  const encode = encoder(options);
  const isNewFragment = fragmenterOf(tokens, found, content.length, options);
  const fragments: Fragment[] = [{ text: '', terms: new Set() }];
  let at = 0;
  for (let i = 0; i < tokens.terms.length; i++) {
    if (i % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const start = tokens.startOffsets[i]!;
    const end = tokens.endOffsets[i]!;
    if (start < at || end > content.length) continue;
    if (at > 0 && isNewFragment(i)) fragments.push({ text: '', terms: new Set() });
    const fragment = fragments.at(-1)!;
    const term = byToken.get(i);
    const word = encode(content.slice(start, end));
    fragment.text +=
      encode(content.slice(at, start)) +
      (term === undefined ? word : options.preTags[0]! + word + options.postTags[0]!);
    if (term !== undefined) fragment.terms.add(term);
    at = end;
  }
  fragments.at(-1)!.text += encode(content.slice(at));
  return fragments;
}

/**
 * Returns whether a fragment begins with token `i`; called for ascending tokens but the first. After Lucene's
 * SimpleSpanFragmenter, which counts positions from the second token on: it means not to cut phrases, but holds back
 * the token behind one.
 */
function fragmenterOf(
  tokens: FieldText['tokens'],
  found: readonly TextMatch[],
  length: number,
  { fragmentSize, numberOfFragments, fragmenter }: HighlightOptions,
): (i: number) => boolean {
  if (numberOfFragments === 0) return () => false;
  const isSpan = fragmenter !== 'simple';
  const spans = isSpan ? spansByTerm(tokens, found) : new Map<string, Map<number, number>>();
  let fragments = 1;
  let waitsFor = -1;
  let position = -1;
  return (i) => {
    const end = tokens.endOffsets[i]!;
    position += tokens.positions[i]! - tokens.positions[i - 1]!;
    if (waitsFor <= position) waitsFor = -1;
    else if (waitsFor !== -1) return false;
    waitsFor = spans.get(tokens.terms[i]!)?.get(position) ?? waitsFor;
    const hasRest = !isSpan || length - end >= fragmentSize >>> 1;
    if (end < fragmentSize * fragments || !hasRest) return false;
    fragments++;
    return true;
  };
}

/** Returns, by each term of a phrase, the position behind the phrase by its first position. */
function spansByTerm(tokens: FieldText['tokens'], found: readonly TextMatch[]): Map<string, Map<number, number>> {
  const spans = new Map<string, Map<number, number>>();
  for (const { tokens: own = [] } of found) {
    const positions = own.map((i) => tokens.positions[i]!);
    for (const i of own) {
      const ends = spans.get(tokens.terms[i]!) ?? new Map<number, number>();
      spans.set(tokens.terms[i]!, ends.set(Math.min(...positions), Math.max(...positions) + 1));
    }
  }
  return spans;
}

/** Returns the text up to the last token that ends within the size. */
function cutAtToken({ tokens, text }: FieldText, size: number): string {
  let end = 0;
  for (const offset of tokens.endOffsets) {
    if (offset > size) break;
    if (offset > end) end = offset;
  }
  return text.slice(0, end);
}

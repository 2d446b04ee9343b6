import type { FieldText } from './field-text.js';
import type { HighlightOptions } from './highlight-spec.js';
import type { TextMatch } from './text-match.js';
import { encoder } from './unified.js';

interface Fragment {
  text: string;
  readonly terms: Set<string>;
  readonly order: number;
}

/**
 * Returns fragments as Elasticsearch's plain highlighter does: cut between tokens whenever a multiple of the size is
 * passed, scored by the number of distinct terms.
 */
export function plainFragments(
  text: FieldText,
  found: readonly TextMatch[] | null,
  options: HighlightOptions,
): string[] {
  const byToken = termsByToken(text, found ?? []);
  const fragments = text.values
    .flatMap((_, value) => cutValue(text, value, byToken, options))
    .filter(({ terms }) => terms.size > 0);
  const max = options.numberOfFragments === 0 ? fragments.length : options.numberOfFragments;
  const best = [...fragments].sort((a, b) => b.terms.size - a.terms.size).slice(0, max);
  const chosen = new Set(best);
  const ordered = options.isScoreOrdered ? best : fragments.filter((fragment) => chosen.has(fragment));
  if (ordered.length > 0) return ordered.map((fragment) => fragment.text);
  const first = text.values.find((value) => value !== '');
  return options.noMatchSize > 0 && first !== undefined
    ? [encoder(options)(cutAtToken(text, first, options.noMatchSize))]
    : [];
}

/** Returns the terms of the tokens that matches contain, by token index. */
function termsByToken({ tokens }: FieldText, matches: readonly TextMatch[]): Map<number, string> {
  const terms = new Map<number, string>();
  for (const { tokens: own } of matches) for (const i of own ?? []) terms.set(i, tokens.terms[i]!);
  const areas = matches.filter((match) => match.tokens === undefined).sort((a, b) => a.start - b.start);
  const ends = new Int32Array(areas.length);
  for (let i = 0, end = 0; i < areas.length; i++) ends[i] = end = Math.max(end, areas[i]!.end);
  for (let i = 0; i < tokens.terms.length; i++) {
    const before = countUpTo(areas, tokens.startOffsets[i]!);
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

/** Returns the first token at `offset` or behind it; tokens of one value lie before those of the next. */
function firstToken(startOffsets: readonly number[], offset: number): number {
  let low = 0;
  let high = startOffsets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (startOffsets[middle]! < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function cutValue(
  text: FieldText,
  value: number,
  byToken: ReadonlyMap<number, string>,
  options: HighlightOptions,
): Fragment[] {
  const { tokens } = text;
  const base = text.starts[value]!;
  const content = text.values[value]!;
  const encode = encoder(options);
  const fragments: Fragment[] = [{ text: '', terms: new Set(), order: 0 }];
  let at = 0;
  for (let i = firstToken(tokens.startOffsets, base); i < tokens.terms.length; i++) {
    const start = tokens.startOffsets[i]! - base;
    const end = tokens.endOffsets[i]! - base;
    if (start > content.length) break;
    if (start < at || start < 0 || end > content.length) continue;
    if (at > 0 && isNewFragment(end, content.length, fragments.length, options))
      fragments.push({ text: '', terms: new Set(), order: fragments.length });
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

function isNewFragment(
  end: number,
  length: number,
  fragments: number,
  { fragmentSize, numberOfFragments }: HighlightOptions,
): boolean {
  return numberOfFragments > 0 && end >= fragmentSize * fragments && length - end >= fragmentSize >>> 1;
}

/** Returns the text up to the last token that ends within the size. */
function cutAtToken({ tokens, starts, values }: FieldText, value: string, size: number): string {
  const base = starts[values.indexOf(value)]!;
  let end = 0;
  for (let i = 0; i < tokens.terms.length; i++) {
    const offset = tokens.endOffsets[i]! - base;
    if (offset > size) break;
    if (offset > end) end = offset;
  }
  return value.slice(0, end);
}

import type { Fragmenter } from './fragments.js';
import type { FieldText } from './field-text.js';
import { STEP_ITEMS, type Steps } from './steps.js';
import type { TextMatch } from './text-match.js';

/** A fragment of a field's text with the matches in it. */
export interface Passage {
  readonly start: number;
  readonly end: number;
  readonly score: number;
  readonly matches: readonly TextMatch[];
}

/** Parameters k1 and b of Lucene's PassageScorer; below, its length of an average fragment. */
const K1 = 1.2;
const B = 0.75;
const PIVOT = 87;

const f = Math.fround;

function termWeight(contentLength: number, freqInDoc: number): number {
  const fragments = 1 + contentLength / PIVOT;
  return f((K1 + 1) * Math.log(1 + (fragments + 0.5) / (freqInDoc + 0.5)));
}

function termFrequency(freq: number, length: number): number {
  return f(freq / (freq + f(K1 * f(1 - B + f(B * f(length / PIVOT))))));
}

function scoreOf(start: number, end: number, matches: readonly TextMatch[], contentLength: number): number {
  const freqs = new Map<string, number>();
  for (const { term } of matches) freqs.set(term, (freqs.get(term) ?? 0) + 1);
  let score = 0;
  for (const freq of freqs.values())
    score = f(score + f(termFrequency(freq, end - start) * termWeight(contentLength, 1)));
  return f(score * f(1 + 1 / f(Math.log(PIVOT + start))));
}

/** Returns the fragmenter of one value of a field. */
export type FragmenterOf = (value: string) => Fragmenter;

/**
 * Returns the best fragments with matches, at most `max`, in the order of the text. `matches` ascend by start. After
 * Lucene's FieldHighlighter: a match that begins behind the end of a fragment opens the next fragment.
 */
export function* bestPassages(
  text: FieldText,
  matches: readonly TextMatch[],
  fragmenterOf: FragmenterOf,
  max: number,
): Steps<Passage[]> {
  const all: Passage[] = [];
  let start = -1;
  let end = -1;
  let own: TextMatch[] = [];
  let value = -1;
  let fragmenter: Fragmenter | null = null;
  const close = (): void => {
    if (own.length > 0) all.push({ start, end, score: scoreOf(start, end, own, text.text.length), matches: own });
    own = [];
  };
  for (let i = 0; i < matches.length; i++) {
    const match = matches[i]!;
    if (i % STEP_ITEMS === STEP_ITEMS - 1) yield;
    if (match.start >= end) {
      close();
      const at = valueAt(text, match.start);
      if (at !== value) fragmenter = fragmenterOf(text.values[at]!);
      value = at;
      const base = text.starts[at]!;
      const around = fragmenter!.around(match.start - base, match.end - base);
      start = Math.min(match.start, Math.max(base + around.start, end));
      end = Math.max(match.end, base + around.end);
    }
    own.push(match);
  }
  close();
  return keepBest(all, max);
}

function valueAt({ starts }: FieldText, offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns the passages with the best scores. Of equal scores the later passage is kept, as in Lucene's queue. */
function keepBest(passages: readonly Passage[], max: number): Passage[] {
  if (passages.length <= max) return [...passages];
  const best = [...passages].sort((a, b) => b.score - a.score || b.start - a.start).slice(0, max);
  return best.sort((a, b) => a.start - b.start);
}

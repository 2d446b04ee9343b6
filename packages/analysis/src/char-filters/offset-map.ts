import type { FilteredText } from '../token.js';

/** Builds a filtered text piece by piece and records the offsets of each piece in the original text. */
export interface TextBuilder {
  /** Appends `text`, which replaces [start, end) of the original text. */
  append(text: string, start: number, end: number): void;
  finish(): FilteredText;
}

/**
 * A `TextBuilder` for character filters. An offset inside a replacement maps to the start of the replaced text, the end
 * of a replacement to the end of the replaced text.
 */
export function textBuilder(): TextBuilder {
  let text = '';
  const froms: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const lengths: number[] = [];
  const pieceAt = (offset: number): number => {
    let low = 0;
    let high = froms.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (froms[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const correct = (offset: number): number => {
    if (froms.length === 0) return offset;
    const i = pieceAt(offset);
    const into = offset - froms[i]!;
    const isCopy = ends[i]! - starts[i]! === lengths[i]!;
    if (isCopy) return starts[i]! + into;
    return into === 0 ? starts[i]! : into >= lengths[i]! ? ends[i]! : Math.min(starts[i]! + into, ends[i]!);
  };
  return {
    append(piece, start, end) {
      froms.push(text.length);
      starts.push(start);
      ends.push(end);
      lengths.push(piece.length);
      text += piece;
    },
    finish: () => ({ text, correct }),
  };
}

import type { TokenList } from './analyzer.js';

/** An empty list, to be filled again and again by one analyzer. */
export function newTokenList(): TokenList {
  return { count: 0, terms: [], positions: [], startOffsets: [], endOffsets: [], types: [], positionLengths: [], endPosition: 0 };
}

/** Adds a token of length one. `type` is written only when `detail` is set. */
export function pushToken(list: TokenList, term: string, position: number, start: number, end: number): void {
  const i = list.count++;
  list.terms[i] = term;
  list.positions[i] = position;
  list.startOffsets[i] = start;
  list.endOffsets[i] = end;
  list.positionLengths[i] = 1;
}

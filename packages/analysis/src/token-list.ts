import type { TokenList } from './analyzer.js';

/** An empty list, which one analyzer reuses for all texts. */
export function newTokenList(): TokenList {
  return {
    count: 0,
    terms: [],
    positions: [],
    startOffsets: [],
    endOffsets: [],
    types: [],
    positionLengths: [],
    endPosition: 0,
  };
}

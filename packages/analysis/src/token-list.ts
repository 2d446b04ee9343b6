import type { TokenList } from './analyzer.js';

/** An empty list, to be filled again and again by one analyzer. */
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

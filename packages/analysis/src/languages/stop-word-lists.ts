/** Stop words by language, as the analyzers of Lucene 9 use them (from the Snowball project and other public word lists). */
export const STOP_WORDS: ReadonlyMap<string, string> = new Map([
  ['english', 'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with'],
]);

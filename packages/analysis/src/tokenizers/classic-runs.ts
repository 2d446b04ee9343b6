/** Chinese and Japanese characters of the grammar of Lucene's ClassicTokenizer: each is a token. */
const CJ =
  '\\u3040-\\u30ff\\u3100-\\u312f\\u31f0-\\u31ff\\u3300-\\u337f\\u3400-\\u4dbf\\u4e00-\\u9fff' +
  '\\uf900-\\ufaff\\uff65-\\uff9f';
const IS_CJ = new RegExp(`^[${CJ}]`, 'u');
const LETTER = new RegExp(`^(?![${CJ}])\\p{L}`, 'u');
/** Thai marks are parts of words too. */
const WORD = new RegExp(`^(?![${CJ}])[\\p{L}\\p{Nd}\\u0e00-\\u0e59]`, 'u');

const isCharacter =
  (expression: RegExp) =>
  (text: string, i: number): boolean =>
    i < text.length && expression.test(text[i]!);

/** Whether the UTF-16 unit at `i` is a Chinese or Japanese character. */
export const isCj = isCharacter(IS_CJ);
const isLetter = isCharacter(LETTER);
const isWord = isCharacter(WORD);
const isDigit = isCharacter(/^\p{Nd}/u);

/** A maximal run of letters and digits. */
export interface Run {
  readonly start: number;
  readonly end: number;
  /** End of the letters that it begins with. */
  readonly lettersEnd: number;
  readonly hasDigit: boolean;
  /** The character between it and the next run; empty if there are more or none. */
  readonly separator: string;
}

/** For each run the last run that chains of one kind lead to, from it on, each link one separator. */
export interface Chains {
  /** By `.`: host names. */
  readonly host: Int32Array;
  /** By `.`, `-`, `_`: local names of mail addresses. */
  readonly local: Int32Array;
  /** By `.`, `-`: domains of mail addresses. */
  readonly domain: Int32Array;
  /** By `.`, `-`, `_`, `/`, `,`, with a digit in the second run, the fourth … */
  readonly oddDigits: Int32Array;
  /** The same with a digit in the first run, the third …; this run is taken to have one. */
  readonly evenDigits: Int32Array;
  /** By `'` between runs of letters only; the last one need only begin with a letter. */
  readonly apostrophe: Int32Array;
}

/** The runs of letters and digits of a text, in order. */
export function runsOf(text: string): Run[] {
  const runs: Run[] = [];
  for (let i = 0; i < text.length; i++) {
    if (!isWord(text, i)) continue;
    const start = i;
    while (isLetter(text, i)) i++;
    const lettersEnd = i;
    let hasDigit = false;
    for (; isWord(text, i); i++) hasDigit ||= isDigit(text, i);
    const separator = isWord(text, i + 1) ? text[i]! : '';
    runs.push({ start, end: i, lettersEnd, hasDigit, separator });
  }
  return runs;
}

/** Follows the chains from the last run to the first, so that all of a text take linear time. */
export function chainsOf(runs: readonly Run[]): Chains {
  const make = (): Int32Array => Int32Array.from(runs, (_, i) => i);
  const chains = {
    host: make(),
    local: make(),
    domain: make(),
    oddDigits: make(),
    evenDigits: make(),
    apostrophe: make(),
  };
  for (let i = runs.length - 2; i >= 0; i--) {
    const { separator, end, lettersEnd } = runs[i]!;
    const next = runs[i + 1]!;
    const link = (chain: Int32Array, separators: string): void => {
      if (separators.includes(separator)) chain[i] = chain[i + 1]!;
    };
    if (separator === '') continue;
    link(chains.host, '.');
    link(chains.local, '.-_');
    link(chains.domain, '.-');
    if ('_-/.,'.includes(separator)) {
      if (next.hasDigit) chains.oddDigits[i] = chains.evenDigits[i + 1]!;
      chains.evenDigits[i] = chains.oddDigits[i + 1]!;
    }
    if (separator === "'" && lettersEnd === end && next.lettersEnd > next.start) link(chains.apostrophe, "'");
  }
  return chains;
}

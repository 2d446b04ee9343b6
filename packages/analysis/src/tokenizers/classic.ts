import type { TokenizerFactory } from '../component.js';
import { newToken, type Token } from '../token.js';
import { type Chains, chainsOf, isCj, type Run, runsOf } from './classic-runs.js';

/** The text with its runs, and the place where the next token begins: in run `at`, perhaps behind its letters. */
interface Place {
  readonly text: string;
  readonly runs: readonly Run[];
  readonly chains: Chains;
  readonly at: number;
  readonly start: number;
}

/** A kind of token: returns where it ends, or -1 if none begins at a place. */
type Kind = readonly [type: string, endOf: (place: Place) => number];

const isWhole = ({ runs, at, start }: Place): boolean => start === runs[at]!.start;
const endOfRun = ({ runs }: Place, i: number): number => runs[i]!.end;

function company(place: Place): number {
  const { runs, at } = place;
  const { lettersEnd, end, separator } = runs[at]!;
  const next = runs[at + 1];
  if (!isWhole(place) || lettersEnd !== end || next === undefined) return -1;
  return (separator === '&' || separator === '@') && next.lettersEnd > next.start ? next.lettersEnd : -1;
}

function apostrophe(place: Place): number {
  const last = place.chains.apostrophe[place.at]!;
  return isWhole(place) && last > place.at ? place.runs[last]!.lettersEnd : -1;
}

/** Single letters, each with a dot behind it, two at least. */
function acronym(place: Place): number {
  const { text, runs, at } = place;
  let i = at;
  while (i < runs.length && runs[i]!.end - runs[i]!.start === 1 && runs[i]!.lettersEnd === runs[i]!.end) {
    if (text[runs[i]!.end] !== '.') break;
    i++;
    if (runs[i - 1]!.separator !== '.') break;
  }
  return isWhole(place) && i - at > 1 ? runs[i - 1]!.end + 1 : -1;
}

function email(place: Place): number {
  const { runs, chains, at } = place;
  const local = chains.local[at]!;
  if (runs[local]!.separator !== '@') return -1;
  const last = chains.domain[local + 1]!;
  return last > local + 1 ? endOfRun(place, last) : -1;
}

function host(place: Place): number {
  const last = place.chains.host[place.at]!;
  return last > place.at ? endOfRun(place, last) : -1;
}

function number(place: Place): number {
  const { runs, chains, at } = place;
  const last = Math.max(chains.oddDigits[at]!, runs[at]!.hasDigit ? chains.evenDigits[at]! : at);
  return last > at ? endOfRun(place, last) : -1;
}

/** A host name with a dot behind it, which is not part of the term. */
function dottedHost(place: Place): number {
  const end = host(place);
  return end !== -1 && place.text[end] === '.' ? end + 1 : -1;
}

/** Kinds of tokens of Lucene's ClassicTokenizer in the order of its grammar: the longest wins, then the first. */
const KINDS: readonly Kind[] = [
  ['<ALPHANUM>', (place) => endOfRun(place, place.at)],
  ['<APOSTROPHE>', apostrophe],
  ['<ACRONYM>', acronym],
  ['<COMPANY>', company],
  ['<EMAIL>', email],
  ['<HOST>', host],
  ['<NUM>', number],
  ['<ACRONYM_DEP>', dottedHost],
];

function tokenAt(place: Place): Token {
  let [type, end] = ['', -1];
  for (const [kind, endOf] of KINDS) {
    const found = endOf(place);
    if (found > end) [type, end] = [kind, found];
  }
  const { text, start } = place;
  return type === '<ACRONYM_DEP>'
    ? newToken(text.slice(start, end - 1), start, end, 0, '<HOST>')
    : newToken(text.slice(start, end), start, end, 0, type);
}

/** Tokens of a text, those that are too long included. */
function* tokensOf(text: string): Iterable<Token> {
  const runs = runsOf(text);
  const chains = chainsOf(runs);
  let at = 0;
  for (let i = 0; i < text.length; ) {
    while (at < runs.length && runs[at]!.end <= i) at++;
    const run = runs[at];
    if (run !== undefined && run.start <= i) {
      const token = tokenAt({ text, runs, chains, at, start: i });
      yield token;
      i = token.end;
    } else {
      if (isCj(text, i)) yield newToken(text[i]!, i, i + 1, 0, '<CJ>');
      i++;
    }
  }
}

/**
 * `classic`: words, acronyms, companies, mail addresses, host names and numbers, as the grammar of Lucene 9.9
 * ClassicTokenizer. Tokens longer than `max_token_length` (255 by default) are removed.
 */
export const classic: TokenizerFactory = {
  create(name, parameters) {
    const maxLength = parameters.integer('max_token_length', 255);
    return {
      name,
      tokenize(text) {
        const tokens: Token[] = [];
        let position = 0;
        for (const token of tokensOf(text)) {
          if (token.end - token.start <= maxLength) tokens.push({ ...token, position });
          position++;
        }
        return { tokens, endPosition: position };
      },
    };
  },
};

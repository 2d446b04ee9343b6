import type { Hit } from '@shoal/values';

/** Marks around what matched: of the private use area, so that no document's markup is taken for one. */
const OPEN = '\ue000';
const CLOSE = '\ue001';
/** Fields with texts beyond which nothing is marked: each costs the cluster work for each document. */
const FIELDS_MAX = 500;
const TEXTS: ReadonlySet<string> = new Set(['text', 'keyword', 'wildcard', 'match_only_text', 'constant_keyword']);

/** Whether matches are marked in documents with such fields. */
export const areMarked = (types: readonly string[]): boolean =>
  types.filter((type) => TEXTS.has(type)).length <= FIELDS_MAX;

/** The part of a search that asks for what matched: short pieces, also of long texts. */
export const MARKS: object = {
  fields: { '*': {} },
  pre_tags: [OPEN],
  post_tags: [CLOSE],
  fragment_size: 100,
  number_of_fragments: 5,
  max_analyzed_offset: 100_000,
};

/** Words that matched by field; those of `title.keyword` are those of `title`, too. */
export type MatchedWords = ReadonlyMap<string, readonly string[]>;

const NOTHING: MatchedWords = new Map();

/** The words that matched in a hit. */
export function matchedWords({ others }: Pick<Hit, 'others'>): MatchedWords {
  const text = others.find(([name]) => name === 'highlight')?.[1];
  if (text === undefined) return NOTHING;
  const found = new Map<string, Set<string>>();
  for (const [field, pieces] of Object.entries(JSON.parse(text) as Record<string, readonly string[]>))
    for (const piece of pieces)
      for (const [, word] of piece.matchAll(/\ue000([^\ue001]+)\ue001/g))
        for (const name of [field, field.replace(/\.[^.]+$/, '')])
          found.set(name, (found.get(name) ?? new Set()).add(word!));
  return new Map([...found].map(([name, words]) => [name, [...words].toSorted((a, b) => b.length - a.length)]));
}

/** A part of a text. */
export interface TextPart {
  readonly text: string;
  readonly isMarked: boolean;
}

const isLetter = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_]/u.test(char);

/** A text cut at the words that matched, where they stand alone. */
export function markedParts(text: string, words: readonly string[]): readonly TextPart[] {
  if (words.length === 0) return [{ text, isMarked: false }];
  const parts: TextPart[] = [];
  let from = 0;
  const stands = (at: number, word: string): boolean =>
    !(isLetter(text[at - 1]) && isLetter(word[0])) && !(isLetter(text[at + word.length]) && isLetter(word.at(-1)));
  for (let at = 0; at < text.length; ) {
    const word = words.find((one) => text.startsWith(one, at) && stands(at, one));
    if (word === undefined) {
      at++;
      continue;
    }
    if (at > from) parts.push({ text: text.slice(from, at), isMarked: false });
    parts.push({ text: word, isMarked: true });
    at += word.length;
    from = at;
  }
  if (from < text.length || parts.length === 0) parts.push({ text: text.slice(from), isMarked: false });
  return parts;
}

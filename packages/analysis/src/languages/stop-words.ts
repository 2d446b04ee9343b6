import { STOP_WORDS } from './stop-word-lists.js';

/** The stop words of a language by its name (`english`), or null. */
export function stopWords(language: string): ReadonlySet<string> | null {
  const text = STOP_WORDS.get(language);
  return text === undefined ? null : new Set(text.split(' '));
}

/** A set from the entries of a `stopwords` list; `_english_` stands for a language's words, `_none_` for nothing. */
export function wordSet(entries: readonly string[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const entry of entries) {
    const named = /^_(\w+)_$/.exec(entry)?.[1];
    if (named === 'none') continue;
    const language = named === undefined ? null : stopWords(named);
    for (const word of language ?? [entry]) words.add(word);
  }
  return words;
}

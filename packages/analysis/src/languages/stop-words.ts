import { STOP_WORDS } from './stop-word-lists.js';

/** Stop words of a language by its name, such as `english`; null if there is no list. */
export function stopWords(language: string): ReadonlySet<string> | null {
  const text = STOP_WORDS.get(language);
  return text === undefined ? null : new Set(text.split(' '));
}

/**
 * Set of the words of a `stopwords` list. An entry such as `_english_` stands for the words of a language, `_none_` for
 * none.
 */
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

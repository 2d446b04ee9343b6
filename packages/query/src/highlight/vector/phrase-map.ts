import type { FlatPhrase } from './flat-terms.js';

/** A node of the tree of terms, after Lucene's QueryPhraseMap: the terms that may follow, the phrase that ends here. */
export interface PhraseNode {
  readonly next: Map<string, PhraseNode>;
  /** The phrase whose last term this is; null if the node is only the beginning of phrases. */
  end: { readonly slop: number; readonly boost: number; readonly number: number } | null;
}

const newNode = (): PhraseNode => ({ next: new Map(), end: null });

/**
 * Returns the tree of the terms and phrases that are shown in a field, and null for fields without any. Numbers of
 * phrases count over all fields: they choose the tags.
 */
export function phraseMaps(flat: readonly FlatPhrase[]): (isField: (field: string) => boolean) => PhraseNode | null {
  const phrases = joinedPhrases(flat);
  return (isField) => {
    const root = newNode();
    phrases.forEach(({ field, terms, slop, boost }, number) => {
      if (!isField(field)) return;
      let node = root;
      for (const term of terms) {
        let next = node.next.get(term);
        if (next === undefined) node.next.set(term, (next = newNode()));
        node = next;
      }
      node.end = { slop, boost, number };
    });
    return root.next.size === 0 ? null : root;
  };
}

/** Adds, behind each phrase, those that it forms with an overlapping one: `a b` and `b c` form `a b c`. */
function joinedPhrases(flat: readonly FlatPhrase[]): FlatPhrase[] {
  const joined = new Map<string, FlatPhrase>();
  const add = (phrase: FlatPhrase): void => {
    const key = JSON.stringify(phrase);
    if (!joined.has(key)) joined.set(key, phrase);
  };
  flat.forEach((phrase, i) => {
    add(phrase);
    if (phrase.terms.length === 1) return;
    for (const other of flat.slice(i + 1)) {
      if (other.terms.length === 1 || other.slop !== phrase.slop || other.field !== phrase.field) continue;
      for (const terms of overlaps(phrase.terms, other.terms)) add({ ...phrase, terms, boost: 1 });
      for (const terms of overlaps(other.terms, phrase.terms)) add({ ...phrase, terms, boost: 1 });
    }
  });
  return [...joined.values()];
}

/** Returns `first` continued by `second`, for each way in which the end of the one is the beginning of the other. */
function overlaps(first: readonly string[], second: readonly string[]): string[][] {
  const found: string[][] = [];
  for (let i = 1; i < first.length; i++) {
    const shared = first.length - i;
    if (shared >= second.length) continue;
    if (first.slice(i).every((term, k) => term === second[k])) found.push([...first, ...second.slice(shared)]);
  }
  return found;
}

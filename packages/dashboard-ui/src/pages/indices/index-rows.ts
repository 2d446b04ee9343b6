/** A row of `_cat/indices`; bytes and counts are texts, null for closed indices. */
export interface IndexRow {
  readonly health: string | null;
  readonly status: string;
  readonly index: string;
  readonly pri: string | null;
  readonly rep: string | null;
  readonly 'docs.count': string | null;
  readonly 'store.size': string | null;
}

/** Indices whose name has the text; hidden ones (their name begins with a dot) only if asked for. */
export function shownIndices(rows: readonly IndexRow[], text: string, hasHidden: boolean): readonly IndexRow[] {
  const wanted = text.trim().toLowerCase();
  return rows.filter(({ index }) => (hasHidden || !index.startsWith('.')) && index.toLowerCase().includes(wanted));
}

/** A part of a path: names may have any character. */
export const inPath = (name: string): string => encodeURIComponent(name);

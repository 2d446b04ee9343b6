/** Requests that are kept. */
export const HISTORY_MAX = 500;
/** Longest request that is kept, in characters. */
const ENTRY_CHARACTERS_MAX = 100_000;
/** A request that was run. */
export interface HistoryEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly text: string;
  readonly status: number;
}

/** The history with a new entry: an equal request moves to the front, and the oldest leave. */
export function withEntry(history: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] {
  if (entry.text.length > ENTRY_CHARACTERS_MAX) return history;
  return [entry, ...history.filter(({ text }) => text !== entry.text)].slice(0, HISTORY_MAX);
}

import { type HistoryEntry, withEntry } from './history-entries.js';
import { storedJson, storeText } from '../../state/browser-storage.js';

const NAME = 'console:history';

const isHistory = (value: unknown): value is readonly HistoryEntry[] =>
  Array.isArray(value) && value.every((one) => typeof (one as HistoryEntry | null)?.text === 'string');

/** The history, the newest first. */
export const readHistory = (): readonly HistoryEntry[] => storedJson(NAME, isHistory, []);

/** Adds a request. A storage that is full drops the older half until the entry fits. */
export function addToHistory(entry: HistoryEntry): void {
  let history = withEntry(readHistory(), entry);
  while (!storeText(NAME, JSON.stringify(history)) && history.length > 1)
    history = history.slice(0, Math.ceil(history.length / 2));
}

/** Forgets all requests. */
export const clearHistory = (): void => void storeText(NAME, null);

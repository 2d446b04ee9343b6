import type { Clock } from '@shoal/doors';
import type { SecurityDocument, SecurityDocuments, SecurityIndex } from './documents.js';

/** Most documents removed by one run; the next run finds the rest. */
const BATCH = 1_000;

/** What to remove, from which index, and how often. */
export interface SweepOptions {
  readonly documents: SecurityDocuments;
  readonly clock: Clock;
  readonly index: SecurityIndex;
  readonly intervalMs: number;
  /** Query that finds useless documents at a time. */
  readonly query: (nowMs: number) => Readonly<Record<string, unknown>>;
  /** Checks a hit again, by its source: whether it really is useless. */
  readonly isUseless: (document: SecurityDocument, nowMs: number) => boolean;
}

/** Returns a function that removes useless documents. A call less than `intervalMs` after the last run does nothing. */
export function createSweep({
  documents,
  clock,
  index,
  intervalMs,
  query,
  isUseless,
}: SweepOptions): () => Promise<void> {
  let lastMs = clock.now();
  return async () => {
    const nowMs = clock.now();
    if (nowMs - lastMs < intervalMs) return;
    lastMs = nowMs;
    const found = await documents.search(index, { size: BATCH, query: query(nowMs) });
    for (const document of found.documents) if (isUseless(document, nowMs)) await documents.remove(index, document.id);
  };
}

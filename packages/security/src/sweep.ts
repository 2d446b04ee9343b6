import type { Clock } from '@shoal/doors';
import type { SecurityDocument, SecurityDocuments, SecurityIndex } from './documents.js';

/** Removed at once; what is left is found the next time. */
const BATCH = 1_000;

export interface SweepOptions {
  readonly documents: SecurityDocuments;
  readonly clock: Clock;
  readonly index: SecurityIndex;
  readonly intervalMs: number;
  /** Finds what is of no use any more at a time. */
  readonly query: (nowMs: number) => Readonly<Record<string, unknown>>;
  /** Whether a document that was found really is. */
  readonly isUseless: (document: SecurityDocument, nowMs: number) => boolean;
}

/** Removes documents that are of no use any more, when it is called after `intervalMs` without it. */
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

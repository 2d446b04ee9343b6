import type { Engine } from './engine.js';
import { committedParts, replayLog } from './replay.js';
import type { Searchers } from './searchers.js';

/** Names of views differ from those before each rollback, for caches by name. */
const CHANGES_STEP = 2 ** 32;

/**
 * Cuts the log above an operation and takes the engine back to it: the newest commit that is left, and the log above
 * that replayed. Nothing may be written, flushed or committed meanwhile. An error ends the store: the engine is neither
 * here nor there.
 */
export async function rollBack(engine: Engine, searchers: Searchers, maxSeqNo: number): Promise<void> {
  await engine.store.synced();
  if (maxSeqNo >= engine.maxSeqNo) return;
  const reset = resetTo(engine, searchers, maxSeqNo);
  engine.resetting = reset.then(
    () => undefined,
    () => undefined,
  );
  try {
    await reset;
  } finally {
    engine.resetting = null;
  }
}

async function resetTo(engine: Engine, searchers: Searchers, maxSeqNo: number): Promise<void> {
  engine.rollbacks++;
  engine.rolledBackTo = Math.min(engine.rolledBackTo, maxSeqNo);
  const before = engine.sealed;
  try {
    await engine.store.truncate(maxSeqNo);
    const parts = committedParts(engine);
    for (const part of parts) part.changes = part.committedChanges = engine.rollbacks * CHANGES_STEP;
    engine.reset(parts);
    await replayLog(engine);
  } catch (error) {
    throw engine.store.fail(error);
  }
  for (const part of before) searchers.release(part);
  searchers.refresh();
}

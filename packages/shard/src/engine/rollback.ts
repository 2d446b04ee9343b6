import type { Engine } from './engine.js';
import { committedParts, replayLog } from './replay.js';
import type { Searchers } from './searchers.js';

/**
 * Step of the change counters at each rollback. Cache keys contain the counters, so a view after a rollback never has
 * the key of one before.
 */
const CHANGES_STEP = 2 ** 32;

/**
 * Truncates the log above operation `maxSeqNo` and resets the engine to that operation: to the newest commit left, with
 * the log above it replayed. No write, flush or commit may run meanwhile. An error ends the store, because the engine
 * is half reset.
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

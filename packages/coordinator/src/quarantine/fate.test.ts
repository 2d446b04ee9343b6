import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexMetadata } from '@shoal/state';
import { stateWith } from '../fake-cluster.js';
import { type Fate, fateOf } from './fate.js';
import { quarantines } from './quarantine-index.js';

const DAY_MS = 86_400_000;
const ALIAS = '.quarantine-logs';

/** Two indices of a quarantine; the second is written to. Made on day 0, rolled on day 1. */
function twoIndices(change: IndexMetadata['settings'] = {}) {
  const index = (n: number, isWriteIndex: boolean) => ({
    name: `${ALIAS}-00000${n}`,
    shards: [['n1']],
    aliases: { [ALIAS]: { isWriteIndex, isHidden: true } },
    settings: { 'index.creation_date': '0', ...(isWriteIndex ? change : {}) },
  });
  const [quarantine] = quarantines(stateWith([index(1, false), index(2, true)]));
  const [rolled, written] = quarantine!.indices as [IndexMetadata, IndexMetadata];
  const old = { ...rolled, rolloverInfo: { [ALIAS]: { met_conditions: {}, time: DAY_MS } } };
  return { quarantine: { ...quarantine!, indices: [old, written] }, rolled: old, written };
}

test('a rolled index goes when it is empty, but not while a write may be on its way', () => {
  const { quarantine, rolled } = twoIndices();
  const fate = (entries: number, nowMs: number): Fate => fateOf(quarantine, rolled, entries, 30 * DAY_MS, nowMs);
  assert.equal(fate(0, DAY_MS + 10_000), 'keep');
  assert.equal(fate(0, DAY_MS + 61_000), 'drop');
  assert.equal(fate(1, 99 * DAY_MS), 'keep');
});

test('the index that is written to is blocked when it has long been empty, and dropped in a later round', () => {
  const { quarantine, written } = twoIndices();
  const fate = (entries: number, nowMs: number, retentionMs = 30 * DAY_MS): Fate =>
    fateOf(quarantine, written, entries, retentionMs, nowMs);
  assert.equal(fate(0, 29 * DAY_MS), 'keep');
  assert.equal(fate(1, 31 * DAY_MS), 'keep');
  assert.equal(fate(0, 31 * DAY_MS), 'block');
  assert.equal(fate(0, 31 * DAY_MS, -1), 'keep');
  assert.equal(fate(0, 1000, 0), 'keep');
  const blocked = twoIndices({ 'index.blocks.write': 'true' });
  assert.equal(fateOf(blocked.quarantine, blocked.written, 0, DAY_MS, 31 * DAY_MS), 'drop');
  assert.equal(fateOf(blocked.quarantine, blocked.written, 1, DAY_MS, 31 * DAY_MS), 'unblock');
});

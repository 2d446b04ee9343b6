import type { LifecycleActionType } from '../step.js';
import { allocate } from './allocate.js';
import { deleteIndex } from './delete.js';
import { downsampleAction } from './downsample.js';
import { forceMerge } from './force-merge.js';
import { migrate, unfollow } from './no-op.js';
import { readOnly } from './read-only.js';
import { rollover } from './rollover.js';
import { searchableSnapshot } from './searchable-snapshot.js';
import { setPriority } from './set-priority.js';
import { shrink } from './shrink.js';
import { waitForSnapshot } from './wait-for-snapshot.js';

/** Phases in order, with their actions in order. */
export const PHASES: ReadonlyMap<string, readonly LifecycleActionType[]> = new Map([
  ['hot', [setPriority, unfollow, rollover, readOnly, downsampleAction, shrink, forceMerge, searchableSnapshot]],
  ['warm', [setPriority, unfollow, readOnly, downsampleAction, allocate, migrate, shrink, forceMerge]],
  ['cold', [setPriority, unfollow, readOnly, downsampleAction, searchableSnapshot, allocate, migrate]],
  ['frozen', [unfollow, searchableSnapshot]],
  ['delete', [waitForSnapshot, deleteIndex]],
]);

/** Actions of the hot phase that need a rollover before them. */
export const AFTER_ROLLOVER: ReadonlySet<string> = new Set([
  'readonly',
  'downsample',
  'shrink',
  'forcemerge',
  'searchable_snapshot',
]);

/** All actions by name. */
export const ACTIONS: ReadonlyMap<string, LifecycleActionType> = new Map(
  [...PHASES.values()].flat().map((action) => [action.name, action]),
);

import type { Authentication } from '@shoal/security';
import type { JsonObject } from '@shoal/json';
import { parseTransform, type TransformConfig } from './transform-config.js';

/** A transform as the cluster state holds it. */
export interface TransformEntry {
  readonly id: string;
  /** The body of the request that made or changed it last. */
  readonly body: JsonObject;
  readonly version: string;
  readonly createdMs: number;
  /** Who made or changed it last; null without security. */
  readonly authentication: Authentication | null;
}

/** A transform that is there. */
export interface StoredTransform extends TransformEntry {
  readonly config: TransformConfig;
}

const parsed = new WeakMap<object, StoredTransform>();

/** Returns the transform of an entry of the cluster state; null for no entry. */
export function transformOf(entry: unknown): StoredTransform | null {
  if (entry === undefined) return null;
  const given = entry as TransformEntry;
  let stored = parsed.get(given);
  if (stored === undefined) parsed.set(given, (stored = { ...given, config: parseTransform(given.id, given.body) }));
  return stored;
}

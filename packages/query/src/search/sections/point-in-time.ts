import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { parseTimeValue } from '@shoal/values';
import { OBJECT, type SearchSection } from '../section.js';

/** The point in time that a search reads. */
export interface PointInTime {
  readonly id: string;
  /** Null: unchanged. */
  readonly keepAliveMs: number | null;
}

/** `pit`; null: the search reads the current content of its indices. */
export const pointInTime: SearchSection<PointInTime | null> = {
  keys: ['pit'],
  tokens: OBJECT,
  absent: null,
  parse: (value) => parsePointInTime(value as JsonObject),
};

function parsePointInTime(pit: JsonObject): PointInTime {
  for (const key of Object.keys(pit)) {
    if (key !== 'id' && key !== 'keep_alive')
      throw errors.xContentParse(`[pit] unknown field [${key}]`, { location: { container: pit, key, at: 'key' } });
  }
  const { id, keep_alive: keepAlive } = pit;
  if (typeof id !== 'string') throw errors.illegalArgument('point in time id is not provided');
  return { id, keepAliveMs: keepAlive === undefined ? null : parseTimeValue(String(keepAlive), 'keep_alive') };
}

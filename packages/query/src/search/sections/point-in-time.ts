import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { parseTimeValue } from '@shoal/values';
import { readDeclared, stringField } from '../../parse/declared.js';
import { text } from '../../parse/options.js';
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
  const { id, keep_alive: keepAliveMs = null } = readDeclared('pit', pit, {
    id: stringField(text),
    keep_alive: stringField((value, place) => parseTimeValue(text(value, place), 'keep_alive')),
  });
  if (id === undefined) throw errors.illegalArgument('point in time id is not provided');
  return { id, keepAliveMs };
}

import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { integerOf } from '../numbers.js';
import { OBJECT, type SearchSection } from '../section.js';

/** One of `max` independent parts of a search. */
export interface Slice {
  /** Number of the part, from 0. */
  readonly id: number;
  readonly max: number;
}

/** `slice` of a scroll or of a search over a point in time; null: the whole search. */
export const slice: SearchSection<Slice | null> = {
  keys: ['slice'],
  tokens: OBJECT,
  absent: null,
  parse: (value) => parseSlice(value as JsonObject),
};

function parseSlice(body: JsonObject): Slice {
  const id = body['id'] === undefined ? -1 : integerOf(body['id']);
  const max = body['max'] === undefined ? -1 : integerOf(body['max']);
  if (body['field'] !== undefined && body['field'] !== '_id')
    throw errors.illegalArgument(`[slice] is only supported on [_id], got [${String(body['field'])}]`);
  if (id < 0) throw errors.illegalArgument('id must be greater than or equal to 0');
  if (max <= 1) throw errors.illegalArgument('max must be greater than 1');
  if (id >= max) throw errors.illegalArgument('max must be greater than id');
  return { id, max };
}

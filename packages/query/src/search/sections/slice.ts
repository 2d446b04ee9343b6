import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { numberField, readDeclared, stringField } from '../../parse/declared.js';
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
  let id = -1;
  let max = -1;
  readDeclared('slice', body, {
    field: stringField((value) => onlyById(String(value))),
    id: numberField((value) => (id = atLeast(integerOf(value), 0, 'id must be greater than or equal to 0'))),
    max: numberField((value) => {
      max = atLeast(integerOf(value), 2, 'max must be greater than 1');
      if (id >= max) throw errors.illegalArgument('max must be greater than id');
    }),
  });
  // Elasticsearch searches with a part of which one number is missing, and finds all or nothing.
  if (id < 0) throw errors.illegalArgument('id must be greater than or equal to 0');
  if (max < 0) throw errors.illegalArgument('max must be greater than 1');
  if (id >= max) throw errors.illegalArgument('max must be greater than id');
  return { id, max };
}

function atLeast(value: number, min: number, reason: string): number {
  if (value < min) throw errors.illegalArgument(reason);
  return value;
}

function onlyById(field: string): void {
  if (field !== '_id') throw errors.illegalArgument(`[slice] is only supported on [_id], got [${field}]`);
}

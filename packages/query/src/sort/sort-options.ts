import { errors } from '@shoal/errors';
import { type Reader, text } from '../parse/options.js';
import type { SortMode, SortOrder } from './sort-spec.js';

/** Parses `order` in any case. */
export const sortOrder: Reader<SortOrder> = (value, place) => {
  const name = text(value, place).toUpperCase();
  if (name === 'ASC' || name === 'DESC') return name === 'ASC' ? 'asc' : 'desc';
  throw errors.illegalArgument(`No enum constant org.elasticsearch.search.sort.SortOrder.${name}`);
};

const MODES: readonly string[] = ['min', 'max', 'sum', 'avg', 'median'];

/** Parses `mode` in any case. */
export const sortMode: Reader<SortMode> = (value, place) => {
  const name = text(value, place).toLowerCase();
  if (MODES.includes(name)) return name as SortMode;
  throw errors.illegalArgument(`Unknown SortMode [${text(value, place)}]`);
};

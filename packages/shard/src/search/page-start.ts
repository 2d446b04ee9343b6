import type { Search } from '@shoal/aggregations';
import { decodeValue, type Value } from '@shoal/codec';
import { errors } from '@shoal/errors';
import type { shard } from '@shoal/protocol';
import { isTermValue, type PageStart, type SortKey } from '@shoal/query';

/** Returns where the page begins: at `search_after`, or at the last hit of a scroll's page before. */
export function pageStartOf(
  body: Search,
  options: shard.SearchOptions,
  keys: readonly SortKey[],
  position: number,
): PageStart | null {
  const last = options.after[position];
  if (last !== undefined && last.length > 0) {
    const values = decodeValue(last) as Value[];
    const own = values.slice(0, -1);
    return {
      values: keys.length === 0 ? own : own.map((value, i) => ownAfter(keys[i]!, value)),
      doc: Number(values[values.length - 1]),
    };
  }
  if (body.searchAfter === null) return null;
  return { values: searchAfterValues(body.searchAfter, keys, options.isPit), doc: null };
}

/** Returns a sort value of this shard in the form that its key accepts. */
function ownAfter(key: SortKey, value: Value): Value {
  if (value === null) return null;
  return isTermValue(value) ? value.term : key.parseAfter(value);
}

function searchAfterValues(given: readonly unknown[], keys: readonly SortKey[], isPit: boolean): Value[] {
  if (keys.length === 0) throw errors.illegalArgument('Sort must contain at least one field.');
  // The tie breaker that a point in time adds to the sort may be omitted.
  const isShort = isPit && given.length === keys.length - 1 && keys.length > 1;
  if (given.length !== keys.length && !isShort)
    throw errors.illegalArgument(`search_after has ${given.length} value(s) but sort has ${keys.length}.`);
  return given.map((value, i) => keys[i]!.parseAfter(value));
}

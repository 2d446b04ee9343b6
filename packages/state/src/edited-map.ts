import { LayeredMap } from './layered-map.js';

/** How a map came about. */
interface Origin {
  /** Stands for the map, which it does not keep alive. */
  readonly id: symbol;
  /** Edits that led to the map, oldest first, at most `EDITS_MAX`. */
  readonly edits: readonly Edit[];
}

interface Edit {
  /** `id` of the map that was copied. */
  readonly base: symbol;
  readonly keys: readonly string[];
}

/** More edits than lie between two states, unless hundreds of tasks run as one batch: then whole maps are compared. */
const EDITS_MAX = 128;

const origins = new WeakMap<ReadonlyMap<string, unknown>, Origin>();

function originOf(map: ReadonlyMap<string, unknown>): Origin {
  let origin = origins.get(map);
  if (!origin) origins.set(map, (origin = { id: Symbol('map'), edits: [] }));
  return origin;
}

/**
 * Returns a copy of a map without the keys `gone` and with the entries `put`; large maps share what is the same.
 * `changedKeys` knows what was edited, so that work over all entries need not be done again for those that are the
 * same.
 */
export function editMap<T>(
  map: ReadonlyMap<string, T>,
  put: Iterable<readonly [string, T]>,
  gone: Iterable<string> = [],
): ReadonlyMap<string, T> {
  const added = [...put];
  const removed = [...gone].filter((key) => map.has(key));
  const result = LayeredMap.edited(map, added, removed);
  const keys = [...removed, ...added.map(([key]) => key)];
  const base = originOf(map);
  origins.set(result, { id: Symbol('map'), edits: [...base.edits.slice(1 - EDITS_MAX), { base: base.id, keys }] });
  return result;
}

/** The keys of all edits from `from` to `to`; null if that is not known. */
function editedKeys(from: Origin, to: Origin): Set<string> | null {
  const start = to.edits.findLastIndex(({ base }) => base === from.id);
  return start < 0 ? null : new Set(to.edits.slice(start).flatMap(({ keys }) => keys));
}

/**
 * Keys that may have other entries in `to` than in `from`, those that only one of them has included: the edited ones if
 * `to` was made of `from` by `editMap`, else all of both maps.
 */
export function changedKeys<T>(from: ReadonlyMap<string, T>, to: ReadonlyMap<string, T>): Iterable<string> {
  if (from === to) return [];
  return editedKeys(originOf(from), originOf(to)) ?? new Set([...from.keys(), ...to.keys()]);
}

/** Values of this many maps are remembered, as several nodes of a test may be in one process. */
const RECENT_MAX = 8;

/**
 * Returns a function that computes a value of a map once for each map. `update` makes it of the value of an earlier map
 * and the keys that may have changed since; it must not change that value.
 */
export function derivedOf<T, V>(
  compute: (map: ReadonlyMap<string, T>) => V,
  update: (before: V, from: ReadonlyMap<string, T>, to: ReadonlyMap<string, T>, keys: ReadonlySet<string>) => V,
): (map: ReadonlyMap<string, T>) => V {
  const values = new WeakMap<ReadonlyMap<string, T>, V>();
  const recent: WeakRef<ReadonlyMap<string, T>>[] = [];
  const make = (map: ReadonlyMap<string, T>): V => {
    for (const earlier of recent) {
      const from = earlier.deref();
      const keys = from && editedKeys(originOf(from), originOf(map));
      if (from && keys) return update(values.get(from)!, from, map, keys);
    }
    return compute(map);
  };
  return (map) => {
    const known = values.get(map);
    if (known !== undefined) return known;
    const value = make(map);
    values.set(map, value);
    recent.unshift(new WeakRef(map));
    recent.splice(RECENT_MAX);
    return value;
  };
}

import { addTo, type Fn, isTrue } from '../../runtime/collections.js';
import { currentBudget } from '../../runtime/budget.js';
import { compareValues } from '../../runtime/comparison.js';
import { equalValues, hashOf } from '../../runtime/equality.js';
import { JavaMap } from '../../runtime/java-map.js';
import { textOf } from '../../runtime/java-text.js';
import { keysView, MapValues, MapView } from '../../runtime/map-views.js';
import { entriesOf, mapClear, mapGet, mapHas, mapPut, mapRemove, mapSize } from '../../runtime/maps.js';
import { nullPointer } from '../../runtime/thrown.js';
import { ScriptObject, type Value } from '../../runtime/values.js';
import { byPath } from './by-path.js';
import type { ClassRow } from './class-row.js';

const entryClass = 'java.util.Map.Entry';
/** Work of looking into an entry, in values of a collection: entries of entries are a tree that doubles each time. */
const ENTRY_WORK = 16;

/** An entry of a map; setting its value sets the map's. */
export class MapEntry extends ScriptObject {
  readonly javaClass: string = entryClass;
  readonly map: object;
  readonly key: Value;
  value: Value;

  constructor(map: object, key: Value, value: Value) {
    super();
    this.map = map;
    this.key = key;
    this.value = value;
  }

  toText(): string {
    currentBudget().walk(ENTRY_WORK);
    return `${textOf(this.key)}=${textOf(this.value)}`;
  }

  equalTo(other: Value): boolean {
    currentBudget().walk(ENTRY_WORK);
    return other instanceof MapEntry && equalValues(this.key, other.key) && equalValues(this.value, other.value);
  }

  hash(): number {
    currentBudget().walk(ENTRY_WORK);
    return hashOf(this.key) ^ hashOf(this.value);
  }
}

export const entriesIn = (map: object): MapEntry[] =>
  entriesOf(map).map(([key, value]) => new MapEntry(map, key, value));

/** Sets or removes a key by what a lambda made for it: null removes. */
function remapped(map: object, key: Value, value: Value): Value {
  if (value === null) mapRemove(map, key);
  else mapPut(map, key, value);
  return value;
}

export const mapRow: ClassRow = {
  name: 'java.util.Map',
  methods: {
    'void clear()': mapClear,
    'def compute(def,java.util.function.BiFunction)': (map: object, key: Value, of: Fn) =>
      remapped(map, key, of(key, mapGet(map, key))),
    'def computeIfAbsent(def,java.util.function.Function)': (map: object, key: Value, of: Fn) => {
      const value = mapGet(map, key);
      if (value !== null) return value;
      const made = of(key);
      if (made !== null) mapPut(map, key, made);
      return made;
    },
    'def computeIfPresent(def,java.util.function.BiFunction)': (map: object, key: Value, of: Fn) => {
      const value = mapGet(map, key);
      return value === null ? null : remapped(map, key, of(key, value));
    },
    'boolean containsKey(def)': mapHas,
    'boolean containsValue(def)': (map: object, value: Value) =>
      entriesOf(map).some(([, one]) => equalValues(one, value)),
    'java.util.Set entrySet()': (map: object) => new MapView(map, entriesIn(map), (entry) => (entry as MapEntry).key),
    'void forEach(java.util.function.BiConsumer)': (map: object, act: Fn) => {
      for (const [key, value] of entriesOf(map)) act(key, value);
    },
    'def get(def)': mapGet,
    'def getOrDefault(def,def)': (map: object, key: Value, fallback: Value) => {
      const value = mapGet(map, key);
      return value !== null || mapHas(map, key) ? value : fallback;
    },
    'boolean isEmpty()': (map: object) => mapSize(map) === 0,
    'java.util.Set keySet()': keysView,
    'def merge(def,def,java.util.function.BiFunction)': (map: object, key: Value, value: Value, of: Fn) => {
      const former = mapGet(map, key);
      return remapped(map, key, former === null ? value : of(former, value));
    },
    'def put(def,def)': mapPut,
    'void putAll(Map)': (map: object, other: object) => {
      if (other === null) throw nullPointer(null);
      for (const [key, value] of entriesOf(other)) mapPut(map, key, value);
    },
    'def putIfAbsent(def,def)': (map: object, key: Value, value: Value) => {
      const former = mapGet(map, key);
      if (former === null) mapPut(map, key, value);
      return former;
    },
    'def remove(def)': mapRemove,
    'boolean remove(def,def)': (map: object, key: Value, value: Value) => {
      if (!mapHas(map, key) || !equalValues(mapGet(map, key), value)) return false;
      mapRemove(map, key);
      return true;
    },
    'def replace(def,def)': (map: object, key: Value, value: Value) =>
      mapHas(map, key) ? mapPut(map, key, value) : null,
    'boolean replace(def,def,def)': (map: object, key: Value, former: Value, value: Value) => {
      if (!mapHas(map, key) || !equalValues(mapGet(map, key), former)) return false;
      mapPut(map, key, value);
      return true;
    },
    'void replaceAll(java.util.function.BiFunction)': (map: object, of: Fn) => {
      for (const [key, value] of entriesOf(map)) mapPut(map, key, of(key, value));
    },
    'int size()': mapSize,
    'java.util.Collection values()': (map: object) => new MapValues(map),
    'java.util.List collect(java.util.function.BiFunction)': (map: object, of: Fn) =>
      entriesOf(map).map(([key, value]) => of(key, value)),
    'def collect(java.util.Collection,java.util.function.BiFunction)': (map: object, into: Value, of: Fn) => {
      for (const [key, value] of entriesOf(map)) addTo(into, of(key, value));
      return into;
    },
    'int count(java.util.function.BiPredicate)': (map: object, test: Fn) =>
      entriesOf(map).filter(([key, value]) => isTrue(test(key, value))).length,
    'def each(java.util.function.BiConsumer)': (map: object, act: Fn) => {
      for (const [key, value] of entriesOf(map)) act(key, value);
      return map;
    },
    'boolean every(java.util.function.BiPredicate)': (map: object, test: Fn) =>
      entriesOf(map).every(([key, value]) => isTrue(test(key, value))),
    'java.util.Map.Entry find(java.util.function.BiPredicate)': (map: object, test: Fn) =>
      entriesIn(map).find(({ key, value }) => isTrue(test(key, value))) ?? null,
    'java.util.Map findAll(java.util.function.BiPredicate)': (map: object, test: Fn) => {
      const found = new JavaMap('hash');
      for (const [key, value] of entriesOf(map)) if (isTrue(test(key, value))) found.put(key, value);
      return found;
    },
    'def findResult(java.util.function.BiFunction)': (map: object, of: Fn) => {
      for (const [key, value] of entriesOf(map)) {
        const result = of(key, value);
        if (result !== null) return result;
      }
      return null;
    },
    'java.util.List findResults(java.util.function.BiFunction)': (map: object, of: Fn) =>
      entriesOf(map)
        .map(([key, value]) => of(key, value))
        .filter((value) => value !== null),
    'java.util.Map groupBy(java.util.function.BiFunction)': (map: object, of: Fn) => {
      const groups = new JavaMap('hash');
      for (const [key, value] of entriesOf(map)) {
        const group = of(key, value);
        const members = (groups.get(group) as JavaMap | null) ?? new JavaMap('linked');
        members.put(key, value);
        groups.put(group, members);
      }
      return groups;
    },
    ...byPath,
  },
};

export const entryRow: ClassRow = {
  name: entryClass,
  methods: {
    'def getKey()': (entry: MapEntry) => entry.key,
    'def getValue()': (entry: MapEntry) => entry.value,
    'def setValue(def)': (entry: MapEntry, value: Value) => {
      const former = entry.value;
      entry.value = value;
      mapPut(entry.map, entry.key, value);
      return former;
    },
  },
  statics: {
    'java.util.Comparator comparingByKey()': () => (a: MapEntry, b: MapEntry) => compareValues(a.key, b.key),
    'java.util.Comparator comparingByKey(java.util.Comparator)': (order: Fn) => (a: MapEntry, b: MapEntry) =>
      order(a.key, b.key),
    'java.util.Comparator comparingByValue()': () => (a: MapEntry, b: MapEntry) => compareValues(a.value, b.value),
    'java.util.Comparator comparingByValue(java.util.Comparator)': (order: Fn) => (a: MapEntry, b: MapEntry) =>
      order(a.value, b.value),
  },
};

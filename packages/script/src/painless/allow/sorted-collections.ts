import { first, valuesOf } from '../../runtime/collections.js';
import { JavaMap } from '../../runtime/java-map.js';
import { JavaSet } from '../../runtime/java-set.js';
import type { Value } from '../../runtime/values.js';
import type { AllowTable, ClassRow } from './class-row.js';
import { Cursor } from './collections.js';
import { entriesIn } from './maps.js';
import { keysBetween, treeMapRow, treeSetRow } from './util-classes.js';

/** A sorted map that nobody changes, in the order of another one. */
function fixedMap(map: JavaMap): JavaMap {
  const copy = map.emptyCopy();
  for (const { key, value } of entriesIn(map)) copy.put(key, value);
  return copy.freeze();
}

const fixedSet = ({ map }: JavaSet): JavaSet => JavaSet.over(fixedMap(map));
const emptyMap = (): JavaMap => new JavaMap('tree').freeze();
const emptySet = (): JavaSet => JavaSet.over(emptyMap());
const lastOf = (values: readonly Value[]): Value => (first(values), values.at(-1)!);

const mapMethods: ClassRow['methods'] = {
  ...treeMapRow.methods,
  'def firstKey()': (map: JavaMap) => first(map.keys()),
  'def lastKey()': (map: JavaMap) => lastOf(map.keys()),
  'java.util.NavigableMap subMap(def,boolean,def,boolean)': keysBetween,
  'Comparator comparator()': ({ comparator }: JavaMap) => comparator,
};

const setMethods: ClassRow['methods'] = {
  ...treeSetRow.methods,
  'def first()': first,
  'def last()': (set: JavaSet) => lastOf(set.values()),
  'java.util.NavigableSet subSet(def,boolean,def,boolean)': (
    { map }: JavaSet,
    begin: Value,
    hasBegin: boolean,
    end: Value,
    hasEnd: boolean,
  ) => JavaSet.over(keysBetween(map, begin, hasBegin, end, hasEnd)),
  'Comparator comparator()': ({ map }: JavaSet) => map.comparator,
  'Iterator descendingIterator()': (set: JavaSet) => new Cursor(set, [...valuesOf(set)].reverse()),
};

/** Sorted maps and sets by their interfaces, and those that nobody changes. */
export const SORTED_COLLECTIONS: AllowTable = [
  ...['SortedMap', 'NavigableMap', 'TreeMap'].map(
    (name): ClassRow => ({ name: `java.util.${name}`, methods: mapMethods }),
  ),
  ...['SortedSet', 'NavigableSet', 'TreeSet'].map(
    (name): ClassRow => ({ name: `java.util.${name}`, methods: setMethods }),
  ),
  {
    name: 'java.util.Collections',
    statics: {
      'SortedMap emptySortedMap()': emptyMap,
      'NavigableMap emptyNavigableMap()': emptyMap,
      'SortedSet emptySortedSet()': emptySet,
      'NavigableSet emptyNavigableSet()': emptySet,
      'SortedMap unmodifiableSortedMap(SortedMap)': fixedMap,
      'NavigableMap unmodifiableNavigableMap(NavigableMap)': fixedMap,
      'SortedSet unmodifiableSortedSet(SortedSet)': fixedSet,
      'NavigableSet unmodifiableNavigableSet(NavigableSet)': fixedSet,
    },
  },
];

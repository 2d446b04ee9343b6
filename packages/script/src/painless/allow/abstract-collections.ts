import { present } from '../../runtime/access.js';
import { JavaMap } from '../../runtime/java-map.js';
import { unsupported } from '../../runtime/thrown.js';
import type { Value } from '../../runtime/values.js';
import type { AllowTable, ClassRow } from './class-row.js';
import { entriesIn, MapEntry } from './maps.js';

/** An entry that is in no map but one of its own. */
class LooseEntry extends MapEntry {
  override readonly javaClass: string;
  readonly isFixed: boolean;

  constructor(key: Value, value: Value, isFixed: boolean) {
    super(new JavaMap('hash'), key, value);
    this.javaClass = isFixed ? 'java.util.AbstractMap.SimpleImmutableEntry' : 'java.util.AbstractMap.SimpleEntry';
    this.isFixed = isFixed;
  }
}

const entryRow = (name: string, isFixed: boolean): ClassRow => ({
  name: `java.util.AbstractMap.${name}`,
  parents: ['java.util.Map.Entry'],
  constructors: {
    '(def,def)': (key: Value, value: Value) => new LooseEntry(key, value, isFixed),
    '(java.util.Map.Entry)': (entry: MapEntry | null) => {
      const { key, value } = present(entry)!;
      return new LooseEntry(key, value, isFixed);
    },
  },
  methods: {
    'def setValue(def)': (entry: LooseEntry, value: Value) => {
      if (entry.isFixed) throw unsupported();
      const former = entry.value;
      entry.value = value;
      return former;
    },
  },
});

/** Classes that others extend, which scripts name only in `instanceof` and declarations. */
const ABSTRACT: Readonly<Record<string, readonly string[]>> = {
  AbstractCollection: ['AbstractSet', 'AbstractList', 'ArrayDeque', 'AbstractQueue'],
  AbstractList: ['ArrayList'],
  AbstractSet: ['HashSet', 'LinkedHashSet', 'TreeSet'],
  AbstractQueue: ['PriorityQueue'],
  AbstractSequentialList: ['LinkedList'],
  AbstractMap: ['HashMap', 'LinkedHashMap', 'TreeMap'],
  RandomAccess: ['ArrayList'],
};

const PARENTS: Readonly<Record<string, readonly string[]>> = {
  AbstractCollection: ['java.util.Collection'],
  AbstractSet: ['java.util.Set'],
  AbstractQueue: ['java.util.Queue'],
  AbstractList: ['java.util.List'],
  AbstractSequentialList: ['java.util.AbstractList'],
  AbstractMap: ['java.util.Map'],
};

const navigableMap: ClassRow = {
  name: 'java.util.NavigableMap',
  parents: ['java.util.SortedMap'],
  methods: {
    'java.util.Map.Entry firstEntry()': (map: JavaMap) => entriesIn(map)[0] ?? null,
    'java.util.Map.Entry lastEntry()': (map: JavaMap) => entriesIn(map).at(-1) ?? null,
  },
};

/** More of java.util: entries of their own, sorted maps and sets by their interfaces, classes that others extend. */
export const ABSTRACT_COLLECTIONS: AllowTable = [
  entryRow('SimpleEntry', false),
  entryRow('SimpleImmutableEntry', true),
  navigableMap,
  { name: 'java.util.TreeMap', parents: ['java.util.NavigableMap'] },
  { name: 'java.util.NavigableSet', parents: ['java.util.SortedSet'] },
  { name: 'java.util.TreeSet', parents: ['java.util.NavigableSet'] },
  ...Object.keys(ABSTRACT).map((name): ClassRow => ({ name: `java.util.${name}`, parents: PARENTS[name] ?? [] })),
  ...Object.entries(ABSTRACT).flatMap(([parent, children]) =>
    children.map((name): ClassRow => ({ name: `java.util.${name}`, parents: [`java.util.${parent}`] })),
  ),
];

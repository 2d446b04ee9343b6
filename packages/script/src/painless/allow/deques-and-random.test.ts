import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  answerOf,
  type RecordedErrors,
  type RecordedResults,
  assertErrors,
  assertResults,
} from '../../testing/recorded-scripts.js';

const RESULTS: RecordedResults = [
  ["Queue q = new PriorityQueue(); q.offer(3); q.offer(1); q.offer(2); '' + q.poll() + q.poll() + q.poll()", '123'],
  ['Deque a = new ArrayDeque([1]); a.equals(new ArrayDeque([1])) || [1].equals(new ArrayDeque([1]))', 'false'],
  [
    'LinkedList d = new LinkedList(); for (int i = 0; i < 50; i++) { d.addFirst(i); if (i % 3 == 0) d.pollLast(); } ' +
      'd.toString() + d.get(3) + d.indexOf(20) + d.hashCode()',
    '[49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, ' +
      '22, 21, 20, 19, 18, 17]46291210400832',
  ],
  [
    'LinkedList d = new LinkedList([3,1,2]); d.addFirst(9); d.sort(Comparator.naturalOrder()); d.set(0, 7); ' +
      "d.add(1, 5); d.remove(0); '' + d + d.equals([5,2,3,9]) + [5,2,3,9].equals(d)",
    '[5, 2, 3, 9]truetrue',
  ],
  [
    "TreeMap m = new TreeMap(); for (int i = 0; i < 10; i++) m.put(i, 'v' + i); m.subMap(2, " +
      'false, 5, true).toString() + m.subMap(2, true, 5, false) + m.subMap(3, 6) + ' +
      'm.comparator()',
    '{3=v3, 4=v4, 5=v5}{2=v2, 3=v3, 4=v4}{3=v3, 4=v4, 5=v5}null',
  ],
  [
    'TreeMap m = new TreeMap((a, b) -> b.compareTo(a)); m.put(1, 1); m.put(2, 2); ' +
      "(m.comparator() == null) + ' ' + m.comparator().compare(1, 2) + ' ' + m",
    'false 1 {2=2, 1=1}',
  ],
  [
    "SortedMap m = new TreeMap(); m.put('b', 2); m.put('a', 1); m.put('c', 3); m.firstKey() " +
      "+ m.lastKey() + m.headMap('b') + m.tailMap('b') + m.subMap('a', 'c')",
    'ac{a=1}{b=2, c=3}{a=1, b=2}',
  ],
  [
    'NavigableSet s = new TreeSet(); s.addAll([5, 3, 1, 4]); Iterator i = ' +
      "s.descendingIterator(); i.next() + ' ' + i.next() + ' ' + s.last() + ' ' + s.subSet(1, " +
      "false, 4, true) + ' ' + s.comparator() + ' ' + s.first()",
    '5 4 5 [3, 4] null 1',
  ],
  [
    'SortedSet s = new TreeSet(); s.addAll([5, 3, 1, 4]); s.headSet(4).toString() + ' +
      's.tailSet(4) + s.subSet(1, 4) + s.last()',
    '[1, 3][4, 5][1, 3]5',
  ],
  [
    'TreeSet s = new TreeSet(); s.addAll([5, 3, 1]); Iterator i = s.descendingIterator(); ' +
      'i.next(); i.remove(); s.toString()',
    '[1, 3]',
  ],
  [
    "NavigableMap m = new TreeMap(); m.put('a', 1); def f = " +
      "Collections.unmodifiableNavigableMap(m); f.firstKey() + f.ceilingKey('0') + f.size()",
    'aa1',
  ],
  [
    'Collections.emptyNavigableMap().toString() + Collections.emptySortedSet() + ' +
      'Collections.emptyNavigableSet().size()',
    '{}[]0',
  ],
  ['Collections.EMPTY_SET.toString() + Collections.EMPTY_SET.size()', '[]0'],
  [
    "Set s = Collections.newSetFromMap(new LinkedHashMap()); s.add('z'); s.add('a'); " + "s.add('z'); s.toString()",
    '[z, a]',
  ],
  [
    "LinkedList d = new LinkedList(); d.add('a'); d.add('b'); Iterator i = " +
      "d.descendingIterator(); i.next() + i.next() + d.removeFirstOccurrence('a') + d",
    'batrue[b]',
  ],
  [
    'LinkedList d = new LinkedList([1, 2, 3]); Iterator i = d.descendingIterator(); ' +
      'i.next(); i.remove(); d.toString()',
    '[1, 2]',
  ],
  [
    'Vector v = new Vector([1, 2, 3, 2]); v.insertElementAt(9, 1); v.setElementAt(7, 0); ' +
      "v.removeElementAt(2); v + ' ' + v.lastIndexOf(2, 2) + ' ' + v.lastIndexOf(2, 3) + ' ' + " +
      'v.elements().nextElement()',
    '[7, 9, 3, 2] -1 3 7',
  ],
  ['Vector v = new Vector([1]); v.insertElementAt(9, 1); v', '[1, 9]'],
  [
    'Stack s = new Stack(); s.push(1); s.push(2); s.insertElementAt(3, 0); s.toString() + ' +
      's.elements().nextElement()',
    '[3, 1, 2]3',
  ],
  ['ArrayList l = new ArrayList(); l.add(1); l.trimToSize(); l.toString()', '[1]'],
  [
    "Map m = new TreeMap(); m.put('a', 1); m.put('b', 2); m.findResult('none', (k, v) -> v " +
      "== 2 ? k : null) + m.findResult('none', (k, v) -> null)",
    'bnone',
  ],
  [
    "Arrays.deepHashCode(new def[] {1, 'a', new def[] {2, 3}, null}) + ' ' + " + 'Arrays.deepHashCode(null)',
    '1078335 0',
  ],
  [
    "Objects.deepEquals(new def[] {1, new def[] {2}}, new def[] {1, new def[] {2}}) + ' ' + " +
      "Objects.deepEquals(1, 1) + ' ' + Objects.deepEquals(null, null) + ' ' + " +
      'Objects.deepEquals(1, null)',
    'true true true false',
  ],
  [
    'new Random(42L).ints(5L).boxed().collect(Collectors.toList()).toString()',
    '[-1170105035, 234785527, -1360544799, 205897768, 1325939940]',
  ],
  ['new Random(42L).ints(5L, 10, 20).boxed().collect(Collectors.toList()).toString()', '[10, 13, 18, 14, 10]'],
  [
    'new Random(42L).ints(3L, -2000000000, ' + '2000000000).boxed().collect(Collectors.toList()).toString()',
    '[-1170105035, 234785527, -1360544799]',
  ],
  [
    'new Random(42L).longs(3L).boxed().collect(Collectors.toList()).toString()',
    '[-5025562857975149833, -5843495416241995736, 5694868678511409995]',
  ],
  ['new Random(42L).longs(3L, 10L, 20L).boxed().collect(Collectors.toList()).toString()', '[11, 10, 17]'],
  ['new Random(42L).longs(3L, 0L, 16L).boxed().collect(Collectors.toList()).toString()', '[7, 8, 11]'],
  [
    'new Random(42L).longs(3L, Long.MIN_VALUE, ' + '5L).boxed().collect(Collectors.toList()).toString()',
    '[-5025562857975149833, -5843495416241995736, -6169532649852302182]',
  ],
  [
    'new Random(42L).doubles(3L).boxed().collect(Collectors.toList()).toString()',
    '[0.7275636800328681, 0.6832234717598454, 0.30871945533265976]',
  ],
  [
    'new Random(42L).doubles(3L, 5.0, 6.0).boxed().collect(Collectors.toList()).toString()',
    '[5.727563680032868, 5.683223471759845, 5.3087194553326595]',
  ],
  [
    "Arrays.deepEquals(new def[] {1, new int[] {2}}, new def[] {1, new int[] {2}}) + ' ' + " +
      "Arrays.deepEquals(new def[] {1}, new def[] {1, 2}) + ' ' + Arrays.deepEquals(null, null)",
    'true false true',
  ],
  [
    "Deque d = new ArrayDeque(); d.add(1); d.add(2); d.add(1); d.add(3); String s = '' + " +
      'd.removeLastOccurrence(1); s += d.toString(); s += d.removeFirstOccurrence(1); s += ' +
      'd.toString(); s += d.removeFirstOccurrence(9); s += d.remove(2); s + d',
    'true[1, 2, 3]true[2, 3]falsetrue[3]',
  ],
];

const ERRORS: RecordedErrors = [
  ['new ArrayDeque().add(null)', 'null_pointer_exception', null],
  ['LinkedList d = new LinkedList([1]); for (x in d) { d.addFirst(x); }', 'concurrent_modification_exception', null],
  [
    'TreeMap m = new TreeMap(); m.put(1, 1); m.subMap(5, true, 2, true).toString()',
    'illegal_argument_exception',
    'fromKey > toKey',
  ],
  ['new TreeSet().last()', 'no_such_element_exception', null],
  [
    "SortedMap m = new TreeMap(); m.put('a', 1); SortedMap f = " +
      "Collections.unmodifiableSortedMap(m); f.put('b', 2); f.toString()",
    'unsupported_operation_exception',
    null,
  ],
  ["Collections.emptySortedMap().put('a', 1)", 'unsupported_operation_exception', null],
  [
    'NavigableSet s = new TreeSet(); s.add(1); Collections.unmodifiableNavigableSet(s).add(2)',
    'unsupported_operation_exception',
    null,
  ],
  ['Collections.emptySortedSet().first()', 'no_such_element_exception', null],
  ['Collections.EMPTY_SET.add(1)', 'unsupported_operation_exception', null],
  ["Collections.newSetFromMap(['a': true])", 'illegal_argument_exception', 'Map is non-empty'],
  ['new ArrayDeque().descendingIterator().next()', 'no_such_element_exception', null],
  ['Vector v = new Vector([1]); v.insertElementAt(9, 5); v', 'array_index_out_of_bounds_exception', '5 > 1'],
  ['Vector v = new Vector([1]); v.setElementAt(9, 1); v', 'array_index_out_of_bounds_exception', '1 >= 1'],
  [
    'Vector v = new Vector([1]); v.removeElementAt(-1); v',
    'array_index_out_of_bounds_exception',
    'Array index out of range: -1',
  ],
  ['Vector v = new Vector([1]); v.removeElementAt(4); v', 'array_index_out_of_bounds_exception', '4 >= 1'],
  ['Vector v = new Vector([1]); v.lastIndexOf(1, 3)', 'index_out_of_bounds_exception', '3 >= 1'],
  [
    'Vector v = new Vector([1, 2]); def[] a = new def[3]; v.copyInto(a); Arrays.toString(a)',
    'illegal_argument_exception',
    'static method [java.util.Arrays, toString/1] not found',
  ],
  [
    "Vector v = new Vector([1, 2]); def[] a = new def[1]; v.copyInto(a); 'x'",
    'array_index_out_of_bounds_exception',
    'arraycopy: last destination index 2 out of bounds for object array[1]',
  ],
  ['new Random(42L).ints(3L, 5, 5).count()', 'illegal_argument_exception', 'bound must be greater than origin'],
  ['new Random(42L).ints(-1L).count()', 'illegal_argument_exception', 'size must be non-negative'],
  [
    'byte[] b = new byte[6]; new Random(42L).nextBytes(b); Arrays.toString(b)',
    'illegal_argument_exception',
    'static method [java.util.Arrays, toString/1] not found',
  ],
];

test('sorted maps and sets, queues, vectors and random streams do what they do in Java', () => {
  assertResults(RESULTS);
});

test('both ends of a queue are as cheap after many values as after few', () => {
  for (const name of ['ArrayDeque', 'LinkedList'])
    assert.equal(
      answerOf(
        `Deque d = new ${name}(); for (int i = 0; i < 200000; i++) { d.push(i); d.offer(i); } long sum = 0; ` +
          'while (!d.isEmpty()) { sum += d.pop() + d.pollLast() } return sum',
      ),
      '39999800000',
    );
});

test('their errors are those of Java', () => {
  assertErrors(ERRORS);
});

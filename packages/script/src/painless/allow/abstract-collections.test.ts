import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Budget, enterBudget } from '../../runtime/budget.js';
import { equalValues, hashOf, identityOf } from '../../runtime/equality.js';
import type { Value } from '../../runtime/values.js';
import { MapEntry } from './maps.js';
import { type RecordedResults, assertResults, runScript } from '../../testing/recorded-scripts.js';

const RESULTS: RecordedResults = [
  [
    "def e = new AbstractMap.SimpleEntry('a', 1); e.setValue(2); " +
      'Map.Entry f = new AbstractMap.SimpleImmutableEntry(e); ' +
      "return e + ' ' + f.getKey() + ' ' + e.equals(f) + ' ' + e.hashCode() + ' ' + [e, f] + ' ' + " +
      '(e instanceof Map.Entry)',
    'a=2 a true 99 [a=2, a=2] true',
  ],
  [
    "NavigableMap m = new TreeMap(); m.put('b', 1); m.put('a', 2); m.put('c', 3); " +
      'NavigableSet s = new TreeSet(); s.add(3); s.add(1); ' +
      "return m.firstKey() + m.floorEntry('bb') + m.headMap('c', true) + s.higher(1) + s.descendingSet() + " +
      '(m instanceof NavigableMap) + (m instanceof SortedMap) + (m instanceof AbstractMap) + ' +
      '(s instanceof AbstractSet) + (s instanceof AbstractCollection) + m.navigableKeySet() + ' +
      '([] instanceof RandomAccess) + ([] instanceof AbstractCollection)',
    'ab=1{a=2, b=1, c=3}3[3, 1]truetruetruetruetrue[a, b, c]truetrue',
  ],
  [
    "TreeMap m = new TreeMap(); m.put('b', 1); m.put('a', 2); SortedMap h = m.headMap('b'); " +
      "NavigableMap t = m.tailMap('b', true); return h.toString() + t",
    '{a=2}{b=1}',
  ],
  ["Locale.PRC + ' ' + Year.MAX_VALUE + ' ' + DateFormat.SHORT + ' ' + TimeZone.LONG", 'zh_CN 999999999 3 1'],
  [
    "(int)Character.UPPERCASE_LETTER + ' ' + (int)Character.FINAL_QUOTE_PUNCTUATION + ' ' + " +
      "(int)Character.DIRECTIONALITY_UNDEFINED + ' ' + (int)Character.PRIVATE_USE + ' ' + " +
      "(int)Character.MAX_HIGH_SURROGATE + ' ' + Character.MAX_RADIX",
    '1 30 -1 18 56319 36',
  ],
  ["try { new AbstractMap.SimpleEntry(null) } catch (NullPointerException e) { return 'null' }", 'null'],
  ["try { WeekFields.of(null) } catch (NullPointerException e) { return 'null' }", 'null'],
  ["DayOfWeek d = null; try { WeekFields.of(d, 3) } catch (NullPointerException e) { return 'null' }", 'null'],
  ["try { throw new NoSuchFieldException('x') } catch (ReflectiveOperationException e) { return e.getMessage() }", 'x'],
];

test('entries, sorted maps by their interfaces and constants are those of Java', () => {
  assertResults(RESULTS);
});

/** An entry of entries, `depth` deep, whose key and value are the same. */
function doubled(depth: number): Value {
  let value: Value = 1;
  for (let i = 0; i < depth; i++) value = new MapEntry({}, value, value);
  return value;
}

test('entries of entries and lists of lists are looked into within the bounds of their script', () => {
  const value = doubled(40);
  let ticks = 0;
  const outer = enterBudget(new Budget({ now: () => ticks++, maxMs: 3, maxBytes: 1 }));
  try {
    assert.throws(() => hashOf(value), /no longer than/);
    let [list, same]: Value[][] = [[], []];
    for (let i = 0; i < 40; i++)
      [list, same] = [
        [list, list],
        [same, same],
      ];
    assert.throws(() => equalValues(list!, same!), /no longer than/);
    assert.throws(() => hashOf(list!), /no longer than/);
    assert.throws(() => identityOf(list!), /no longer than/);
  } finally {
    enterBudget(outer);
  }
});

test('an entry that contains itself is refused as a result', () => {
  const script = 'def e = new AbstractMap.SimpleEntry(1, 1); e.setValue(e); return e';
  assert.throws(() => runScript(script), { type: 'illegal_argument_exception' });
});

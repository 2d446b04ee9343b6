import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxDouble } from './boxes.js';
import { JavaMap } from './java-map.js';
import { StateMap } from './state-map.js';

const KEYS = ['s', 'c', 'key0', 'key1', 'key2', 'b', 'a'];

test('a state has the entries, and their order, of a HashMap', () => {
  const [state, map] = [new StateMap(), new JavaMap('hash')];
  for (const [i, key] of KEYS.entries()) assert.equal(state.put(key, i), map.put(key, i));
  assert.equal(state.put('c', 9), map.put('c', 9));
  assert.deepEqual(state.entries(), map.entries());
  assert.equal(state.remove('key1'), map.remove('key1'));
  assert.equal(state.remove('nothing'), null);
  state.put('z', 1);
  map.put('z', 1);
  assert.deepEqual(state.keys(), map.keys());
  assert.deepEqual([state.size, state.get('key1'), state.get('z'), state.has('a')], [KEYS.length, null, 1, true]);
  state.clear();
  assert.deepEqual([state.size, state.keys(), state.get('a')], [0, [], null]);
});

test('states with the same keys in the same order share a layout, others have one of their own', () => {
  const first = new StateMap();
  const second = new StateMap(first);
  const third = new StateMap(first);
  for (const key of ['a', 'b']) for (const state of [first, second]) state.put(key, 1);
  for (const key of ['b', 'a']) third.put(key, 1);
  assert.equal(first.layout, second.layout);
  assert.notEqual(first.layout, third.layout);
  second.put('c', 2);
  assert.deepEqual([first.has('c'), second.get('c')], [false, 2]);
});

test('a state with a thousand keys keeps them to itself', () => {
  const first = new StateMap();
  const second = new StateMap(first);
  for (let i = 0; i < 1000; i++) for (const state of [first, second]) state.put(`k${i}`, i);
  assert.notEqual(first.layout, second.layout);
  assert.deepEqual([first.get('k63'), second.get('k999'), first.size], [63, 999, 1000]);
});

test('doubles come out of a state as they went in, and make room for other values', () => {
  const state = new StateMap();
  const values = [
    0.5,
    boxDouble(3),
    boxDouble(-0),
    Number.NaN,
    Number.POSITIVE_INFINITY,
    7,
    2 ** 40,
    null,
    'text',
    true,
  ];
  for (const [i, value] of values.entries()) state.put(`k${i}`, value);
  const all = (): unknown[] => values.map((_value, i) => state.get(`k${i}`));
  assert.deepEqual(all(), values);
  assert.equal(state.put('k0', 'other'), 0.5);
  assert.equal(state.put('k5', 2.5), 7);
  assert.deepEqual(state.remove('k1'), boxDouble(3));
  assert.deepEqual(all(), ['other', null, ...values.slice(2, 5), 2.5, ...values.slice(6)]);
  state.clear();
  state.put('k0', 1.5);
  assert.deepEqual(state.entries(), [['k0', 1.5]]);
});

test('only a Double is added to', () => {
  const state = new StateMap();
  for (const [i, value] of [1.5, boxDouble(2), 3, null].entries()) state.put(`k${i}`, value);
  assert.deepEqual(
    [0, 1, 2, 3].map((slot) => state.addTo(slot, 1)),
    [true, true, false, false],
  );
  assert.equal(state.addTo(0, Number.NaN), false);
  assert.deepEqual([state.get('k0'), state.get('k1'), state.get('k2')], [2.5, boxDouble(3), 3]);
});

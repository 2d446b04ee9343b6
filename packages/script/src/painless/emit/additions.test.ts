import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compile } from '../../compile.js';
import type { BoundScript } from '../../compiled-script.js';
import { StateMap } from '../../runtime/state-map.js';
import { textOf } from '../../runtime/java-text.js';

/** Binds a map script over documents whose `a` is a double. */
function mapScript(source: string, values: readonly number[]): BoundScript {
  const bound = compile({ id: null, lang: 'painless', source, params: {}, options: {} }, 'aggs_map').bind(
    () => 'double',
  );
  for (const cell of bound.cells) cell.values = Float64Array.from(values);
  return bound;
}

/** Returns the state as a text of Java, which tells Doubles from other numbers. */
function mapped(source: string, state: StateMap, values: readonly number[]): string {
  const bound = mapScript(source, values);
  const move = (at: number): StateMap => {
    for (const cell of bound.cells) cell.at = at;
    return state;
  };
  bound.each([{}, null, state, null], values.length, move, () => undefined);
  return textOf(state);
}

const stateOf = (value: unknown): StateMap => {
  const state = new StateMap();
  state.put('s', value);
  return state;
};

const ADD = "state.s += doc['a'].value";

test('a double is added to what a state has, whatever number it is', () => {
  assert.equal(mapped(ADD, stateOf(0), [0.5, 0.25]), '{s=0.75}');
  assert.equal(mapped(ADD, stateOf(0.5), [0.25, 0.25]), '{s=1.0}');
  assert.equal(mapped(ADD, stateOf(2 ** 40), [0.5]), '{s=1.0995116277765E12}');
  assert.equal(mapped("state.s += doc['a'].value * 2 + 1", stateOf(0.5), [1, 2]), '{s=8.5}');
  assert.equal(mapped('state.s += 0.5; state.s += 0.5', stateOf(1.5), [1]), '{s=2.5}');
});

test('a sum of doubles stays a Double when it is whole, and may become no number', () => {
  const say = (value: string): string => `${ADD}; state.t = ${value}`;
  assert.equal(mapped(say('state.s instanceof Double'), stateOf(0), [1]), '{s=1.0, t=true}');
  assert.equal(
    mapped(say('state.s.isNaN()'), stateOf(Number.POSITIVE_INFINITY), [Number.NEGATIVE_INFINITY]),
    '{s=NaN, t=true}',
  );
});

test('a text gets the double behind it, and nothing and no value are errors at their place', () => {
  assert.equal(mapped(ADD, stateOf('x'), [1]), '{s=x1.0}');
  assert.throws(() => mapped(ADD, stateOf(null), [1]), /runtime error/);
  assert.throws(() => mapped(ADD, new StateMap(), [1]), /runtime error/);
  assert.throws(() => mapped(ADD, stateOf(1), [Number.NaN]), /runtime error/);
});

test('a value that changes the state is worked out once, after the member was read', () => {
  const source = 'double f(def state) { state.s = 10.5; return 1.5 } state.s += f(state)';
  assert.equal(mapped(source, stateOf(0.5), [1]), '{s=2.0}');
  assert.equal(mapped('double x = 1; state.s += (x = x * 3) + x', stateOf(0.5), [1]), '{s=6.5}');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import { compile } from '../../compile.js';

const PARAMS = { t: 3, list: [1, 3], nested: { t: 5 }, 'x y': 4 };

/** Filters and what they say of documents whose `a` is 1, 3 and 5. */
const FILTERS: readonly (readonly [source: string, expected: readonly boolean[]])[] = [
  ["doc['a'].value > params.t", [false, false, true]],
  ["doc['a'].value > params['t'] || doc['a'].value < params.get('t')", [true, false, true]],
  ["params.list.contains((int)doc['a'].value)", [true, true, false]],
  ["params.list.stream().anyMatch(x -> x == params.t && doc['a'].value == params.nested.t)", [false, false, true]],
  ["params['x y'] == 4 && params.none == null", [true, true, true]],
  ["params = ['t': 4]; doc['a'].value > params.t", [false, false, true]],
  ["boolean f(Map m, double a) { return a == m.t } f(params, doc['a'].value)", [false, true, false]],
  ["double s = 0; for (x in params.list) { if (x < params.t) { s += x } } doc['a'].value == s", [true, false, false]],
];

test('a script says the same of each document in a loop as alone', () => {
  for (const [source, expected] of FILTERS) {
    const script = { id: null, lang: 'painless', source, params: PARAMS, options: {} };
    const bound = compile(script, 'filter').bind(() => 'double');
    const [cell] = bound.cells;
    const frame = [PARAMS, null];
    if (cell !== undefined) cell.values = Float64Array.of(1, 3, 5);
    const move = (run: number): null => {
      cell!.at = run;
      return null;
    };
    const alone = cell === undefined ? null : [0, 1, 2].map((run) => bound.call([...frame, move(run)].slice(0, 2)));
    const told: unknown[] = [];
    const moveIfRead = cell === undefined ? (): null => null : move;
    bound.each(frame, 3, moveIfRead, (run, result) => void (told[run] = result));
    assert.deepEqual(told, expected, source);
    if (alone !== null) assert.deepEqual(alone, expected, source);
  }
});

test('the third variable is that of each run, and each run has its own bounds', () => {
  const source = 'double s = _score; for (int i = 0; i < 600000; i++) { s += 1 } return s - 600000';
  const bound = compile({ id: null, lang: 'painless', source, params: {}, options: {} }, 'score').bind(() => null);
  const told: unknown[] = [];
  bound.each(
    [{}, null, 0, null, null, null],
    3,
    (run) => run / 2,
    (run, result) => void (told[run] = result),
  );
  assert.deepEqual(told, [0, 0.5, 1]);
});

test('an error of a run tells its place, and the results before it are there', () => {
  const source = "1 / (doc['a'].value - 3 > 0 ? 1 : 0) > 0";
  const told: unknown[] = [];
  const bound = compile({ id: null, lang: 'painless', source, params: {}, options: {} }, 'filter').bind(() => 'double');
  bound.cells[0]!.values = Float64Array.of(5, 3);
  const run = (): void =>
    bound.each(
      [{}, null],
      2,
      (at) => void (bound.cells[0]!.at = at),
      (at, result) => void (told[at] = result),
    );
  assert.throws(run, (error) => {
    assert.ok(isApiError(error));
    assert.equal(error.type, 'script_exception');
    assert.deepEqual(error.meta['position'], { offset: 0, start: 0, end: source.length });
    return true;
  });
  assert.deepEqual(told, [true]);
});

test('parameters are read once before, also those with names that every object has', () => {
  const params = JSON.parse('{"__proto__": 1, "constructor": 2}') as Record<string, unknown>;
  const say = (source: string, given: Record<string, unknown>): unknown =>
    compile({ id: null, lang: 'painless', source, params: given, options: {} }, 'filter').call([given, null]);
  assert.equal(say('params.__proto__ == 1 && params.constructor == 2', params), true);
  assert.equal(say('params.__proto__ == null && params.constructor == null && params.toString == null', {}), true);
});

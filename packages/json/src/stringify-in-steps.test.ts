import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonText } from './json-text.js';
import { stringify, stringifyMixed } from './stringify.js';
import { isSmallJson, stringifyInSteps } from './stringify-in-steps.js';

/** Text of the chunks of a value, and in how many steps it was made. */
function rendered(
  value: unknown,
  render?: (part: unknown) => string,
): { readonly text: string; readonly steps: number } {
  const pass = stringifyInSteps(value, render);
  for (let steps = 1; ; steps++) {
    const { done, value: chunks } = pass.next();
    if (done === true) return { text: Buffer.concat(chunks).toString(), steps };
  }
}

const entry = (i: number): object => ({ key: `k"${i}é`, n: i / 3, list: [i, null, undefined, true], none: undefined });

test('a value is rendered in steps as it is at a stretch', () => {
  const many = Array.from({ length: 5_000 }, (_, i) => entry(i));
  const keyed = Object.fromEntries(many.map((one, i) => [`"${i}`, one]));
  const values = [
    ...[null, 1, 'a', [], {}, entry(1), many, keyed, { a: { b: many, none: undefined, c: keyed }, d: [] }],
    [many, undefined, () => 1, new Date(0), Array.from({ length: 1000 }, () => [])],
  ];
  for (const value of values) assert.equal(rendered(value).text, stringify(value));
  assert.ok(rendered(many).steps > 200);
});

test('texts and large numbers within it keep their form', () => {
  const many = Array.from({ length: 1_000 }, (_, i) => ({ a: new JsonText(`${i}.0`), b: 2n ** 60n }));
  for (const render of [stringify, stringifyMixed])
    assert.equal(rendered({ x: many }, render).text, stringifyMixed({ x: many }));
});

test('looking whether a value is small takes no longer than that', () => {
  assert.ok(isSmallJson({ a: [1, 2] }, 4) && !isSmallJson({ a: [1, 2] }, 3) && isSmallJson('x', 1));
  let looked = 0;
  const list = new Proxy(Array.from({ length: 1_000_000 }), { get: (all, key) => (looked++, Reflect.get(all, key)) });
  assert.ok(!isSmallJson(list, 100) && looked < 1000, `${looked}`);
});

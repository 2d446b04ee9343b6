import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { filterSource } from './filter-source.js';
import { isPlainObject } from './plain-object.js';

const DOCUMENT =
  '{"a":{"b":1,"c":{"d":2}},"l":[{"x":1,"y":2},{"y":3},5,[{"x":7}],[1]],"e":{},"el":[],"a.z":9,"n":null,' +
  '"ab":3,"q":{"r":{"b":1}}}';

const filtered = (includes: string[], excludes: string[], document = DOCUMENT): unknown =>
  JSON.parse(Buffer.from(filterSource(Buffer.from(document), includes, excludes)).toString());
const ALL = JSON.parse(DOCUMENT) as Record<string, unknown>;

test('includes take what Elasticsearch takes', () => {
  const cases: [patterns: string[], expected: unknown][] = [
    [['a'], { a: { b: 1, c: { d: 2 } }, 'a.z': 9 }],
    [['a.b'], { a: { b: 1 } }],
    [['*.b'], { a: { b: 1 } }],
    [['**.b'], { a: { b: 1 }, q: { r: { b: 1 } } }],
    [['l.x'], { l: [{ x: 1 }, [{ x: 7 }]] }],
    [['a*'], { a: { b: 1, c: { d: 2 } }, 'a.z': 9, ab: 3 }],
    [['e', 'el', 'n'], { e: {}, el: [], n: null }],
    [['a.b.q'], {}],
    [['e.x', 'a.c'], { a: { c: { d: 2 } } }],
    [['q.*.b'], { q: { r: { b: 1 } } }],
    [['a.z'], { 'a.z': 9 }],
    [['*'], ALL],
  ];
  for (const [patterns, expected] of cases) assert.deepEqual(filtered(patterns, []), expected, patterns.join());
});

test('excludes drop what Elasticsearch drops', () => {
  const without = (...keys: string[]): Record<string, unknown> =>
    Object.fromEntries(Object.entries(ALL).filter(([key]) => !keys.includes(key)));
  assert.deepEqual(filtered([], ['l.x']), { ...ALL, l: [{ y: 2 }, { y: 3 }, 5, [1]] });
  assert.deepEqual(filtered([], ['a.b', 'a.c.d']), without('a'));
  assert.deepEqual(filtered(['a.*'], ['*.d']), { a: { b: 1, c: {} }, 'a.z': 9 });
  assert.deepEqual(filtered([], ['l.*']), { ...ALL, l: [5, [1]] });
  assert.deepEqual(filtered([], ['q.r.*']), { ...ALL, q: { r: {} } });
  assert.deepEqual(filtered([], ['*']), {});
  assert.deepEqual(filtered([], ['a.z']), without('a.z'));
  assert.deepEqual(filtered(['l'], ['l.y']), { l: [{ x: 1 }, 5, [{ x: 7 }], [1]] });
});

test('kept values are copied byte for byte, with white space and escapes', () => {
  const source = Buffer.from('{ "a" : 1.50 , "\\u0062" : [ 1e3, "\\u00e9\\"]" ] , "c":{"x":1} }');
  assert.equal(
    Buffer.from(filterSource(source, ['b', 'a'], [])).toString(),
    '{"a":1.50,"\\u0062":[ 1e3, "\\u00e9\\"]" ]}',
  );
});

/** Reference for includes without wildcards: projects the parsed document. */
function project(value: unknown, paths: string[][]): unknown {
  if (paths.some((path) => path.length === 0)) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => project(item, paths)).filter((item) => item !== undefined);
    return items.length ? items : undefined;
  }
  if (!isPlainObject(value)) return undefined;
  const entries = Object.entries(value)
    .map(
      ([key, item]) =>
        [
          key,
          project(
            item,
            paths.filter((path) => path[0] === key).map((path) => path.slice(1)),
          ),
        ] as const,
    )
    .filter(([, item]) => item !== undefined);
  return entries.length ? Object.fromEntries(entries) : undefined;
}

test('a projection equals the same done on the parsed document', () => {
  const key = fc.constantFrom('a', 'b', 'c');
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.integer(),
      fc.string(),
      fc.constant(null),
      tie('object'),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
    object: fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  }));
  const paths = fc.array(fc.array(key, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(json.object, paths, (document, wanted) => {
      const text = JSON.stringify(document);
      assert.deepEqual(
        filtered(
          wanted.map((path) => path.join('.')),
          [],
          text,
        ),
        JSON.parse(JSON.stringify(project(JSON.parse(text), wanted) ?? {})),
      );
    }),
  );
});

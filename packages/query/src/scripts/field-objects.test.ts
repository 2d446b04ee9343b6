import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Results that the reference of Elasticsearch 8.12 describes for `field`. */
const index = await searchFixture({
  mapping: {
    k: { type: 'keyword' },
    i: { type: 'integer' },
    n: { type: 'long' },
    y: { type: 'byte' },
    f: { type: 'float' },
    h: { type: 'half_float' },
    x: { type: 'double' },
    d: { type: 'date' },
    t: { type: 'date_nanos' },
    b: { type: 'boolean' },
    a: { type: 'ip' },
    p: { type: 'geo_point' },
    u: { type: 'unsigned_long' },
  },
  documents: [
    {
      k: ['b', 'a'],
      i: [7, 2_000_000_000],
      n: [1, 3],
      y: 5,
      f: 0.5,
      h: 1.5,
      x: 2,
      d: '2024-02-29T10:11:12.345Z',
      t: ['2024-02-29T10:11:12.345678901Z', '2024-02-29T10:11:12.345Z'],
      b: true,
      a: '10.0.0.1',
      p: { lat: 60, lon: 11 },
      u: 9,
    },
    {},
  ],
});

const holding = (source: string, ids: readonly string[]): readonly [object, readonly string[]] => [
  { script: { script: source } },
  ids,
];

test('field gives the first value, the one at a place, or the default', () =>
  index.finds([
    holding("field('k').get('z') == 'a'", ['1']),
    holding("field('k').get('z') == 'z'", ['2']),
    holding("field('k').get(1, 'z') == 'b'", ['1']),
    holding("field('k').get(2, 'z') == 'z' && field('k').get(-1, 'z') == 'z'", ['1', '2']),
    holding("field('n').get(9) == 1L", ['1']),
    holding("field('y').get((byte)0) == 5", ['1']),
    holding("field('f').get(9f) == 0.5f && field('f').asDouble(9) == 0.5", ['1']),
    holding("field('h').asDoubles().sum() == 1.5", ['1']),
    holding("field('x').get(9) / 4 == 0.5", ['1']),
    holding("field('d').get(null) == null", ['2']),
    holding("field('d').get(0, null)?.getHour() == 10", ['1']),
    holding("field('b').get(false)", ['1']),
    holding("field('a').asString('') == '10.0.0.1'", ['1']),
    holding("field('p').get(new GeoPoint(1, 2)).lat < 2", ['2']),
    holding("field('u').getValue(0L) == 9L", ['1']),
  ]));

test('an integer calculates as int, a long as long', () =>
  index.finds([
    holding("field('i').get(1, 0) * 2 < 0", ['1']),
    holding("field('n').get(1, 0) * 2000000000 == 6000000000L", ['1']),
  ]));

test('a field tells its name and size, and is walked', () =>
  index.finds([
    holding("field('k').getName() + field('k').name == 'kk'", ['1', '2']),
    holding("field('k').isEmpty()", ['2']),
    holding("field('k').empty || field('n').size() == 0", ['2']),
    holding("def s = ''; for (def v : field('k')) s += v; s == 'ab'", ['1']),
    holding("long s = 0; for (long v : field('n')) s += v; return s == 4", ['1']),
  ]));

test('a field that the mapping lacks has no values', () =>
  index.finds([
    holding("field('nope').get(7) == 7 && field('nope').get(0, 'a') == 'a'", ['1', '2']),
    holding("field('nope').isEmpty() && field('nope').size() == 0", ['1', '2']),
    holding("$('nope', 'd') == 'd'", ['1', '2']),
  ]));

test('$ reads the first value', () =>
  index.finds([holding("$('n', 5) == 5", ['2']), holding("$('k', '').length() == 1", ['1'])]));

/** Causes of the script_exception that a script ends with. */
const FAILURES = [
  ["field('n').get('a') == 1", 'class_cast_exception: cannot implicitly cast def [java.lang.String] to long'],
  ["field('b').get(null)", 'null_pointer_exception: Cannot invoke "Object.getClass()" because "value" is null'],
  [
    "field('n').asString('')",
    'illegal_argument_exception: dynamic method [org.elasticsearch.script.field.LongDocValuesField, asString/1] ' +
      'not found',
  ],
] as const;

/** Causes of the script_exception of a script that does not compile. */
const REFUSALS = [
  ["field('n', 1)", 'illegal_argument_exception: Unknown call [field] with [2] arguments.'],
  ['field() == null', 'illegal_argument_exception: Unknown call [field] with [[]] arguments.'],
  ["$('n') == 1", 'illegal_argument_exception: Unknown call [$] with [1] arguments.'],
  [
    "boolean f() { field('n').isEmpty() } return f()",
    'illegal_argument_exception: Unknown call [field] with [1] arguments.',
  ],
] as const;

test('defaults of other types, unknown getters and other numbers of arguments are refused', () => {
  const query = (script: string): object => ({ script: { script } });
  index.refuses(FAILURES.map(([script, cause]) => [query(script), `script_exception: runtime error <- ${cause}`]));
  const uncompiled = 'query_shard_exception: failed to create query: compile error <- script_exception: compile error';
  index.refuses(REFUSALS.map(([script, cause]) => [query(script), `${uncompiled} <- ${cause}`]));
});

test('dates of nanoseconds have all their digits', () =>
  index.finds([
    holding("doc['t'].size() == 2 && doc['t'].value.equals(doc['d'].value)", ['1']),
    holding("doc['t'].size() == 2 && doc['t'][1].toString() == '2024-02-29T10:11:12.345678901Z'", ['1']),
    holding("field('t').get(1, null)?.getNano() == 345678901 && field('t').get(null).isBefore(doc['t'][1])", ['1']),
    holding("doc['t'].size() == 2 && ChronoUnit.NANOS.between(doc['d'].value, doc['t'].get(1)) == 678901L", ['1']),
    holding("doc['t'].empty", ['2']),
  ]));

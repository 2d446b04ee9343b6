import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import { compile } from '../compile.js';
import { WriteContext, type WriteContextKind } from './write-context.js';

const GIVEN = { _index: 'i', _id: '1', _version: 3, _routing: null, _now: 5, _type: '_doc', op: 'index' };

function contextAfter(kind: WriteContextKind, source: string): WriteContext {
  const op = kind === 'upsert' ? 'create' : 'index';
  const ctx = new WriteContext(kind, { ...GIVEN, op }, { a: 1 });
  const script = { lang: 'painless', source, id: null, params: {}, options: {} };
  compile(script, kind === 'upsert' ? 'update' : kind).call([{}, ctx, 5]);
  return ctx;
}

function refusal(kind: WriteContextKind, source: string): string {
  try {
    contextAfter(kind, source);
  } catch (error) {
    if (isApiError(error)) return String((error.causedBy ?? error).reason);
    throw error;
  }
  return 'taken';
}

const unwritable = (javaClass: string): string => `cannot write xcontent for unknown value of type class ${javaClass}`;

test('ctx has the entries of its context in the order of a HashMap, the source first', () => {
  const keys = (kind: WriteContextKind): string => contextAfter(kind, 'int i = 1').keys().join(' ');
  assert.equal(keys('update'), '_source _routing op _index _type _id _now _version');
  assert.equal(keys('upsert'), '_source op _index _id _now');
  assert.equal(keys('update_by_query'), '_source _routing op _index _id _now _version');
  assert.equal(keys('reindex'), keys('update_by_query'));
  const text = contextAfter('reindex', 'ctx._source.t = ctx.toString()').source as { t: string };
  assert.equal(text.t, '{_source={a=1}, _routing=null, op=index, _index=i, _id=1, _now=5, _version=3}');
});

test('what a script may not change is refused where it changes it, in the words of 8.12', () => {
  const table: [WriteContextKind, string, string][] = [
    ['update', "ctx._id = 'x'", '_id cannot be updated'],
    ['update', 'ctx._now = 1', '_now cannot be updated'],
    ['update', 'ctx.foo = 1', 'Cannot put key [foo] with value [1] into ctx'],
    ['update', "ctx.remove('foo')", 'Cannot remove key foo from ctx'],
    ['update', "ctx.remove('_version')", '_version cannot be removed'],
    ['update', 'ctx.clear()', '_routing cannot be removed'],
    ['update', 'ctx._source = null', 'Expected [_source] to be a Map, not [null]'],
    ['update', "ctx._source = 'x'", 'Expected [_source] to be a Map, not [x] with type [java.lang.String]'],
    [
      'update',
      'ctx.op = 1',
      'op [1] is wrong type, expected assignable to [java.lang.String], not [java.lang.Integer]',
    ],
    ['update', "ctx._source.c = 'a'.charAt(0)", unwritable('java.lang.Character')],
    ['update', "ctx._source.c = [new StringBuilder('x')]", unwritable('java.lang.StringBuilder')],
    ['update', "ctx._source.c = ['r': /a/]", unwritable('java.util.regex.Pattern')],
    ['update', 'ctx._source.c = Collectors.toList()', unwritable('java.util.stream.Collector')],
    ['update', "metadata().op = 'none'", "'none' is not allowed, use 'noop' instead"],
    ['update', "metadata().op = 'x'", 'op must be one of [delete, index, noop], not [x]'],
    ['upsert', "metadata().op = 'index'", 'op must be one of [create, noop], not [index]'],
    ['upsert', 'ctx._version = 1', 'Cannot put key [_version] with value [1] into ctx'],
    ['upsert', 'def v = metadata().version', 'version is unavailable for insert'],
    ['update_by_query', "ctx.op = 'create'", '[op] must be one of delete, index, noop, not [create]'],
    ['update_by_query', 'ctx.op = null', 'op cannot be null'],
    ['update_by_query', "ctx.remove('op')", 'op cannot be removed'],
    ['update_by_query', "ctx._routing = 'x'", '_routing cannot be updated'],
    ['reindex', 'ctx._index = null', '_index cannot be null'],
    [
      'reindex',
      'ctx._version = 5.5',
      '_version may only be set to an int or a long but was [5.5] with type [java.lang.Double]',
    ],
    [
      'reindex',
      "ctx._version = 'x'",
      '_version [x] is wrong type, expected assignable to [java.lang.Number], not [java.lang.String]',
    ],
    [
      'reindex',
      'ctx._routing = 1',
      '_routing [1] is wrong type, expected assignable to [java.lang.String], not [java.lang.Integer]',
    ],
  ];
  for (const [kind, source, reason] of table) assert.equal(refusal(kind, source), reason, `${kind}: ${source}`);
});

test('what a script may change is kept', () => {
  const ctx = contextAfter('reindex', "ctx._index = 7; ctx._id = null; ctx._version = 5L; ctx._routing = 'r'");
  assert.deepEqual(
    ['_index', '_id', '_routing'].map((key) => ctx.get(key)),
    [7, null, 'r'],
  );
  assert.deepEqual(contextAfter('update', "ctx._source = ['b': new HashSet([2])]").source, { b: [2] });
});

test('numbers that JSON does not have are texts of their names', () => {
  const { source } = contextAfter('update', 'ctx._source.n = 0.0 / 0; ctx._source.l = [1.0 / 0, -1.0 / 0]');
  assert.deepEqual(source, { a: 1, n: 'NaN', l: ['Infinity', '-Infinity'] });
});

test('an operation that an update does not know does nothing', () => {
  const operation = (kind: WriteContextKind, op: string): string => contextAfter(kind, `ctx.op = ${op}`).operation;
  for (const op of ["'create'", "'none'", "'x'", 'null']) assert.equal(operation('update', op), 'noop');
  for (const op of ["'index'", "'delete'", 'null']) assert.equal(operation('upsert', op), 'noop');
  assert.equal(operation('update', "'delete'"), 'delete');
  assert.equal(operation('upsert', "'create'"), 'create');
});

test('a source that holds its own ctx is refused', () => {
  assert.match(refusal('update', 'ctx._source.a = ctx'), /self-referencing/);
});

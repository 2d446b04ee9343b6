import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import { stringify } from '@shoal/json';
import { compile } from '../../compile.js';
import { WriteContext, type WriteContextKind } from '../../runtime/write-context.js';

type Context = Record<string, unknown>;

function run(context: string, source: string, ctx: Context, params: Context = {}): Context {
  const script = { lang: 'painless', source, id: null, params, options: {} };
  if (context === 'ingest') {
    compile(script, context).call([params, ctx, '2024-02-29T10:11:12.345Z']);
    return ctx;
  }
  const written = new WriteContext(context as WriteContextKind, ctx, ctx['_source'] as Context);
  compile(script, context).call([Object.freeze(params), written, '2024-02-29T10:11:12.345Z']);
  const entries = written.entries().map(([key, value]): [string, unknown] => [key as string, value]);
  return Object.fromEntries(entries.filter(([key, value]) => key in ctx || value !== null));
}

/** Runs a script of an update and returns the document as JSON. */
const updated = (source: string, document: Context = {}): string =>
  stringify(run('update', source, { _source: document, op: 'index' })['_source'] as Context);

/** Returns class and text of the exception that ends a script of an update. */
function failure(source: string, document: Context = {}): string {
  try {
    updated(source, document);
  } catch (error) {
    if (isApiError(error)) return `${(error.causedBy ?? error).type}: ${(error.causedBy ?? error).reason}`;
    throw error;
  }
  throw new Error('the script has not failed');
}

test('a field is read by its path, as maps in maps or as one key', () => {
  const document = { a: { b: { c: 1 }, 'x.y': 2 }, 'p.q': [3, 4], n: null };
  const read = (expression: string): string =>
    updated(`def r = ${expression}; ctx._source = ['r': r]`, { ...document });
  assert.equal(read("field('a.b.c').get(9)"), '{"r":1}');
  assert.equal(read("$('a.x.y', 9)"), '{"r":2}');
  assert.equal(read("field('p.q').get(1, 9)"), '{"r":4}');
  assert.equal(read("field('p.q').get(2, 9)"), '{"r":9}');
  assert.equal(read("field('a.b.c').get(0, 9)"), '{"r":1}');
  assert.equal(read("$('a.zz.c', 'none')"), '{"r":"none"}');
  assert.equal(read("$('n', 'none')"), '{"r":null}');
  assert.equal(
    read("field('p.q').size() + ' ' + field('zz').isEmpty() + ' ' + field('n').exists()"),
    '{"r":"2 true true"}',
  );
  assert.equal(read("field('p.q').hasValue(v -> v == 4)"), '{"r":true}');
  assert.equal(read("field('a.b').name"), '{"r":"a.b"}');
  assert.equal(
    updated("def s = 0; for (def v : field('t')) { s += v } field('s').set(s)", { t: [3, 4] }),
    '{"t":[3,4],"s":7}',
  );
});

test('a field is set, appended to, and taken away', () => {
  assert.equal(updated("field('a.b.c').set(1)"), '{"a":{"b":{"c":1}}}');
  assert.equal(updated("field('a.b').set(2L)", { 'a.b': 1 }), '{"a.b":2}');
  assert.equal(updated("field('t').append(2).append('x')", { t: 1 }), '{"t":[1,2,"x"]}');
  assert.equal(updated("field('t').append(2)", { t: null }), '{"t":[2]}');
  assert.equal(updated("field('t.u').append(2)"), '{"t":{"u":[2]}}');
  assert.equal(updated("field('a.b').remove(); field('zz.y').remove()", { a: { b: 1, c: 2 } }), '{"a":{"c":2}}');
  assert.equal(
    failure("field('a.b').set(1)", { a: 5 }),
    "illegal_argument_exception: Segment [0:'a'] has value [5] of type [java.lang.Integer]",
  );
});

test('values move to other paths', () => {
  assert.equal(updated("field('a').move('b.c').set(2)", { a: 1 }), '{"b":{"c":2}}');
  assert.equal(updated("field('a').overwrite(field('b'))", { a: 1, b: 2 }), '{"b":1}');
  assert.equal(updated("field('zz').overwrite('b')", { a: 1, b: 2 }), '{"a":1}');
  assert.equal(
    failure("field('a').move('b')", { a: 1, b: 2 }),
    'illegal_argument_exception: Cannot move to non-empty destination [b]',
  );
  assert.equal(
    failure("field('a').move(5)"),
    'illegal_argument_exception: Cannot call move with [5], must be String or WriteField, not [java.lang.Integer]',
  );
});

test('the values of a list are changed one by one', () => {
  assert.equal(updated("field('t').transform(v -> v * 2)", { t: [1, 2] }), '{"t":[2,4]}');
  assert.equal(updated("field('t').transform(v -> v * 2)", { t: 3 }), '{"t":6}');
  assert.equal(
    updated("field('t').deduplicate()", { t: ['pear', 'fig', 'pear', 'apple'] }),
    '{"t":["apple","pear","fig"]}',
  );
  assert.equal(updated("field('t').removeValuesIf(v -> v > 1)", { t: [1, 2, 3] }), '{"t":[1]}');
  assert.equal(updated("field('t').removeValuesIf(v -> v > 1)", { t: 2 }), '{}');
  assert.equal(updated("field('t').removeValue(1).removeValue(9)", { t: [1, 2, 3] }), '{"t":[1,3]}');
  assert.equal(updated("field('t').removeValue(0)", { t: 'x' }), '{}');
  assert.equal(
    updated("def i = field('t').iterator(); while (i.hasNext()) { if (i.next() == 2) { i.remove() } }", {
      t: [1, 2, 3],
    }),
    '{"t":[1,3]}',
  );
  assert.match(failure("field('t').removeValue(-1)", { t: [1] }), /^index_out_of_bounds_exception: Index -1/);
});

test('documents in a field have fields of their own', () => {
  assert.equal(
    updated("field('d').doc().field('a.b').set(1); field('d').doc().field('c').set(2)"),
    '{"d":[{"a":{"b":1}},{"c":2}]}',
  );
  assert.equal(updated("field('d').doc(2).field('x').set(1)"), '{"d":[{},{},{"x":1}]}');
  assert.equal(
    updated(
      "for (def d : field('d').docs()) { d.field('n').transform(v -> v + 1); if (d.size() > 1) { d.remove() } }",
      {
        d: [{ n: 1 }, { n: 2, m: 1 }],
      },
    ),
    '{"d":[{"n":2}]}',
  );
  assert.equal(updated("field('d.e').doc(0).field('x').set(1)", { d: { e: { y: 1 } } }), '{"d":{"e":[{"y":1,"x":1}]}}');
  assert.match(failure("field('d').doc()", { d: 5 }), /^illegal_state_exception: Unexpected value \[5\] of type/);
  assert.match(failure("field('d').set(field('e').doc())"), /^illegal_argument_exception: cannot set NestedDocument/);
  assert.match(failure("field('d').docs().iterator().remove()", { d: [{}] }), /^illegal_state_exception/);
});

test('a script of a pipeline has fields beside metadata', () => {
  const ctx = { _index: 'i', _id: '1', a: 1 };
  assert.deepEqual(run('ingest', "field('a').move('b.c'); field('t').append($('_id', 'none'))", { ...ctx }), {
    _index: 'i',
    _id: '1',
    b: { c: 1 },
    t: ['none'],
  });
  assert.throws(() => run('ingest', "field('_id').set('2')", { ...ctx }), { type: 'script_exception' });
  assert.deepEqual(
    run('ingest', "metadata().index += '-new'; metadata().routing = 'r'; field('y').set(metadata().now.year)", ctx),
    { _index: 'i-new', _id: '1', a: 1, _routing: 'r', y: 2024 },
  );
});

test('metadata is read, and changed where the context lets', () => {
  const ctx = (): Context => ({ _index: 'i', _id: '1', _version: 3, op: 'index', _now: 1000, _source: {} });
  const now = '2024-02-29T10:11:12.345Z';
  assert.deepEqual(
    run(
      'update',
      "field('m').set(metadata().index + metadata().id + metadata().version + metadata().now); metadata().op = 'noop'",
      ctx(),
    ),
    { ...ctx(), op: 'noop', _source: { m: `i13${now}` } },
  );
  for (const context of ['update', 'update_by_query'])
    assert.throws(() => run(context, "metadata().id = '2'", ctx()), { type: 'script_exception' });
  assert.throws(() => run('update_by_query', "metadata().op = 'zz'", ctx()), { type: 'script_exception' });
  assert.deepEqual(
    run(
      'reindex',
      "metadata().id = '2'; if (!metadata().isVersionInternal()) { metadata().setVersionToInternal() }",
      ctx(),
    ),
    { ...ctx(), _id: '2', _version: null },
  );
});

test('the time of metadata is that of the run, whatever a document or a script says', () => {
  const claimed = (): Context => ({ _id: '1', op: 'index', _now: 1, _source: {}, _ingest: { timestamp: '1999' } });
  const year = "if (ctx.containsKey('_ingest')) { ctx['_now'] = 2 } field('y').set(metadata().now.year)";
  assert.equal(run('ingest', year, claimed())['y'], 2024);
  for (const context of ['update', 'update_by_query'])
    assert.deepEqual(run(context, year, claimed())['_source'], { y: 2024 });
  const script = { lang: 'painless', source: year, id: null, params: {}, options: {} };
  assert.throws(() => compile(script, 'ingest').call([{}, claimed()]), { type: 'script_exception' });
  assert.throws(() => run('reindex', year, claimed()), { type: 'script_exception' });
});

test('field() has no way to what no script may reach', () => {
  assert.equal(
    updated("field('__proto__.x').set(1); field('constructor').append(2)"),
    '{"__proto__":{"x":1},"constructor":[2]}',
  );
  assert.equal(({} as Context)['x'], undefined);
  assert.match(
    failure("String p = 'a'; for (int i = 0; i < 18; ++i) { p += '.' + p } field(p).set(1)"),
    /self-referencing|bytes|levels/,
  );
  assert.match(failure("field('d').doc(100000000)"), /^circuit_breaking_exception/);
});

test('a path of a million dots is refused without looking for its end from each of them', () => {
  const doubled = "String s = '..'; for (int i = 0; i < 19; i++) { s += s }";
  assert.match(failure(`${doubled} field(s + 'x').set(1)`), /a path of more than \[1000\] levels cannot be made/);
  assert.equal(updated("field('a.b...').set(1)"), '{"a":{"b":1}}');
});

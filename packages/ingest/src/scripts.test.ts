import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiError } from '@shoal/errors';
import { createScripts, onlyReads } from './scripts.js';

const stored: Record<string, unknown> = { s: { lang: 'painless', source: 'ctx.a = 1' } };
const scripts = createScripts(() => stored);

test('scripts see fields as they are and change them in place', () => {
  const ctx: Record<string, unknown> = { a: [1], b: { c: 'x' } };
  const script = scripts.compile(
    { source: 'ctx.a.add(params.p); ctx.b.d = [1]; ctx.remove("c")', params: { p: 2 } },
    'ingest',
  );
  script.call(ctx);
  assert.deepEqual(ctx, { a: [1, 2], b: { c: 'x', d: [1] } });
});

test('a stored script is looked up each time it runs', () => {
  const script = scripts.compile({ id: 's' }, 'ingest');
  assert.equal(script.text, 's');
  const ctx: Record<string, unknown> = {};
  script.call(ctx);
  stored['s'] = { lang: 'painless', source: 'ctx.b = 2' };
  script.call(ctx);
  assert.deepEqual(ctx, { a: 1, b: 2 });
  assert.throws(() => scripts.compile({ id: 'no' }, 'ingest'), {
    reason: 'unable to find script [no] in cluster state',
  });
});

test('a condition changes nothing of the document', () => {
  const ctx = { a: { b: [1] } };
  for (const source of [
    'ctx.x = 1; return true',
    'ctx.a.b.add(2)',
    'ctx.a.b[0] = 2; true',
    'ctx.a.b.removeIf(x -> true)',
  ]) {
    const condition = scripts.compile(source, 'processor_conditional');
    const reason = 'Mutating ingest documents in conditionals is not supported';
    assert.throws(
      () => condition.call(ctx),
      (error: ApiError) => error.type === 'script_exception' && error.causedBy?.reason === reason,
      source,
    );
  }
  assert.deepEqual(ctx, { a: { b: [1] } });
  assert.equal(scripts.compile('def x = ctx.a.b; x.size() == 1', 'processor_conditional').call(ctx), true);
});

test('parameters of a condition are refused in the words of those of other scripts', () => {
  const script = {
    lang: 'painless',
    source: 'params.a = 1; true',
    id: null,
    params: Object.freeze({ a: 0 }),
    options: {},
  };
  assert.throws(
    () => scripts.compile(script, 'processor_conditional').call({}),
    (error: ApiError) =>
      error.causedBy?.type === 'unsupported_operation_exception' && (error.causedBy.reason ?? null) === null,
  );
});

test('the text of most conditions shows that they only read', () => {
  for (const source of ["ctx.a?.b == 'x' && ctx.c != null", "ctx.tags.contains('a') || ctx.n >= 3", 'ctx.a =~ /x/'])
    assert.equal(onlyReads(source), true, source);
  for (const source of [
    'ctx.a = 1',
    'ctx.a += 1',
    'ctx.n++',
    'ctx.l.add(1)',
    'ctx.l.forEach(x -> 1)',
    'ctx.l.sort(A::b)',
  ])
    assert.equal(onlyReads(source), false, source);
});

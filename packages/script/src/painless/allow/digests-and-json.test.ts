import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from '@shoal/json';
import { compile } from '../../compile.js';

/** Runs a script of a pipeline and returns its document as JSON. */
function changed(source: string, ctx: Record<string, unknown> = {}): string {
  const script = { lang: 'painless', source, id: null, params: {}, options: {} };
  compile(script, 'ingest').call([Object.freeze({}), ctx]);
  return stringify(ctx);
}

test('texts have digests where scripts change documents', () => {
  assert.equal(
    changed("ctx.a = 'abc'.sha1(); ctx.b = 'abc'.sha256().substring(0, 8)"),
    '{"a":"a9993e364706816aba3e25717850c26c9cd0d89d","b":"ba7816bf"}',
  );
  const script = { lang: 'painless', source: "'abc'.sha1()", id: null, params: {}, options: {} };
  assert.throws(() => compile(script, 'score'), { type: 'script_exception' });
});

test('JSON is read and printed, and what is printed keeps its classes', () => {
  assert.equal(changed('ctx.v = Json.load(\'{"a":[1,2.0,{"b":null}]}\').a'), '{"v":[1,2.0,{"b":null}]}');
  assert.equal(
    changed("def m = ['k': [1L, 'x']]; ctx.t = Json.dump(m); ctx.c = m.k[0] instanceof Long"),
    '{"t":"{\\"k\\":[1,\\"x\\"]}","c":true}',
  );
  assert.equal(
    changed("ctx.t = Json.dump(['a': [], 'b': [1]], true)"),
    JSON.stringify({ t: '{\n  "a" : [ ],\n  "b" : [\n    1\n  ]\n}' }),
  );
  for (const text of ['', '1,"x":2', '{"a":1}}', '{a:1}', '[1'])
    assert.throws(() => changed('ctx.v = Json.load(ctx.s)', { s: text }), { type: 'script_exception' }, text);
  assert.throws(() => changed('def l = []; l.add(l); ctx.t = Json.dump(l)'), { type: 'script_exception' });
});

test('scripts of pipelines call processors', () => {
  assert.equal(
    changed(
      "ctx.b = Processors.bytes('2kb'); ctx.u = Processors.uppercase('aß'); ctx.d = Processors.urlDecode('a%20b+c'); " +
        "Processors.json(ctx, 'j')",
      { j: '{"x":1}' },
    ),
    '{"j":{"x":1},"b":2048,"u":"ASS","d":"a b c"}',
  );
});

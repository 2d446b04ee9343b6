import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IngestDocument } from './document.js';
import { ConfigReader } from './config-reader.js';
import type { PipelineSite } from './processor-type.js';
import { script } from './processors/script.js';
import { installIngestFunctions } from './ingest-functions.js';
import { documentContext, takeContext } from './script-context.js';
import { createScripts } from './scripts.js';

const scripts = createScripts(() => ({}));

/** Runs a script on a small and on a large document; returns what both became, which has to be the same. */
function ran(source: string, fields: Record<string, unknown>): Record<string, unknown> {
  const results = [false, true].map((isLarge) => {
    const metadata = { _index: 'i', _id: '1', _version: -3 };
    const document = new IngestDocument(structuredClone(fields), metadata, {}, isLarge);
    const ctx = documentContext(document);
    try {
      scripts.compile(source, 'ingest').call(ctx);
      takeContext(document, ctx);
    } catch (thrown) {
      return { error: (thrown as Error & { reason: string }).reason };
    }
    return { ...document.source, ...document.metadata };
  });
  assert.deepEqual(results[1], results[0], source);
  return results[1]!;
}

test('a script changes a large document as it does a small one', () => {
  const fields = { a: 1, b: { c: [1] }, d: 'x' };
  assert.deepEqual(ran("ctx.e = ctx.a + 1; ctx.b.c.add(2); ctx.remove('d'); ctx._index = 'j'", fields), {
    a: 1,
    b: { c: [1, 2] },
    e: 2,
    _index: 'j',
    _id: '1',
    _version: -3,
  });
  assert.equal(ran('ctx.n = ctx.size(); ctx.k = ctx.containsKey("_id")', fields)['n'], 6);
  assert.deepEqual(ran('ctx.l = new ArrayList(ctx.keySet()); ctx.l.sort(null); ctx._id = null', fields)['_id'], null);
  ran("ctx.o = ['x': ['y': 1.0]]; ctx['_routing'] = 'r'", fields);
  ran('ctx._version = null', fields);
  ran("ctx.remove('_id')", fields);
  ran('ctx.clear()', fields);
});

test('a script reaches fields of small and large documents by their paths', () => {
  const fields = { a: 1, b: { c: [1] } };
  assert.deepEqual(ran("field('a').move('d.e'); field('b.c').append(2).append($('_id', 'none'))", fields), {
    ...{ b: { c: [1, 2, 'none'] }, d: { e: 1 } },
    ...{ _index: 'i', _id: '1', _version: -3 },
  });
  assert.equal(ran("metadata().index = 'j'; metadata().routing = 'r'", fields)['_routing'], 'r');
  assert.ok('error' in ran("field('_index').set('j')", fields));
});

test('a script is told when the pipelines of its document began, whatever its document says', () => {
  const compiled = new ConfigReader('script', null, { source: "ctx.y = metadata().now.year; ctx.n = ctx['_now']" });
  const step = script.parse(compiled, { scripts } as PipelineSite);
  for (const isLarge of [false, true]) {
    const ingest = { timestamp: '2026-11-23T12:00:00.5Z' };
    const document = new IngestDocument({ _now: 1, _ingest: { timestamp: 'no time' } }, {}, ingest, isLarge);
    document.set('_ingest.timestamp', '1999-01-01T00:00:00Z');
    void step(document, null as never);
    assert.deepEqual([document.source['y'], document.source['n']], [2026, 1]);
  }
});

test('a condition reads a large document and changes nothing of it', () => {
  const document = new IngestDocument({ a: { b: [1] } }, { _index: 'i' }, {}, true);
  const holds = (source: string): unknown =>
    scripts.compile(source, 'processor_conditional').call(documentContext(document));
  assert.equal(holds("def x = ctx.a.b; x.size() == 1 && ctx._index == 'i' && ctx.z == null"), true);
  assert.throws(() => holds('ctx.a.b.add(2); true'), { type: 'script_exception' });
  assert.deepEqual([document.source, document.metadata], [{ a: { b: [1] } }, { _index: 'i' }]);
});

test('scripts call what processors do', () => {
  installIngestFunctions();
  const flow = "'128.232.110.120', '66.35.250.204', null, 'tcp', 34855, '80', null, null";
  const calls = {
    id: `Processors.communityId(${flow})`,
    seeded: `Processors.communityId(${flow}, 1)`,
    none: "Processors.communityId('1.2.3.4', '5.6.7.8', null, null, 1, 2, null, null)",
    to: "Processors.networkDirection('10.1.2.3', '8.8.8.8', ['private'])",
    parts: "Processors.uriParts('http://a.b:80/c.gif?d#e')",
  };
  const source = Object.entries(calls).map(([name, call]) => `ctx.${name} = ${call};`);
  const { id, seeded, none, to, parts } = ran(source.join(' '), {});
  assert.deepEqual(
    { id, seeded, none, to, parts },
    {
      id: '1:LQU9qZlK+B5F3KDmev6m5PMibrg=',
      seeded: '1:3V71V58M3Ksw/yuFALMcW0LAHvc=',
      none: null,
      to: 'outbound',
      parts: { domain: 'a.b', fragment: 'e', path: '/c.gif', port: 80, query: 'd', scheme: 'http', extension: 'gif' },
    },
  );
  assert.equal(ran("ctx.a = Processors.networkDirection('x', '1.1.1.1', [])", {})['error'], 'runtime error');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RuntimeValues } from '@shoal/mapping';
import type { Searcher } from '../searcher.js';
import { errorText, memoryIndex } from '../testing/memory-index.js';
import { searchFixture } from '../testing/search-fixture.js';
import { withRuntime } from './runtime-searcher.js';

const OPTIONS = {
  mapping: {
    n: { type: 'long' },
    k: { type: 'keyword' },
    t: { type: 'date' },
    o: { type: 'nested', properties: { x: { type: 'long' } } },
  },
  documents: [
    { n: 1, k: ['x', 'y'], t: '2024-01-01', o: [{ x: 1 }] },
    { n: 2, k: 'z', t: '2024-02-01' },
  ],
};

const script = (type: string, source: string, rest: object = {}): object => ({ type, script: source, ...rest });

async function searcherWith(runtime: Readonly<Record<string, object>>): Promise<Searcher> {
  return withRuntime(await memoryIndex(OPTIONS).searcher([[0, 1]]), runtime);
}

/** Values of the runtime field `f` in the first document, which a nested one precedes. */
async function valuesOf(definition: object, others: Readonly<Record<string, object>> = {}): Promise<RuntimeValues> {
  const searcher = await searcherWith({ f: definition, ...others });
  return searcher.runtime!.values(searcher.mapping.field('f')!, searcher.segments[0]!, 1);
}

/** Definition of the field and what it has in the first document. */
const ROWS: readonly (readonly [object, RuntimeValues])[] = [
  [script('long', "emit(doc['n'].value * 2); emit(9007199254740993L); emit(-1)"), [-1, 2, 9007199254740993n]],
  [script('double', 'emit(1); emit(0.5f); emit(0.0 / 0)'), [0.5, 1]],
  [script('keyword', "for (def v : doc['k']) emit(v + '!'); emit('a'); emit('a')"), ['a', 'a', 'x!', 'y!']],
  [script('boolean', "emit(doc['n'].value > 0); emit(false)"), [0, 1]],
  [script('date', "emit(doc['t'].value.toInstant().toEpochMilli() + 1000)"), [Date.UTC(2024, 0, 1, 0, 0, 1)]],
  [script('ip', "emit('1.2.3.4')"), [`${'\0'.repeat(10)}\xff\xff\x01\x02\x03\x04`]],
  [script('geo_point', 'emit(1, 2.5); emit(-3, 4)'), [1, 2.5, -3, 4]],
  [{ type: 'keyword', script: { source: "emit(params.p + params._source['k'][1])", params: { p: 'p' } } }, ['py']],
  [script('long', "if (doc['n'].value > 1) emit(1)"), []],
  [script('long', "emit(1 / (doc['n'].value - 1))", { on_script_error: 'continue' }), []],
];

test('scripts emit the values of runtime fields', async () => {
  for (const [definition, values] of ROWS)
    assert.deepEqual(await valuesOf(definition), values, JSON.stringify(definition));
});

test('a script sees other runtime fields, but not itself', async () => {
  const g = script('long', "emit(doc['h'].value + 1)");
  assert.deepEqual(
    await valuesOf(script('long', "emit(doc['g'].value * 10)"), { g, h: script('long', 'emit(4)') }),
    [50],
  );
  assert.deepEqual(
    await valuesOf(script('keyword', "emit(doc['k'].get(1))"), { k: script('keyword', "emit('b'); emit('a')") }),
    ['b'],
  );
  const failure = await valuesOf(script('long', "emit(doc['g'].value)"), {
    g: script('long', "emit(doc['f'].value)"),
  }).then(() => 'no error', errorText);
  assert.match(failure, /Cyclic dependency detected while resolving runtime fields: f -> g -> f$/);
});

test('a script may not emit more than 100 values, or a megabyte of characters', async () => {
  const failureOf = (definition: object): Promise<string> => valuesOf(definition).then(() => 'no error', errorText);
  const many = (count: number): object => script('long', `for (int i = 0; i < ${count}; i++) emit(i)`);
  assert.equal((await valuesOf(many(100))).length, 100);
  assert.match(
    await failureOf(many(101)),
    /Runtime field \[f\] is emitting \[101\] values while the maximum number of values allowed is \[100\]$/,
  );
  const long = "String s = 'x'; for (int i = 0; i < 20; i++) { s = s + s } emit(s); emit('y')";
  assert.match(await failureOf(script('keyword', long)), /is emitting \[1048577\] characters/);
});

test('sub-fields of a composite field come from one run of its script', async () => {
  const source = "emit('a', doc['n'].value); emit(['b': 'text', 'c': [3, '4', 'no'], 'other': 1])";
  const fields = { a: { type: 'long' }, b: { type: 'keyword' }, c: { type: 'long' }, d: { type: 'long' } };
  const searcher = await searcherWith({ f: { type: 'composite', script: source, fields } });
  const values = (name: string): RuntimeValues =>
    searcher.runtime!.values(searcher.mapping.field(name)!, searcher.segments[0]!, 1);
  assert.deepEqual(['f.a', 'f.b', 'f.c', 'f.d'].map(values), [[1], ['text'], [3, 4], []]);
  assert.equal(searcher.mapping.field('f'), null);
  const doubles = { type: 'composite', script: "emit('a', 5.0); emit('b', [5.0, 0.5])", fields };
  const other = await searcherWith({ f: doubles });
  const read = (name: string): RuntimeValues =>
    other.runtime!.values(other.mapping.field(name)!, other.segments[0]!, 1);
  assert.deepEqual(['f.a', 'f.b'].map(read), [[5], ['0.5', '5.0']]);
});

test('fields of a request are not taken for those of the mapping that they hide', async () => {
  const composite = (source: string): object => ({
    type: 'composite',
    script: source,
    fields: { a: { type: 'long' } },
  });
  const mapped = memoryIndex({ ...OPTIONS, runtime: { f: composite("emit('a', 1)"), g: script('long', 'emit(1)') } });
  const searcher = await mapped.searcher([[0, 1]]);
  const own = withRuntime(searcher, { f: composite("emit('a', 2)"), g: script('long', "emit(doc['f.a'].value * 10)") });
  const [view] = own.segments;
  const values = (name: string): RuntimeValues => own.runtime!.values(own.mapping.field(name)!, view!, 1);
  assert.deepEqual(['f.a', 'g', 'f.a'].map(values), [[2], [20], [2]]);
  const before = searcher.mapping.field('f.a')!;
  assert.deepEqual(own.runtime!.values(before, view!, 1), [1]);
  assert.deepEqual(own.runtime!.values(own.mapping.field('f.a')!, view!, 1), [2]);
});

test('conditions on fields with scripts find documents, but no nested ones', async () => {
  const runtime = { twice: script('long', "emit(doc['n'].value * 2)"), one: script('long', 'emit(1)') };
  const index = await searchFixture({ ...OPTIONS, runtime });
  index.finds([
    [{ range: { twice: { gt: 2 } } }, ['2']],
    [{ term: { one: 1 } }, ['1', '2']],
    [{ nested: { path: 'o', query: { term: { one: 1 } } } }, []],
  ]);
});

test('columns of scripts that depend on chance or time are not kept', async () => {
  const searcher = await searcherWith({
    r: script('double', 'emit(Math.random())'),
    s: script('double', 'emit(1)'),
  });
  const [view] = searcher.segments;
  assert.equal(searcher.runtime!.isUnrepeatable, false);
  view!.reader.numbers('s');
  assert.equal(searcher.runtime!.isUnrepeatable, false);
  view!.reader.numbers('r');
  assert.equal(searcher.runtime!.isUnrepeatable, true);
});

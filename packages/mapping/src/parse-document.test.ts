import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAnalysisRegistry } from '@shoal/analysis';
import type { FieldEntry } from '@shoal/segments';
import type { ParsedDocument, ParsedPart } from './mapping-api.js';
import { createDocumentScratch, mappingOptions, mergeMappings, parseDocument, parseMapping } from './index.js';

const options = mappingOptions({}, buildAnalysisRegistry({}));

function parse(mapping: unknown, source: unknown, settings: Record<string, unknown> = {}): ParsedDocument {
  const own = { ...options, ...mappingOptions(settings, options.analysis) };
  const bytes = new TextEncoder().encode(typeof source === 'string' ? source : JSON.stringify(source));
  return parseDocument(parseMapping(mapping, own), bytes, { id: '7', nowMs: 0 }, own);
}

function valuesOf(entry: FieldEntry): unknown {
  return entry.kind === 'tokens' || entry.kind === 'terms'
    ? entry.terms
    : entry.kind === 'binary'
      ? [...entry.value]
      : entry.values;
}

/** Field → values of one part. */
function fieldsOf(part: ParsedPart | undefined): Record<string, unknown> {
  return Object.fromEntries((part?.entries ?? []).map((entry) => [entry.layout.name, valuesOf(entry)]));
}

function rootOf(mapping: unknown, source: unknown, settings: Record<string, unknown> = {}): Record<string, unknown> {
  return fieldsOf(parse(mapping, source, settings).parts.at(-1));
}

test('a text gets tokens for itself and the whole text for its keyword', () => {
  const mapping = { properties: { t: { type: 'text', fields: { k: { type: 'keyword' } } } } };
  assert.deepEqual(rootOf(mapping, { t: 'Hello big World' }), {
    t: ['hello', 'big', 'world'],
    't.k': ['Hello big World'],
  });
});

test('further values of a text stand behind the gap', () => {
  const [part] = parse({ properties: { t: { type: 'text' } } }, { t: ['a b', 'c'] }).parts;
  const entry = part?.entries[0];
  assert.ok(entry?.kind === 'tokens');
  assert.deepEqual([...entry.terms], ['a', 'b', 'c']);
  assert.deepEqual(Array.from(entry.positions), [0, 1, 102]);
  assert.equal(entry.length, 3);
});

test('values of one field at several places make one entry', () => {
  const mapping = { properties: { o: { properties: { n: { type: 'long' } } } } };
  assert.deepEqual(rootOf(mapping, { o: [{ n: 1 }, { n: [2, 3] }], 'o.n': 4 }), { 'o.n': [1, 2, 3, 4] });
});

test('dots at the end of a name say nothing', () => {
  assert.deepEqual(rootOf({ properties: { n: { type: 'long' } } }, { 'n.': 1 }), { n: [1] });
  assert.deepEqual(parse({}, { x: { 'n.': 1 } }).dynamicUpdate, {
    properties: { x: { properties: { n: { type: 'long' } } } },
  });
  assert.equal(parse({}, { 'n.': null }).dynamicUpdate, null);
});

test('nested objects come before their root, the deepest first', () => {
  const inner = { type: 'nested', properties: { x: { type: 'long' } } };
  const mapping = { properties: { n: { type: 'nested', properties: { x: { type: 'long' }, m: inner } } } };
  const { parts } = parse(mapping, { n: [{ x: 1, m: [{ x: 2 }] }, { x: 3 }] });
  assert.deepEqual(
    parts.map((part) => part.nestedPath),
    ['n.m', 'n', 'n', null],
  );
  assert.deepEqual(parts.map(fieldsOf), [{ 'n.m.x': [2] }, { 'n.x': [1] }, { 'n.x': [3] }, {}]);
});

test('include_in_root gives the root the values of nested objects as well', () => {
  const mapping = { properties: { n: { type: 'nested', include_in_root: true, properties: { t: { type: 'text' } } } } };
  assert.deepEqual(rootOf(mapping, { n: [{ t: 'a' }, { t: 'b' }] }), { 'n.t': ['a', 'b'] });
});

test('copy_to reaches other fields, from nested objects the root', () => {
  const mapping = {
    properties: {
      all: { type: 'keyword' },
      a: { type: 'long', copy_to: 'all' },
      n: { type: 'nested', properties: { b: { type: 'keyword', copy_to: ['all'] } } },
    },
  };
  assert.deepEqual(rootOf(mapping, { a: 1, n: [{ b: 'x' }, { b: 'y' }] }), { a: [1], all: ['1', 'x', 'y'] });
});

test('numbers in text fields keep the form of the source', () => {
  const mapping = { properties: { k: { type: 'keyword' } } };
  assert.deepEqual(rootOf(mapping, '{"k":[1.0, 1.50, 1e3, 7, true, 12345678901234567890]}'), {
    k: ['1.0', '1.50', '1e3', '7', 'true', '12345678901234567890'],
  });
});

test('whole numbers beyond 2^53 stay exact', () => {
  const mapping = { properties: { l: { type: 'long' } } };
  assert.deepEqual(rootOf(mapping, '{"l":[9007199254740993, -9223372036854775808, 5]}'), {
    l: [9007199254740993n, -9223372036854775808n, 5],
  });
});

test('floats are rounded to what their type holds', () => {
  const mapping = {
    properties: { f: { type: 'float' }, h: { type: 'half_float' }, s: { type: 'scaled_float', scaling_factor: 100 } },
  };
  assert.deepEqual(rootOf(mapping, { f: 0.1, h: 0.1, s: 1.239 }), {
    f: [0.10000000149011612],
    h: [0.0999755859375],
    s: [1.24],
  });
});

test('malformed values are dropped and named where the field ignores them', () => {
  const mapping = {
    properties: { l: { type: 'long', ignore_malformed: true }, k: { type: 'keyword', ignore_above: 3 } },
  };
  const { parts, ignored } = parse(mapping, { l: ['x', 2], k: ['abcd', 'abc'] });
  assert.deepEqual(ignored, ['k', 'l']);
  assert.deepEqual(fieldsOf(parts[0]), { l: [2], k: ['abc'], _ignored: ['l', 'k'] });
});

test('index.mapping.ignore_malformed is the default of fields', () => {
  assert.deepEqual(
    rootOf({ properties: { d: { type: 'date' } } }, { d: 'never' }, { 'index.mapping.ignore_malformed': 'true' }),
    { _ignored: ['d'] },
  );
});

test('null_value stands in for null', () => {
  const mapping = {
    properties: { k: { type: 'keyword', null_value: 'none' }, l: { type: 'long', null_value: 3 }, t: { type: 'text' } },
  };
  assert.deepEqual(rootOf(mapping, { k: [null, 'a'], l: null, t: null }), { k: ['none', 'a'], l: [3] });
});

test('fields without column and norms are told by _field_names', () => {
  const mapping = {
    properties: { t: { type: 'text', norms: false }, k: { type: 'keyword', doc_values: false }, n: { type: 'long' } },
  };
  assert.deepEqual(rootOf(mapping, { t: 'a', k: 'b', n: 1 })['_field_names'], ['t', 'k']);
});

test('objects that are not enabled and dynamic false keep nothing', () => {
  const mapping = { dynamic: false, properties: { o: { type: 'object', enabled: false } } };
  assert.deepEqual(rootOf(mapping, { o: { x: 1 }, y: 2 }), {});
});

test('more nested objects than allowed are refused', () => {
  const mapping = { properties: { n: { type: 'nested', properties: { x: { type: 'long' } } } } };
  assert.throws(() => parse(mapping, { n: [{}, {}, {}] }, { 'index.mapping.nested_objects.limit': '2' }), {
    reason:
      '[1:13] The number of nested documents has exceeded the allowed limit of [2]. This limit can be set by ' +
      'changing the [index.mapping.nested_objects.limit] index level setting.',
  });
});

test('new fields beyond the limit are refused', () => {
  assert.throws(
    () => parse({}, { a: 1, b: 2 }, { 'index.mapping.total_fields.limit': '1' }),
    /Limit of total fields \[1\] has been exceeded while adding new fields \[2\]/,
  );
});

test('duplicate keys are refused', () => {
  assert.throws(() => parse({}, '{"a":1,"a":2}'), /Duplicate field 'a'/);
});

test('keys that look like prototypes are fields like others', () => {
  const { dynamicUpdate } = parse({}, '{"__proto__":{"polluted":1},"constructor":1}');
  assert.ok(Object.hasOwn((dynamicUpdate?.['properties'] ?? {}) as object, 'constructor'));
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
});

test('flattened fields have their leaves and their keys', () => {
  const { parts } = parse({ properties: { f: { type: 'flattened' } } }, { f: { a: { b: ['x', 1] }, c: true } });
  assert.deepEqual(fieldsOf(parts[0]), { f: ['x', '1', 'true'], 'f.a.b': ['x', '1'], 'f.c': ['true'] });
});

test('the first document names the dimensions of a vector and the value of a constant', () => {
  const mapping = { properties: { v: { type: 'dense_vector' }, c: { type: 'constant_keyword' } } };
  const { dynamicUpdate } = parse(mapping, { v: [1, 2, 2], c: 'x' });
  const properties = dynamicUpdate?.['properties'] as Record<string, Record<string, unknown>>;
  assert.equal(properties['v']?.['dims'], 3);
  assert.equal(properties['c']?.['value'], 'x');
});

test('a constant keyword belongs to every document', () => {
  assert.deepEqual(rootOf({ properties: { c: { type: 'constant_keyword', value: 'x' } } }, {}), { c: ['x'] });
});

test('ranges are terms of both ends', () => {
  const entry = parse({ properties: { r: { type: 'integer_range' } } }, { r: { gt: 1, lte: 5 } }).parts[0]?.entries[0];
  assert.ok(entry?.kind === 'terms');
  assert.equal(entry.terms[0]?.length, 16);
});

test('contexts of completions come from the entry or from another field', () => {
  const contexts = [
    { name: 'color', type: 'category', path: 'c' },
    { name: 'place', type: 'geo', precision: '5km' },
  ];
  const mapping = { properties: { c: { type: 'keyword' }, s: { type: 'completion', contexts } } };
  const own = rootOf(mapping, { s: { input: 'Foo Bar', weight: 3, contexts: { color: 'red' } }, c: 'blue' });
  assert.deepEqual(own['s'], ['foo bar\u001f0000000003\u001fFoo Bar\u001f{"color":["red"]}']);
  const other = rootOf(mapping, { s: 'Foo', c: ['blue', 'green'] });
  assert.deepEqual(other['s'], ['foo\u001f0000000001\u001fFoo\u001f{"color":["blue","green"]}']);
  assert.throws(() => parse(mapping, { s: 'Foo' }), {
    reason: 'Contexts are mandatory in context enabled completion field [s]',
  });
  assert.throws(() => parse(mapping, { s: { input: 'Foo', contexts: { zz: 1 } } }), {
    reason: '[1:33] failed to parse: Unknown context name [zz], must be one of [color, place]',
  });
});

test('search_as_you_type has fields of runs and of beginnings', () => {
  const fields = rootOf({ properties: { s: { type: 'search_as_you_type' } } }, { s: 'Big Red Fox' });
  assert.deepEqual(fields['s'], ['big', 'red', 'fox']);
  assert.deepEqual(fields['s._2gram'], ['big red', 'red fox']);
  assert.deepEqual(fields['s._3gram'], ['big red fox']);
  assert.ok((fields['s._index_prefix'] as string[]).includes('red f'));
});

test('a long array of decimals becomes a vector, a short one or one of whole numbers does not', () => {
  const decimals = (length: number): number[] => Array.from({ length }, (_, i) => i + 0.5);
  const typeOf = (values: number[]): unknown => {
    const update = parse({}, { v: values }).dynamicUpdate as { readonly properties: Record<string, unknown> };
    return update.properties['v'];
  };
  assert.deepEqual(typeOf(decimals(127)), { type: 'float' });
  assert.deepEqual(typeOf(decimals(128)), { type: 'dense_vector', dims: 128 });
  assert.deepEqual(typeOf(Array.from({ length: 200 }, (_, i) => i)), { type: 'long' });
});

test('texts of many numbers are found in one pass', () => {
  const numbers = Array.from({ length: 20_000 }, (_, i) => `${i}.0`);
  const source = `{"s":"1.0 \\" 2.0","k":[${numbers.join(',')}]}`;
  assert.deepEqual(rootOf({ properties: { k: { type: 'keyword' }, s: { type: 'keyword' } } }, source)['k'], numbers);
});

test('values of runtime fields are neither indexed nor mapped; objects of their name are', () => {
  const mapping = { dynamic: 'strict', runtime: { d: { type: 'long' }, 'o.k': { type: 'keyword' } } };
  const properties = { o: { type: 'object' } };
  assert.deepEqual(rootOf({ ...mapping, properties }, { d: ['x', 5], o: { k: 'v' } }), {});
  assert.deepEqual(parse(mapping, { d: 1, 'o.k': 2 }).dynamicUpdate, null);
  assert.deepEqual(parse({ runtime: { d: { type: 'long' } } }, { d: { e: true } }).dynamicUpdate, {
    properties: { d: { properties: { e: { type: 'boolean' } } } },
  });
});

test('two values of a new field that contradict each other are told of when all else could be parsed', () => {
  const mapping = { properties: { n: { type: 'long' } } };
  const a = ['2020-06-15', 1706745600000];
  assert.throws(() => parse(mapping, { a, n: 1 }), {
    type: 'illegal_argument_exception',
    reason: 'mapper [a] cannot be changed from type [date] to [long]',
  });
  assert.throws(() => parse(mapping, { a, n: 'x' }), { type: 'document_parsing_exception' });
});

test('ignore_malformed does not ignore objects, except as points', () => {
  for (const type of ['long', 'short', 'float', 'unsigned_long', 'date', 'date_nanos', 'boolean', 'ip']) {
    const mapping = { properties: { f: { type, ignore_malformed: true } } };
    assert.deepEqual(parse(mapping, { f: 'no' }).ignored, ['f'], type);
    for (const value of ['{"a":1}', '{}', '[5,{"a":1}]'])
      assert.throws(() => parse(mapping, `{"f":${value}}`), { type: 'document_parsing_exception' }, type);
  }
  const point = { properties: { f: { type: 'geo_point', ignore_malformed: true } } };
  assert.deepEqual(parse(point, { f: { a: 1 } }).ignored, ['f']);
});

test('values of a field come from the fields that are copied to it too', () => {
  const properties = {
    a: { type: 'text', copy_to: ['c', 'k'] },
    o: { properties: { b: { type: 'text', copy_to: 'c' } } },
    c: { type: 'text', fields: { raw: { type: 'keyword' } } },
    k: { type: 'keyword' },
    fl: { type: 'flattened' },
  };
  const { sourcePaths } = parseMapping({ properties }, options);
  assert.deepEqual(['c', 'c.raw', 'k', 'a', 'fl.x.y'].map(sourcePaths), [
    ['c', 'a', 'o.b'],
    ['c', 'a', 'o.b'],
    ['k', 'a'],
    ['a'],
    ['fl.x.y'],
  ]);
});

test('dynamic: runtime maps values of new fields as runtime fields, and objects not at all', () => {
  const mapping = {
    dynamic: 'runtime',
    dynamic_templates: [
      { addresses: { match: 'ip_*', runtime: { type: 'ip' } } },
      { counts: { match: 'm_*', mapping: { type: 'integer' } } },
      { any: { match: 'any_*', runtime: { type: '{dynamic_type}' } } },
    ],
    properties: { o: { type: 'object', dynamic: true } },
  };
  const source =
    '{"s":"x","f":1.5,"d":"2020/01/01","obj":{"p":{"q":true}},"a.b.c":1,"ip_a":"::1","m_x":3,"any_o":{"z":1},' +
    '"any_f":0.5,"o":{"n":1},"mixed":["a",1],"big":9223372036854775808,"e":{},"none":null}';
  assert.deepEqual(parse(mapping, source).dynamicUpdate, {
    runtime: {
      s: { type: 'keyword' },
      f: { type: 'double' },
      d: { type: 'date', format: 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis' },
      'obj.p.q': { type: 'boolean' },
      'a.b.c': { type: 'long' },
      ip_a: { type: 'ip' },
      'any_o.z': { type: 'long' },
      any_f: { type: 'double' },
      mixed: { type: 'long' },
      big: { type: 'long' },
    },
    properties: { m_x: { type: 'integer' }, o: { properties: { n: { type: 'long' } } } },
  });
  const few = { ...options, totalFieldsLimit: 4 };
  assert.throws(
    () =>
      parseDocument(parseMapping(mapping, few), Buffer.from('{"a":1,"b":2,"c":3,"d":4}'), { id: '1', nowMs: 0 }, few),
    { reason: /Limit of total fields \[4\] has been exceeded while adding new fields \[4\]$/ },
  );
});

test('a runtime field hides a mapped field from searches, not from documents', () => {
  const mapping = { runtime: { a: { type: 'keyword' } }, properties: { a: { type: 'long' } } };
  assert.deepEqual(rootOf(mapping, { a: 1 }), { a: [1] });
  const parsed = parseMapping(mapping, options);
  assert.equal(parsed.field('a')?.typeName, 'keyword');
  assert.deepEqual(
    parsed.fields.map(({ typeName }) => typeName),
    ['keyword'],
  );
});

test('an alias may name a runtime field', () => {
  const properties = { z: { type: 'alias', path: 'r' } };
  assert.equal(parseMapping({ runtime: { r: { type: 'ip' } }, properties }, options).field('z')?.name, 'r');
});

test('fields that an update does not touch stay the same objects', () => {
  const before = parseMapping({ properties: { a: { type: 'keyword' } } }, options);
  const after = mergeMappings(before, { properties: { b: { type: 'long' } } }, options, 'update');
  assert.equal(after.field('a')?.layout, before.field('a')?.layout);
});

test('a context may come from a field that the document brings along', () => {
  const mapping = {
    properties: { s: { type: 'completion', contexts: [{ name: 'color', type: 'category', path: 'c' }] } },
  };
  const source = { s: 'Foo', c: 'deep blue' };
  const { dynamicUpdate } = parse(mapping, source);
  const merged = mergeMappings(parseMapping(mapping, options), dynamicUpdate, options, 'dynamic');
  const { parts } = parseDocument(
    merged,
    new TextEncoder().encode(JSON.stringify(source)),
    { id: '1', nowMs: 0 },
    options,
  );
  assert.deepEqual(fieldsOf(parts[0])['s'], ['foo\u001f0000000001\u001fFoo\u001f{"color":["deep blue"]}']);
});

test('the document around takes any number of terms of nested objects', () => {
  const s = { type: 'sparse_vector' };
  const mapping = parseMapping(
    { properties: { o: { type: 'nested', include_in_parent: true, properties: { s } } } },
    options,
  );
  const count = 200_000;
  const vector = Object.fromEntries(Array.from({ length: count }, (_, i) => [`t${i}`, 1]));
  const source = Buffer.from(JSON.stringify({ o: { s: vector } }));
  const root = parseDocument(mapping, source, { id: '1', nowMs: 0 }, options).parts.at(-1)!;
  const entry = root.entries.find(({ kind }) => kind === 'weights');
  assert.ok(entry?.kind === 'weights');
  assert.deepEqual([entry.terms.length, entry.values.length], [count, count]);
});

test('documents that are parsed in the same room one after the other come out as if each had its own', () => {
  const nested = { type: 'nested', include_in_parent: true, properties: { x: { type: 'long' } } };
  const properties = {
    k: { type: 'keyword', ignore_above: 3 },
    n: { type: 'long' },
    d: { type: 'double' },
    g: { type: 'geo_point' },
    t: { type: 'text' },
    o: nested,
  };
  const mapping = parseMapping({ properties }, options);
  const scratch = createDocumentScratch();
  const sources = [
    { k: 'a', n: 1, d: 0.5, g: { lat: 1, lon: 2 }, t: 'x y' },
    { k: ['b', 'c'], n: [2, 3], d: 1.5, g: { lat: 3, lon: 4 }, t: 'z' },
    { k: 'e', n: 4, d: [2.5, 3] },
    { n: 'no' },
    { t: 'w', k: 'long one', n: 5 },
    { o: [{ x: 1 }, { x: 2 }], n: 6 },
    {},
    { k: 'f', n: 9223372036854775807n },
    { k: 'a', n: 1, d: 0.5 },
    { n: 2, k: 'a', new: 1 },
  ];
  const outcome = (source: unknown, room: typeof scratch | null): unknown => {
    const bytes = Buffer.from(
      JSON.stringify(source, (_, value: unknown) => (typeof value === 'bigint' ? 2 ** 53 : value)),
    );
    try {
      const { parts, ignored, dynamicUpdate } = parseDocument(mapping, bytes, { id: '7', nowMs: 0 }, options, room);
      return {
        parts: parts.map((part) => ({ nestedPath: part.nestedPath, entries: structuredClone(part.entries) })),
        ignored,
        dynamicUpdate,
      };
    } catch (error) {
      return String(error);
    }
  };
  for (const source of sources) assert.deepEqual(outcome(source, scratch), outcome(source, null));
});

test('a new object below too many others is refused where it is, however deep the document goes', () => {
  for (const depth of [21, 900])
    assert.throws(() => parse({}, `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`), {
      type: 'document_parsing_exception',
      reason:
        '[1:101] failed to parse: Limit of mapping depth [20] has been exceeded due to object field ' +
        `[${Array.from({ length: 20 }, () => 'a').join('.')}]`,
    });
  assert.notEqual(parse({}, `${'{"a":'.repeat(20)}1${'}'.repeat(20)}`).dynamicUpdate, null);
});

test('strings of a new field that are no dates, or name a day that does not exist, are texts', () => {
  for (const text of ['s1', '1s', '2024-02-30', '2024-01-01x', '2024/13/01'])
    assert.equal(
      (parse({}, { a: text }).dynamicUpdate as { properties: { a: { type: string } } }).properties.a.type,
      'text',
      text,
    );
  const own = { dynamic_date_formats: ['MM/dd/yyyy'] };
  assert.deepEqual(parse(own, { a: '01/31/2024', b: '2024-01-31' }).dynamicUpdate, {
    properties: {
      a: { type: 'date', format: 'MM/dd/yyyy' },
      b: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
    },
  });
});

test('documents of a data stream have one @timestamp', () => {
  for (const type of ['date', 'date_nanos']) {
    const mapping = { _data_stream_timestamp: { enabled: true }, properties: { '@timestamp': { type } } };
    assert.equal(parse(mapping, { '@timestamp': '2026-01-01', n: 1 }).dynamicUpdate !== null, true);
    assert.equal(parse(mapping, { '@timestamp': '2026-01-01' }).parts.length, 1);
    for (const [source, reason] of [
      [{}, '[1:2] failed to parse: data stream timestamp field [@timestamp] is missing'],
      [{ '@timestamp': null }, '[1:19] failed to parse: data stream timestamp field [@timestamp] is missing'],
      [
        { '@timestamp': [0, 1] },
        '[1:20] failed to parse: data stream timestamp field [@timestamp] encountered multiple values',
      ],
    ] as const)
      assert.throws(() => parse(mapping, source), { type: 'document_parsing_exception', reason, status: 400 });
    const logged = { id: '7', nowMs: 0, isLogged: true };
    // What was taken once is replayed.
    const replayed = parseDocument(parseMapping(mapping, options), Buffer.from('{}'), logged, options);
    assert.deepEqual(fieldsOf(replayed.parts[0]), {});
  }
});

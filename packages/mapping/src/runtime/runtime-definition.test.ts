import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAnalysisRegistry } from '@shoal/analysis';
import { mergeMappings, parseMapping } from '../parse-mapping.js';
import { mappingOptions } from '../settings.js';
import { parseRuntimeMappings } from './runtime-definition.js';

const options = mappingOptions({}, buildAnalysisRegistry({}));

/** Definition of a runtime field `k`, and the error of a mapping with it, as 8.12 words it. */
const REFUSED: readonly (readonly [unknown, string, string])[] = [
  [{ type: 'foo' }, 'mapper_parsing_exception', 'No handler for type [foo] declared on runtime field [k]'],
  [{}, 'mapper_parsing_exception', 'No type specified for runtime field [k]'],
  ['x', 'mapper_parsing_exception', 'Expected map for runtime field [k] definition but got a java.lang.String'],
  [
    { type: 'keyword', foo: 1 },
    'mapper_parsing_exception',
    'unknown parameter [foo] on runtime field [k] of type [keyword]',
  ],
  [
    { type: 'long', format: 'yyyy' },
    'mapper_parsing_exception',
    'unknown parameter [format] on runtime field [k] of type [long]',
  ],
  [{ type: 'composite' }, 'illegal_argument_exception', 'composite runtime field [k] must declare a [script]'],
];

const LOOKUP = { type: 'lookup', target_index: 'i', input_field: 'a', target_field: 'b', fetch_fields: ['c'] };

/** Changes of the definition of a `lookup` field, and the errors of 8.12. */
const REFUSED_LOOKUPS: readonly (readonly [object, string, string])[] = [
  [{ target_index: undefined }, 'illegal_argument_exception', '[target_index] parameter must be specified'],
  [{ target_index: '' }, 'illegal_argument_exception', '[target_index] parameter must be specified'],
  [{ input_field: undefined }, 'illegal_argument_exception', '[input_field] parameter must be specified'],
  [{ input_field: 'k' }, 'illegal_argument_exception', "lookup field [k] can't use input from itself"],
  [{ target_field: undefined }, 'illegal_argument_exception', '[target_field] parameter must be specified'],
  [{ fetch_fields: undefined }, 'mapper_parsing_exception', '[fetch_fields] parameter must not be empty'],
  [{ fetch_fields: [] }, 'mapper_parsing_exception', '[fetch_fields] parameter must not be empty'],
  [{ fetch_fields: [5] }, 'mapper_parsing_exception', 'unexpected value [5] for [fetch_fields] parameter'],
  [{ fetch_fields: [null] }, 'mapper_parsing_exception', 'unexpected value [null] for [fetch_fields] parameter'],
  [
    { fetch_fields: [{ format: 'x' }] },
    'mapper_parsing_exception',
    '[field] parameter of [fetch_fields] must be provided',
  ],
  [
    { script: 'emit(1)' },
    'mapper_parsing_exception',
    'unknown parameter [script] on runtime field [k] of type [lookup]',
  ],
];

test('definitions of lookup fields are checked, and shown as 8.12 shows them', () => {
  for (const [change, type, reason] of REFUSED_LOOKUPS) {
    const given = Object.fromEntries(
      Object.entries({ ...LOOKUP, ...change }).filter(([, value]) => value !== undefined),
    );
    assert.throws(() => parseRuntimeMappings({ k: given }), { type, reason });
  }
  const fetched = [{ field: 'd', format: 'yyyy', include_unmapped: true }, 'c'];
  const mapping = parseMapping({ runtime: { k: { ...LOOKUP, fetch_fields: fetched, meta: { a: 'b' } } } }, options);
  const { type, ...rest } = LOOKUP;
  assert.equal(
    JSON.stringify(mapping.toJson()['runtime']),
    JSON.stringify({
      k: { type, meta: { a: 'b' }, ...rest, fetch_fields: [{ field: 'd', format: 'yyyy' }, { field: 'c' }] },
    }),
  );
});

test('definitions of runtime fields are checked', () => {
  for (const [definition, type, reason] of REFUSED)
    assert.throws(() => parseRuntimeMappings({ k: definition }), { type, reason });
  assert.throws(() => parseRuntimeMappings({ k: null }), {
    reason: 'Runtime field [k] was set to null but its removal is not supported in this context',
  });
  assert.throws(() => parseMapping({ runtime: [] }, options), {
    reason: 'Failed to parse mapping: runtime must be a map type',
  });
});

const SCRIPTED: readonly (readonly [object, string, string])[] = [
  [{ type: 'long', script: 5 }, 'illegal_argument_exception', 'Script value should be a String or a Map'],
  [
    { type: 'long', script: null },
    'mapper_parsing_exception',
    '[script] on runtime field [k] of type [long] must not have a [null] value',
  ],
  [{ type: 'long', script: { source: 'x', zz: 1 } }, 'parse_exception', 'Unsupported field [zz]'],
  [{ type: 'long', script: {} }, 'parse_exception', 'Expected one of [source] or [id] fields, but found none'],
  [
    { type: 'long', script: { id: 'x' } },
    'illegal_argument_exception',
    'stored scripts are not supported for runtime field [k]',
  ],
  [
    { type: 'composite', script: 'x' },
    'illegal_argument_exception',
    'composite runtime field [k] must declare its [fields]',
  ],
  [
    { type: 'composite', script: 'x', fields: 'y' },
    'mapper_parsing_exception',
    '[fields] must be an object, got String[y] for field [k]',
  ],
];

test('scripts of runtime fields are checked, and shown as objects', () => {
  for (const [definition, type, reason] of SCRIPTED)
    assert.throws(() => parseRuntimeMappings({ k: definition }), { type, reason });
  const compiled: unknown[] = [];
  const checkScript = (script: { readonly source: string }, context: string): void =>
    void compiled.push([script.source, context]);
  const fields = { a: { type: 'long' }, b: { type: 'ip' } };
  const runtime = { k: { type: 'keyword', script: 'one' }, c: { type: 'composite', script: 'two', fields } };
  const mapping = parseMapping({ runtime }, { ...options, checkScript });
  assert.deepEqual(compiled, [
    ['one', 'keyword_field'],
    ['two', 'composite_field'],
  ]);
  assert.deepEqual([...mapping.runtime.keys()], ['k', 'c.a', 'c.b']);
  assert.deepEqual(mapping.toJson()['runtime'], {
    c: { type: 'composite', script: { source: 'two', lang: 'painless' }, fields },
    k: { type: 'keyword', script: { source: 'one', lang: 'painless' } },
  });
  assert.throws(() => parseMapping({ runtime }, options), {
    reason: /^Failed to parse mapping: \[script\] on runtime/,
  });
});

test('an update adds, replaces and removes runtime fields; they show in the order of their names', () => {
  const before = parseMapping({ runtime: { b: { type: 'long' }, a: { type: 'ip' }, c: { type: 'ip' } } }, options);
  const after = mergeMappings(before, { runtime: { b: { type: 'keyword' }, c: null, x: null } }, options, 'update');
  assert.equal(JSON.stringify(after.toJson()), '{"runtime":{"a":{"type":"ip"},"b":{"type":"keyword"}}}');
});

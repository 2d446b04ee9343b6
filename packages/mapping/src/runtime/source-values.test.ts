import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSource } from '@shoal/json';
import { buildAnalysisRegistry } from '@shoal/analysis';
import { parseMapping } from '../parse-mapping.js';
import { mappingOptions } from '../settings.js';
import { sourceValues } from './source-values.js';

const options = mappingOptions({}, buildAnalysisRegistry({}));

/** Values of the runtime field `f` of a type in a source. */
function valuesIn(definition: object, source: string, path = 'f'): unknown {
  const mapping = parseMapping({ runtime: { [path]: definition } }, options);
  const bytes = Buffer.from(source);
  return sourceValues(mapping.field(path)!, { bytes, json: parseSource(bytes) });
}

const DAY = Date.UTC(2020, 0, 1);

/** Type, value under `f` in the source, values of the field. All as 8.12 reads them. */
const ROWS: readonly (readonly [object, string, unknown])[] = [
  [{ type: 'keyword' }, '"a"', ['a']],
  [{ type: 'keyword' }, '["b","a","a",null,3,1.0,1e30,true,{"z":1}]', ['1.0', '1.0E30', '3', 'a', 'a', 'b', 'true']],
  [{ type: 'keyword' }, '[[],["q",["p"]]]', ['p', 'q']],
  [{ type: 'keyword' }, '""', ['']],
  [{ type: 'long' }, '["7","x",2.7,9007199254740993,7,"5.5",true,1e30,{"a":1},""]', [2, 5, 7, 7, 9007199254740993n]],
  [{ type: 'double' }, '["1e3",2,"x",0.5]', [0.5, 2, 1000]],
  [{ type: 'boolean' }, '["false","yes",true,true,"",0]', [0, 1, 1]],
  [{ type: 'date' }, '["bad",0,1.5,"2020-01-01"]', [0, 1, DAY]],
  [{ type: 'date', format: 'yyyy/MM/dd' }, '["2020-01-01","2020/01/01"]', [DAY]],
  [{ type: 'ip' }, '["1.2.3.4","zz",5]', [`${'\0'.repeat(10)}\xff\xff\x01\x02\x03\x04`]],
  [{ type: 'geo_point' }, '{"lat":1,"lon":2}', [1, 2]],
  [{ type: 'geo_point' }, '[3,4]', [4, 3]],
  [{ type: 'geo_point' }, '[[3,4],"1,2",{"lat":100,"lon":3}]', [4, 3, 1, 2]],
  [{ type: 'long' }, 'null', []],
];

test('each type of runtime field reads its values in order, and leaves out what it cannot read', () => {
  for (const [definition, value, expected] of ROWS)
    assert.deepEqual(valuesIn(definition, `{"f":${value}}`), expected, value);
});

test('the path of a runtime field leads through objects, arrays of them, and names with dots', () => {
  for (const source of ['{"a":{"b":1}}', '{"a.b":1}', '{"a":[{"b":1},{"c":2}]}'])
    assert.deepEqual(valuesIn({ type: 'long' }, source, 'a.b'), [1], source);
  assert.deepEqual(valuesIn({ type: 'long' }, '{"a":[{"b":2},{"b":[1,3]}]}', 'a.b'), [1, 2, 3]);
  assert.deepEqual(valuesIn({ type: 'long' }, '{"a":5}', 'a.b'), []);
});

test('a document has at most 100 points, and as many other values as it likes', () => {
  const points = (count: number): string => `{"f":[${Array.from({ length: count }, () => '[1,2]').join()}]}`;
  assert.equal((valuesIn({ type: 'geo_point' }, points(100)) as unknown[]).length, 200);
  assert.throws(() => valuesIn({ type: 'geo_point' }, points(101)), {
    reason: 'Runtime field [f] is emitting [101] values while the maximum number of values allowed is [100]',
  });
  assert.equal((valuesIn({ type: 'long' }, `{"f":[${'1,'.repeat(100)}1]}`) as unknown[]).length, 101);
});

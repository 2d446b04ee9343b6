import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { yamlWriter } from './yaml-writer.js';

function written(json: string, step = Infinity): string {
  const writer = yamlWriter(Buffer.from(json));
  while (writer.advance(step));
  return writer.bytes().toString('utf8');
}

test('YAML answers look like those of Elasticsearch', () => {
  const json =
    '{"took":1,"timed_out":false,"hits":{"total":{"value":2},"max_score":null,"hits":[{"_id":"1","a b":[[1,2],[]],' +
    '"no":[{"x":{"y":1.5,"z":[{}]}},"t"]},{"_id":"2"}]},"e":{}}';
  const expected = `---
took: 1
timed_out: false
hits:
  total:
    value: 2
  max_score: null
  hits:
  - _id: "1"
    "a b":
    - - 1
      - 2
    - []
    "no":
    - x:
        "y": 1.5
        z:
        - {}
    - "t"
  - _id: "2"
e: {}
`;
  assert.equal(written(json), expected);
  assert.equal(written('[]'), '--- []\n');
  assert.equal(written('"a"'), '--- "a"\n');
  assert.equal(written('[1]'), '---\n- 1\n');
});

test('YAML answers have the values of their JSON, whatever the keys and texts and in steps of any length', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('yes', '~', '#', '- a', 'a: b'));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.oneof(
        text,
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
      ),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(text, tie('value'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 9 }), (one, step) => {
      const json = JSON.stringify(one);
      assert.equal(written(json, step), written(json));
      assert.deepEqual(parse(written(json)), JSON.parse(json));
    }),
    { numRuns: 500 },
  );
  const long = { ['k'.repeat(2_000)]: { a: [1, { [`${'"'.repeat(1_500)}`]: [2] }] } };
  assert.deepEqual(parse(written(JSON.stringify(long))), long);
});

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { prettyJson } from './pretty-json.js';

test('pretty answers look like those of Elasticsearch', () => {
  const compact = '{"_id":"1","_source":{"a":{"b":1,"c":[]},"e":{},"l":[{"x":1.0},2]}}';
  const expected = `{
  "_id" : "1",
  "_source" : {
    "a" : {
      "b" : 1,
      "c" : [ ]
    },
    "e" : { },
    "l" : [
      {
        "x" : 1.0
      },
      2
    ]
  }
}
`;
  assert.equal(prettyJson(Buffer.from(compact)).toString('utf8'), expected);
});

test('layout does not change the value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) =>
      assert.deepEqual(
        JSON.parse(prettyJson(Buffer.from(JSON.stringify(value))).toString('utf8')),
        JSON.parse(JSON.stringify(value)),
      ),
    ),
  );
});

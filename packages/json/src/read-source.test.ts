import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonText } from './json-text.js';
import { readSource, readSourceInTurns, withScriptParams } from './read-source.js';
import { stringify } from './stringify.js';

test('whole doubles stay doubles; other numbers and texts that look like them stay as they are', () => {
  const kept = [
    ['{"a":3.0,"b":[1e3,-0.0],"c":{"d":1.5e1}}', '{"a":3.0,"b":[1000.0,-0.0],"c":{"d":15.0}}'],
    ['{"a":1.50,"b":30,"c":"HTTP/1.1 200 3.0 ok"}', '{"a":1.5,"b":30,"c":"HTTP/1.1 200 3.0 ok"}'],
    ['{"a":"x, 3.0 ","b": 2.0 }', '{"a":"x, 3.0 ","b":2.0}'],
    ['{"a":12345678901234567890,"b":1E20}', '{"a":12345678901234567890,"b":1.0E20}'],
  ];
  for (const [source, text] of kept) assert.equal(stringify(readSource(Buffer.from(source!))), text);
});

test('whole doubles stay doubles in a document that is read in turns', async () => {
  const bytes = Buffer.from('{"a":3.0,"b":[1e3,"x 1.0,"],"c":1}');
  const source = await readSourceInTurns(bytes, () => Promise.resolve());
  assert.equal(stringify(source), '{"a":3.0,"b":[1000.0,"x 1.0,"],"c":1}');
});

test('a document of many whole doubles is read in turns of some milliseconds, and as it is at a stretch', async () => {
  const members = Array.from({ length: 50_000 }, (_, i) => `"k${i}":{"value":${i}.0,"list":[${i},1e2,"3.0 "]}`);
  const bytes = Buffer.from(`{${members.join(',')}}`);
  let turns = 0;
  const source = await readSourceInTurns(bytes, () => (turns++, Promise.resolve()));
  assert.deepEqual(source, readSource(bytes));
  // 350,000 tokens are marked and as many keys compared, 16,384 at a time.
  assert.ok(turns > 25, `${turns} turns`);
});

test('only the parameters of scripts keep whole doubles', () => {
  const text =
    '{"boost":1.0,"script":{"source":"x","params":{"a":5.0,"b":[1e1,2.5,"3.0",{"c":4.0}],"params":7.0}},' +
    '"other":{"params":{"a":1.0}},"list":[{"id":"s","params":{"a":6.0}}]}';
  const bytes = Buffer.from(text);
  const value = withScriptParams(JSON.parse(text) as Record<string, unknown>, bytes);
  const double = (shown: string): JsonText => new JsonText(shown);
  const wanted = {
    boost: 1,
    script: {
      source: 'x',
      params: { a: double('5.0'), b: [double('10.0'), 2.5, '3.0', { c: double('4.0') }], params: double('7.0') },
    },
    other: { params: { a: 1 } },
    list: [{ id: 's', params: { a: double('6.0') } }],
  };
  assert.deepEqual(value, wanted);
  assert.deepEqual(withScriptParams(value, bytes), wanted);
});

test('a string may be as long as a request', () => {
  for (const text of ['x'.repeat(2 ** 24), '\\n'.repeat(2 ** 24)]) {
    const source = readSource(Buffer.from(`{"long":"${text}","whole":3.0}`));
    assert.deepEqual(source['whole'], new JsonText('3.0'));
  }
});

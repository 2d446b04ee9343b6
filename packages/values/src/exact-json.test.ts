import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ExactJson, ExactNumber, exactText, parseExact, prettyJson, rawAt, rawElements } from './exact-json.js';

test('numbers print as they were written', () => {
  for (const text of ['9007199254740993', '9800125870205439', '1.10', '4.0', '1e3', '-0', '0.1', '-12', '1E-400'])
    assert.equal(exactText(parseExact(`[${text}]`)), `[${text}]`);
  assert.ok(parseExact('9007199254740993') instanceof ExactNumber);
  assert.equal(String(parseExact('9800125870205439')), '9800125870205439');
  assert.equal(parseExact('12.5'), 12.5);
});

test('keys keep their order, and every key is one', () => {
  const value = parseExact('{"b":1,"1":2,"__proto__":{"x":3}}') as ReadonlyMap<string, ExactJson>;
  assert.deepEqual([...value.keys()], ['b', '1', '__proto__']);
  assert.equal(exactText(value), '{"b":1,"1":2,"__proto__":{"x":3}}');
});

test('whatever JSON.stringify writes is read as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      assert.equal(exactText(parseExact(text)), exactText(parseExact(prettyJson(text))));
      assert.deepEqual(JSON.parse(exactText(parseExact(text))), JSON.parse(text));
      assert.deepEqual(JSON.parse(prettyJson(text)), JSON.parse(text));
    }),
  );
});

test('what is no JSON is refused, and nothing else is thrown', () => {
  for (const text of ['', '{', '[1,', '{"a" 1}', '[1 2]', '{"a":1,}', 'nul', '"a', '1 2', '{1:2}', '[}', '-'])
    assert.throws(() => parseExact(text), SyntaxError, text);
  assert.throws(() => parseExact('['.repeat(100_000)), SyntaxError);
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        parseExact(text);
      } catch (error) {
        assert.ok(error instanceof SyntaxError);
      }
    }),
  );
});

test('parts of a text are found without parsing the rest', () => {
  const text = '{ "took": 3, "hits": {"total": {"value": 1}, "hits" : [ {"_id":"a\\"]"} , [1, 2], 4.0 ]}}';
  assert.equal(rawAt(text, ['hits', 'total', 'value']), '1');
  assert.deepEqual(rawElements(rawAt(text, ['hits', 'hits'])!), ['{"_id":"a\\"]"}', '[1, 2]', '4.0']);
  assert.equal(rawAt(text, ['hits', 'none']), null);
  assert.deepEqual(rawElements('{}'), []);
});

test('text is indented and left as it is', () => {
  assert.equal(prettyJson('{"a":[1.10,{}],"a":"x, y"}'), '{\n  "a": [\n    1.10,\n    {}\n  ],\n  "a": "x, y"\n}');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileExtractor } from './extractor.js';

test('expressions of grok and dissect name the parts of a text', () => {
  const grok = compileExtractor('grok', '%{IP:ip} %{WORD:verb}');
  assert.deepEqual(grok('10.0.0.1 GET'), { ip: '10.0.0.1', verb: 'GET' });
  assert.equal(grok('none'), null);
  const dissect = compileExtractor('dissect', '%{a} - %{b}');
  assert.deepEqual(dissect('x - y'), { a: 'x', b: 'y' });
  assert.equal(dissect('x y'), null);
  assert.throws(() => compileExtractor('grok', '%{NOPE:x}'), { type: 'illegal_argument_exception' });
  assert.throws(() => compileExtractor('dissect', 'x'), { type: 'illegal_argument_exception' });
});

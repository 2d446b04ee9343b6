import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAnalysisRegistry } from '@shoal/analysis';
import { mappingOptions } from './index.js';
import { javaText, parseBoolean } from './parameter.js';
import { parseTree } from './tree/parse-tree.js';

const options = mappingOptions({}, buildAnalysisRegistry({}));

test('messages show values as Java prints them', () => {
  assert.equal(javaText([1, 'a', null, { b: [true], c: {} }]), '[1, a, null, {b=[true], c={}}]');
  assert.throws(() => parseBoolean({ a: [1] }), { reason: /\[\{a=\[1\]\}\]/ });
  const others = { b: 1, a: [1, 2] };
  assert.throws(() => parseTree(others, options), {
    reason: 'Root mapping definition has unsupported parameters:  [a : [1, 2]] [b : 1]',
  });
});

test('of megabytes that are refused a message shows the beginning', () => {
  const texts = Array.from({ length: 500_000 }, () => 'some text');
  const shown = ({ reason }: { reason: string }): boolean =>
    reason.startsWith('Root mapping definition has unsupported parameters:  [x : ') && reason.length < 10_200;
  for (const x of [texts, Object.fromEntries(texts.map((text, i) => [i, text])), [['a'.repeat(5e6)]], [[texts, texts]]])
    assert.throws(() => parseTree({ x }, options), shown as never);
  const many = Object.fromEntries(texts.map((text, i) => [`x${i}`, text]));
  assert.throws(() => parseTree(many, options), { reason: /^Root [^]{1,10100}$/ });
  assert.equal(javaText('a'.repeat(20_000)).length, 20_000, 'a text by itself is whole: it may be a value');
});

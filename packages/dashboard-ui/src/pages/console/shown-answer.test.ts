import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownPart, withPretty } from './shown-answer.js';

test('JSON is asked for laid out, unless the request says how', () => {
  assert.equal(withPretty('/a/_search'), '/a/_search?pretty');
  assert.equal(withPretty('/a/_search?size=1'), '/a/_search?size=1&pretty');
  for (const path of ['/a?pretty=false', '/a?format=yaml', '/_cat/indices?v', '/_cat'])
    assert.equal(withPretty(path), path);
});

test('lines that are too long are cut, and that is told', () => {
  const long = 'x'.repeat(150_000);
  const { text, isCut } = shownPart(`a\n${long}\nb`);
  assert.deepEqual([text, isCut], [`a\n${'x'.repeat(100_000)}…\nb`, true]);
  const lines = 'abc\n'.repeat(1_000_000);
  assert.deepEqual(shownPart(lines), { text: lines, isCut: false });
});

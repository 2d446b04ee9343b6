import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyText } from '@shoal/testing';
import fc from 'fast-check';
import { compareTerms } from './compare-terms.js';

test('terms are ordered as their UTF-8 bytes', () => {
  fc.assert(
    fc.property(anyText(), anyText(), (a, b) => {
      assert.equal(Math.sign(compareTerms(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
  assert.ok(compareTerms('\uffee', '\u{10000}') < 0);
});

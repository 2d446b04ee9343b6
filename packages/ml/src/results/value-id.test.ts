import assert from 'node:assert/strict';
import { test } from 'node:test';
import { murmur128, valueId } from './value-id.js';

test('hashes are those of MurmurHash3 x64_128', () => {
  const hex = (text: string): string[] => murmur128(Buffer.from(text)).map((half) => half.toString(16));
  assert.deepEqual(hex('hello'), ['cbd8a7b341bd9b02', '5b1e906a48ae1d19']);
  assert.deepEqual(hex('hello, world'), ['342fac623a5ebc8e', '4cdcbc079642414d']);
  assert.deepEqual(hex('The quick brown fox jumps over the lazy dog.'), ['cd99481f9ee902c9', '695da1a38987b6e7']);
});

test('values of a record are one number and their length; values that it has not are left out', () => {
  assert.equal(valueId([null, null]), '0_0');
  assert.match(valueId(['a', null, 'bc']), /^-?\d+_3$/);
});

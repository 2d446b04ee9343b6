import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyText, kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import murmurhash from 'murmurhash3js-revisited';
import { murmur3, murmur3Bytes } from './murmur3.kernel.js';

const published = (bytes: Uint8Array, seed: number): number =>
  murmurhash.x86.hash32(Buffer.from(bytes), seed >>> 0) | 0;

kernelContract(
  'murmur3 is the x86_32 of the UTF-16LE bytes of a text',
  ([text, seed]) => murmur3(text, seed),
  ([text, seed]) => published(Buffer.from(text, 'utf16le'), seed),
  fc.tuple(anyText({ maxLength: 40 }), fc.integer()),
  500,
);

kernelContract(
  'murmur3 of bytes is their x86_32',
  ([bytes, seed]) => murmur3Bytes(bytes, seed),
  ([bytes, seed]) => published(bytes, seed),
  fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.integer()),
);

test('the hash has the values that Elasticsearch publishes in its own tests', () => {
  assert.equal(murmur3('hell') >>> 0, 0x5a0cb7c3);
  assert.equal(murmur3('hello') >>> 0, 0xd7c31989);
  assert.equal(murmur3('hello w') >>> 0, 0x22ab2984);
  assert.equal(murmur3('hello wo') >>> 0, 0xdf0ca123);
});

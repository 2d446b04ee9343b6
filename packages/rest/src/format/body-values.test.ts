import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import { encode } from 'cbor-x';
import fc from 'fast-check';
import { parseBody, parseBodyInTurns } from './body-values.js';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** The reason of the error of a body. */
function reasonOf(bytes: Uint8Array | string, format: 'cbor' | 'yaml'): string {
  try {
    parseBody(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, format);
  } catch (error) {
    if (isApiError(error) && error.status === 400) return `${error.reason}`;
    throw error;
  }
  return assert.fail('parsed');
}

test('CBOR is read as the JSON values that it stands for', () => {
  // Examples of RFC 8949, appendix A.
  const cases: [bytes: string, value: unknown][] = [
    ['00', 0],
    ['17', 23],
    ['18 64', 100],
    ['1a 000f4240', 1_000_000],
    ['1b 000000e8d4a51000', 1_000_000_000_000],
    ['1b ffffffffffffffff', 18_446_744_073_709_551_615n],
    ['c2 49 010000000000000000', 18_446_744_073_709_551_616n],
    ['c3 49 010000000000000000', -18_446_744_073_709_551_617n],
    ['3b ffffffffffffffff', -18_446_744_073_709_551_616n],
    ['20', -1],
    ['39 03e7', -1000],
    ['f9 3c00', 1],
    ['f9 0001', 5.960464477539063e-8],
    ['f9 c400', -4],
    ['fa 47c35000', 100_000],
    ['fb 3ff199999999999a', 1.1],
    ['f4', false],
    ['f5', true],
    ['f6', null],
    ['f7', null],
    ['44 01020304', 'AQIDBA=='],
    ['62 c3bc', 'ü'],
    ['7f 65 7374726561 64 6d696e67 ff', 'streaming'],
    ['83 01 02 03', [1, 2, 3]],
    ['83 01 82 02 03 82 04 05', [1, [2, 3], [4, 5]]],
    ['9f 01 82 02 03 9f 04 05 ff ff', [1, [2, 3], [4, 5]]],
    ['80', []],
    ['a0', {}],
    ['a2 61 61 01 61 62 82 02 03', { a: 1, b: [2, 3] }],
    ['bf 61 61 01 61 62 9f 02 03 ff ff', { a: 1, b: [2, 3] }],
    ['a1 01 02', { 1: 2 }],
    ['d9 d9f7 a0', {}],
    ['c1 1a 514b67b0', 1_363_896_240],
  ];
  for (const [bytes, value] of cases) assert.deepEqual(parseBody(hex(bytes), 'cbor'), value, bytes);
});

test('what an encoder of CBOR writes is read as it was, at a stretch and in turns', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      const bytes = encode(plain);
      assert.deepEqual(parseBody(bytes, 'cbor'), plain);
      const turns = { turn: () => Promise.resolve(), charge: () => undefined };
      assert.deepEqual(await parseBodyInTurns(bytes, 'cbor', turns), plain);
    }),
  );
});

test('CBOR that refers to other values is refused by the name of its tag', () => {
  assert.match(reasonOf(hex('d8 1c 81 01'), 'cbor'), /tag \[28\] is not supported: shareable values/);
  assert.match(reasonOf(hex('82 01 d8 1d 00'), 'cbor'), /tag \[29\] is not supported: references to shared values/);
  assert.match(reasonOf(hex('d8 19 00'), 'cbor'), /tag \[25\] is not supported/);
});

test('malformed, deep and long CBOR is refused', () => {
  assert.match(reasonOf(hex('82 01'), 'cbor'), /Unexpected end-of-input/);
  assert.match(reasonOf(hex('9b 00007fffffffffff'), 'cbor'), /Unexpected end-of-input/);
  assert.match(reasonOf(hex('7b 00007fffffffffff'), 'cbor'), /Unexpected end-of-input/);
  assert.match(reasonOf(hex('01 01'), 'cbor'), /bytes behind the value/);
  assert.match(reasonOf(hex('a2 61 61 01 61 61 02'), 'cbor'), /Duplicate field 'a'/);
  assert.match(reasonOf(hex('bf 61 61 ff'), 'cbor'), /a map ends after a key/);
  assert.match(reasonOf(hex('a1 80 01'), 'cbor'), /neither a text nor an integer/);
  assert.match(reasonOf(Buffer.alloc(100_000, 0x81), 'cbor'), /the nesting exceeds the limit of \[1000\]/);
  assert.match(reasonOf(Buffer.alloc(2 ** 20 + 1, 0x01), 'cbor'), /larger than the limit of \[1048576\] bytes/);
});

test('YAML that refers to other values, is long or has many tokens is refused', () => {
  assert.deepEqual(parseBody(Buffer.from('query:\n  match_all: {}\n'), 'yaml'), { query: { match_all: {} } });
  assert.match(reasonOf('a: &a [x]\nb: [*a, *a]\n', 'yaml'), /alias/i);
  assert.match(reasonOf('- a\n'.repeat(5_000), 'yaml'), /it has more than \[10000\] tokens/);
  assert.match(reasonOf('x'.repeat(70_000), 'yaml'), /larger than the limit of \[65536\] bytes/);
  assert.match(reasonOf('a: 1\na: 2\n', 'yaml'), /unique/);
  assert.match(reasonOf('['.repeat(5_000), 'yaml'), /failed to parse the YAML body/);
});

test('small values are charged for what they become, and a refusal ends the parse', async () => {
  let [taken, turns] = [0, 0];
  const charge = (bytes: number): void => {
    taken += bytes;
    if (taken > 2 ** 20) throw new Error('full');
  };
  const turn = (): Promise<void> => {
    turns++;
    return Promise.resolve();
  };
  const lists = Buffer.from(`[${'[],'.repeat(100_000)}[]]`);
  await assert.rejects(parseBodyInTurns(lists, 'json', { turn, charge }), /full/);
  assert.ok(turns < 5, `${turns} turns`);
  taken = -Infinity;
  assert.deepEqual(await parseBodyInTurns(lists, 'json', { turn, charge }), JSON.parse(lists.toString()));
  assert.ok(turns > 15, `${turns} turns`);
});

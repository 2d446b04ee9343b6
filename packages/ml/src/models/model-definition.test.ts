import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { deflateDefinition, deflateInTurns, inflateDefinition } from './model-definition.js';

const MODEL_BYTES = 100 * 1024 * 1024;
const packed = (text: string | Buffer): string => gzipSync(text).toString('base64');

const turn = (): Promise<void> => Promise.resolve();

test('a definition comes back as it was', async () => {
  const definition = { trained_model: { tree: { tree_structure: [{ leaf_value: 1.5 }] } } };
  assert.deepEqual(await inflateDefinition(deflateDefinition(definition), MODEL_BYTES, turn), definition);
  const large = { ...definition, nodes: Array.from({ length: 10_000 }, (_, i) => ({ leaf_value: i / 3 })) };
  assert.equal(await deflateInTurns(large, turn), deflateDefinition(large));
});

test('bombs of size, of depth and of objects are refused before they are parsed', async () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['zzzz', /must be gzip in base64/],
    [packed(Buffer.alloc(129 * 1024 * 1024, 0x20)), /inflates to more than \[134217728\] bytes/],
    [packed('['.repeat(1000) + ']'.repeat(1000)), /nested deeper than \[100\] levels/],
    [packed(`[${'{},'.repeat(600_000)}{}]`), /more than \[524288\] objects/],
  ];
  for (const [text, reason] of cases)
    await assert.rejects(inflateDefinition(text, MODEL_BYTES, turn), { reason } as never, String(reason));
});

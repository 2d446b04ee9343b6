import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock, type Files, memoryFiles, seededRandom } from '@shoal/doors';
import { analyzeRepository, readAnalysedBlobs } from './analyze-repository.js';

const OPTIONS = { blobCount: 20, concurrency: 4, blobBytesMax: 5000, totalBytesMax: 50_000, timeoutMs: 1000 };

const analyze = (files: Files, others: Files = files, more: Partial<typeof OPTIONS> = {}) =>
  analyzeRepository(
    'r',
    { ...OPTIONS, ...more },
    {
      files,
      clock: fakeClock(),
      random: seededRandom(3),
      others: (blobs) => readAnalysedBlobs(others, blobs),
    },
  );

test('a place that keeps the contract passes, and nothing of the analysis stays', async () => {
  const files = memoryFiles();
  const { write, read } = await analyze(files);
  assert.equal(write.count, 20 + 7 + 4);
  assert.ok(read.count > 20 && write.bytes > 20);
  assert.deepEqual(await files.list('r'), []);
});

test('each breach of the contract is told by the blob', async () => {
  const whole = memoryFiles();
  let writes = 0;
  const breaches: readonly [Partial<Files>, RegExp][] = [
    [{ read: async () => null }, /blob \[blob-\d+\] cannot be read after it was written/],
    [
      { replace: (path, bytes) => whole.replace(path, ++writes === 7 ? bytes.subarray(1) : bytes) },
      /blob \[\w+-?\d*\] has another content/,
    ],
    [{ list: async () => [] }, /is not listed after it was written/],
    [{ remove: async () => undefined }, /is there after it was deleted/],
    [{ removeFolder: async () => undefined }, /has blobs after it was deleted/],
  ];
  for (const [breach, message] of breaches)
    await assert.rejects(analyze({ ...whole, ...breach }), (error: Error & { type?: string }) => {
      assert.equal(error.type, 'repository_verification_exception');
      assert.match(error.message, message);
      return true;
    });
});

test('a node that sees another place is found', async () => {
  await assert.rejects(analyze(memoryFiles(), memoryFiles()), /cannot be read after it was written/);
});

test('an analysis ends after its time', async () => {
  const files = memoryFiles();
  await assert.rejects(analyze(files, files, { timeoutMs: -1 }), /analysis timed out after -1ms/);
});

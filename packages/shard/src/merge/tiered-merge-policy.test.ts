import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findExpunge, findForcedMerge, findMerge, type MergeCandidate } from './tiered-merge-policy.js';

const MB = 1024 * 1024;
const SETTINGS = {
  segmentsPerTier: 10,
  maxMergeAtOnce: 10,
  maxMergedSegmentBytes: 5 * 1024 * MB,
  floorSegmentBytes: 2 * MB,
  deletesPercentAllowed: 20,
};

const segment = (megabytes: number, deletedDocs = 0, maxDoc = 1000): MergeCandidate => ({
  byteSize: megabytes * MB,
  maxDoc,
  deletedDocs,
  isMerging: false,
});

test('ten segments of a tier stay as they are, the eleventh causes a merge of ten', () => {
  assert.equal(
    findMerge(
      Array.from({ length: 10 }, () => segment(1)),
      SETTINGS,
    ),
    null,
  );
  assert.equal(
    findMerge(
      Array.from({ length: 11 }, () => segment(1)),
      SETTINGS,
    )?.length,
    10,
  );
});

test('small segments are merged before large ones of the same number', () => {
  const segments = [...Array.from({ length: 15 }, () => segment(100)), ...Array.from({ length: 15 }, () => segment(3))];
  const chosen = findMerge(segments, SETTINGS)!;
  assert.ok(
    chosen.every(({ byteSize }) => byteSize === 3 * MB),
    `chosen ${chosen.map((s) => s.byteSize / MB)}`,
  );
});

test('a merged segment does not outgrow the largest size', () => {
  const limited = { ...SETTINGS, maxMergedSegmentBytes: 50 * MB };
  const chosen = findMerge(
    Array.from({ length: 30 }, () => segment(20)),
    limited,
  )!;
  assert.ok(chosen.reduce((sum, { byteSize }) => sum + byteSize, 0) <= 50 * MB);
});

test('a segment with too many deletes is rewritten alone, but not when it is merging already', () => {
  const deleted = segment(40, 500);
  assert.deepEqual(findMerge([deleted, segment(30)], SETTINGS), [deleted]);
  assert.equal(findMerge([{ ...deleted, isMerging: true }], SETTINGS), null);
  assert.equal(findMerge([segment(40, 100), segment(30)], SETTINGS), null);
});

test('a force-merge takes the smallest segments, and rewrites a single one only for its deletes', () => {
  const sizes = [5, 1, 3, 2].map((size) => segment(size));
  assert.deepEqual(
    findForcedMerge(sizes, 2)?.map(({ byteSize }) => byteSize / MB),
    [1, 3, 2],
  );
  assert.equal(findForcedMerge(sizes, 1)?.length, 4);
  assert.equal(findForcedMerge([segment(1)], 1), null);
  assert.equal(findForcedMerge([segment(1, 1)], 1)?.length, 1);
  assert.deepEqual(findExpunge([segment(1, 50), segment(1, 150)], 10), [segment(1, 150)]);
});

test('a segment that lacks graphs is rewritten alone, once the tiers want nothing', () => {
  const bare = { ...segment(8), lacksGraphs: true };
  assert.deepEqual(findMerge([segment(9), bare], SETTINGS), [bare]);
  assert.equal(findMerge([segment(9), { ...bare, isMerging: true }], SETTINGS), null);
  const many = [bare, ...Array.from({ length: 11 }, () => segment(1))];
  assert.ok(!findMerge(many, SETTINGS)!.includes(bare));
  assert.deepEqual(findForcedMerge([bare], 1), [bare]);
  assert.equal(findForcedMerge([segment(8)], 1), null);
});

test('however segments arrive, merging as told ends with few segments and little rewriting', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 50, maxLength: 300 }), (sizes) => {
      let segments: MergeCandidate[] = [];
      let written = 0;
      for (const size of sizes) {
        segments.push(segment(size));
        for (let chosen = findMerge(segments, SETTINGS); chosen; chosen = findMerge(segments, SETTINGS)) {
          const gone = new Set(chosen);
          const megabytes = chosen.reduce((sum, { byteSize }) => sum + byteSize, 0) / MB;
          written += megabytes;
          segments = [...segments.filter((candidate) => !gone.has(candidate)), segment(megabytes)];
        }
      }
      const total = sizes.reduce((sum, size) => sum + size, 0);
      assert.ok(segments.length <= 30, `${segments.length} segments`);
      assert.ok(written <= total * 4, `${written} of ${total}`);
    }),
    { numRuns: 20 },
  );
});

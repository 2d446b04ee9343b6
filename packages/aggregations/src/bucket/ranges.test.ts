import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runs } from '@shoal/testing';
import fc from 'fast-check';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

const bound = fc.option(fc.integer({ min: -6, max: 6 }), { nil: undefined });
const ranges = fc.array(fc.record({ from: bound, to: bound }), { minLength: 1, maxLength: 5 });
/** A document with at most one value of each field. */
interface RangeDocument {
  readonly n: readonly number[];
  readonly d: readonly number[];
}

const MAPPING = { n: { type: 'long' }, d: { type: 'double' } };
const documents = fc.array(
  fc.record({
    n: fc.array(fc.integer({ min: -7, max: 7 }), { maxLength: 1 }),
    d: fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 1 }),
  }),
  { maxLength: 40 },
);

const holds = (
  { from = -Infinity, to = Infinity }: { from?: number | undefined; to?: number | undefined },
  value: number,
): boolean => value >= from && value < to;

function expected(
  all: readonly RangeDocument[],
  list: readonly { from?: number | undefined; to?: number | undefined }[],
): number[][] {
  const sorted = [...list].sort(
    (a, b) => (a.from ?? -Infinity) - (b.from ?? -Infinity) || (a.to ?? Infinity) - (b.to ?? Infinity) || 0,
  );
  return sorted.map((range) => {
    const own = all.filter(({ n }) => n.some((value) => holds(range, value)));
    return [own.length, own.reduce((sum, { d }) => sum + (d[0] ?? 0), 0)];
  });
}

test('ranges with and without overlaps count and sum as by hand, beside others that read the same fields', async () => {
  await fc.assert(
    fc.asyncProperty(documents, ranges, async (all, list) => {
      const range = { field: 'n', ranges: list };
      const request = {
        before: { sum: { field: 'd' } },
        plain: { range },
        summed: { range, aggs: { s: { sum: { field: 'd' } } } },
        after: { avg: { field: 'n' } },
      };
      const index = await aggregationFixture({ mapping: MAPPING, documents: all });
      const answer = await index.answer(request);
      const wanted = expected(all, list);
      assert.deepEqual(
        answer.plain.buckets.map((bucket: { doc_count: number }) => bucket.doc_count),
        wanted.map(([count]) => count),
      );
      assert.deepEqual(
        answer.summed.buckets.map((bucket: { doc_count: number; s: { value: number } }) => [
          bucket.doc_count,
          bucket.s.value + 0,
        ]),
        wanted.map(([count, sum]) => [count, sum! + 0]),
      );
      assert.equal(
        answer.before.value,
        all.reduce((sum, { d }) => sum + d.reduce((own, value) => own + value, 0), 0) + 0,
      );
    }),
    { numRuns: runs(200) },
  );
});

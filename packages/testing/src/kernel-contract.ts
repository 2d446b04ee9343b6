import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from './runs.js';

/**
 * A test that a hot loop (`fast`) answers as a plain version of it does, on `numRuns` random `inputs`, more where
 * TEST_RUNS is set. Each of the two gets its own copy of the input to fill or reorder, and returns all that the loop
 * has to get right: its result and the used part of what it writes. A difference fails with the seed and the smallest
 * input that shows it.
 *
 * ```ts
 * kernelContract(
 *   'nthLargest finds what sorting finds',
 *   ({ values, n }) => nthLargest(Float64Array.from(values), values.length, n % values.length + 1),
 *   ({ values, n }) => values.toSorted((a, b) => b - a)[n % values.length],
 *   fc.record({ values: fc.array(fc.integer(), { minLength: 1 }), n: fc.nat() }),
 * );
 * ```
 */
export function kernelContract<Input>(
  name: string,
  fast: (input: Input) => unknown,
  plain: (input: Input) => unknown,
  inputs: fc.Arbitrary<Input>,
  numRuns = 200,
): void {
  test(name, () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const answer = fast(structuredClone(input));
        assert.notEqual(answer, undefined, 'a kernel that returns nothing is compared by what it writes');
        assert.deepEqual(answer, plain(structuredClone(input)));
      }),
      { numRuns: runs(numRuns) },
    );
  });
}

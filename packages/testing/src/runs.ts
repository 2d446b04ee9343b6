/**
 * How many random cases or seeds a test tries: `count` in `npm test`, `count` times TEST_RUNS where that is set. The
 * unit tests stay quick that way, and `.ci/run` tries many more cases of the same laws.
 */
export function runs(count: number): number {
  return count * Number(process.env['TEST_RUNS'] ?? 1);
}

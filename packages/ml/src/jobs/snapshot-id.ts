/**
 * Id of a model snapshot that is taken now: the second, as in 8.12, or the next one that no snapshot of the job has. A
 * job that is closed, opened, given data and closed again within a second has two snapshots.
 */
export function snapshotIdAt(nowMs: number, taken: Readonly<Record<string, unknown>>): string {
  let second = Math.floor(nowMs / 1000);
  while (Object.hasOwn(taken, String(second))) second++;
  return String(second);
}

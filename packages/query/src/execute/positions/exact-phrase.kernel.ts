/**
 * Keeps the phrase starts that a term follows: those of the ascending `starts` for which the ascending `positions`
 * contains start + offset. Compacts `starts`; returns how many remain.
 */
export function keepFollowed(
  starts: Int32Array,
  count: number,
  positions: Int32Array,
  positionCount: number,
  offset: number,
): number {
  let kept = 0;
  let p = 0;
  for (let i = 0; i < count; i++) {
    const wanted = starts[i]! + offset;
    while (p < positionCount && positions[p]! < wanted) p++;
    if (p === positionCount) break;
    if (positions[p] === wanted) starts[kept++] = starts[i]!;
  }
  return kept;
}

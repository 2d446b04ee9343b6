/** Sifts the root of a heap of `size` numbers down. The root is the worst item. */
function siftDown(heap: Int32Array, size: number, worse: (a: number, b: number) => boolean): void {
  let at = 0;
  const item = heap[0]!;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= size) break;
    if (child + 1 < size && worse(heap[child + 1]!, heap[child]!)) child++;
    if (!worse(heap[child]!, item)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = item;
}

function heapify(heap: Int32Array, size: number, worse: (a: number, b: number) => boolean): void {
  heap.subarray(0, size).sort((a, b) => (worse(a, b) ? -1 : 1));
}

/** Returns the best `limit` of `ids` by `compare`, best first. Uses a heap of `limit` entries. */
export function selectTop(ids: Int32Array, limit: number, compare: (a: number, b: number) => number): Int32Array {
  if (ids.length <= limit) return ids.slice().sort(compare);
  if (limit === 0) return ids.subarray(0, 0);
  const worse = (a: number, b: number): boolean => compare(a, b) > 0;
  const heap = ids.slice(0, limit);
  heapify(heap, limit, worse);
  for (let i = limit; i < ids.length; i++) {
    if (!worse(heap[0]!, ids[i]!)) continue;
    heap[0] = ids[i]!;
    siftDown(heap, limit, worse);
  }
  return heap.sort(compare);
}

import type { ConsensusEvent, PeerLoss } from '../event.js';

/** A scheduled event of the simulation. `node` is an index; `incarnation` is the process that it is for, -1 for any. */
export interface Occurrence {
  readonly at: number;
  /** Order among events at the same time. */
  readonly seq: number;
  readonly node: number;
  readonly incarnation: number;
  readonly what:
    | { readonly kind: 'consensus'; readonly event: ConsensusEvent }
    | { readonly kind: 'timer'; readonly id: string; readonly generation: number }
    | { readonly kind: 'validated'; readonly serial: number; readonly event: ConsensusEvent }
    | { readonly kind: 'synced' }
    | { readonly kind: 'propose' }
    | { readonly kind: 'connect'; readonly peer: number }
    | { readonly kind: 'linkLost'; readonly peer: number; readonly how: PeerLoss }
    | { readonly kind: 'resume'; readonly pausedMs: number }
    | { readonly kind: 'restart' }
    | { readonly kind: 'stop' }
    | { readonly kind: 'client' }
    | { readonly kind: 'fault' }
    | { readonly kind: 'healLinks' }
    | { readonly kind: 'maintain' }
    | { readonly kind: 'heal' }
    | { readonly kind: 'check'; readonly stage: number };
}

function isBefore(a: Occurrence, b: Occurrence): boolean {
  return a.at < b.at || (a.at === b.at && a.seq < b.seq);
}

/** Events ordered by time, then by insertion; a binary heap. */
export interface EventQueue {
  push(at: number, node: number, incarnation: number, what: Occurrence['what']): void;
  /** Like `push`, but before all other events at that time. */
  pushFirst(at: number, node: number, incarnation: number, what: Occurrence['what']): void;
  /** Removes and returns the next event; undefined if the queue is empty. */
  pop(): Occurrence | undefined;
}

/** An empty queue. */
export function createEventQueue(): EventQueue {
  const heap: Occurrence[] = [];
  let seq = 0;
  return {
    push(at, node, incarnation, what) {
      const item = { at, seq: seq++, node, incarnation, what };
      siftUp(heap, heap.push(item) - 1, item);
    },
    pushFirst(at, node, incarnation, what) {
      const item = { at, seq: -1, node, incarnation, what };
      siftUp(heap, heap.push(item) - 1, item);
    },
    pop() {
      const top = heap[0];
      const last = heap.pop();
      if (top === undefined || last === undefined || top === last) return top;
      siftDown(heap, last);
      return top;
    },
  };
}

function siftUp(heap: Occurrence[], start: number, item: Occurrence): void {
  let i = start;
  while (i > 0) {
    const parent = (i - 1) >> 1;
    const above = heap[parent]!;
    if (!isBefore(item, above)) break;
    heap[i] = above;
    i = parent;
  }
  heap[i] = item;
}

function siftDown(heap: Occurrence[], item: Occurrence): void {
  let i = 0;
  for (;;) {
    let child = 2 * i + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
    const below = heap[child]!;
    if (!isBefore(below, item)) break;
    heap[i] = below;
    i = child;
  }
  heap[i] = item;
}

/** A chunk of a segment in memory. Readers set `isUsed`; the clock hand clears it. */
export interface CachedBlock {
  readonly bytes: Uint8Array;
  /** Bytes of the objects around it, which count against the limit as well. */
  readonly overheadBytes: number;
  isUsed: boolean;
  /** Called when the cache evicts the block; its holder must drop its reference. */
  readonly drop: () => void;
}

/** Cache of blocks, limited in bytes, that the shards of a thread share. Eviction: CLOCK (second chance). */
export interface ClockCache {
  /** Adds a block; evicts unused blocks if the limit is exceeded. */
  add(block: CachedBlock): void;
  /** Removes a block, without calling its `drop`. */
  remove(block: CachedBlock): void;
  readonly bytes: number;
  /**
   * Whether the cache takes `bytes` more bytes now: always if there is room, else every eighth time, so that a long
   * scan does not evict everything.
   */
  admits(bytes: number): boolean;
}

/** Cache of chunks of sealed segments, and a cache of runs of column values decoded from them. */
export interface BlockCache extends ClockCache {
  readonly decoded: ClockCache;
}

/** Overhead of a block without further objects. */
export const BLOCK_OVERHEAD_BYTES = 200;

const costOf = ({ bytes, overheadBytes }: CachedBlock): number => bytes.length + overheadBytes;

/** Share of the cache for decoded runs of columns. */
const DECODED_SHARE = 0.25;

/** An empty cache of chunks of sealed segments and runs decoded from them, `bytesMax` together. */
export function createBlockCache(bytesMax: number): BlockCache {
  const decodedMax = Math.floor(bytesMax * DECODED_SHARE);
  return Object.assign(clockCache(bytesMax - decodedMax), { decoded: clockCache(decodedMax) });
}

/** A full cache takes one of this many blocks. */
const ADMITTED_WHEN_FULL = 8;

/**
 * A CLOCK cache: blocks are in slots of an array, and the hand is an index. A `Set` with an iterator as the hand would
 * leak: while an iterator does not move, V8 keeps every hash table that the growing or shrinking Set has had, and with
 * these tables all blocks that were ever in them.
 */
function clockCache(bytesMax: number): ClockCache {
  const slots: (CachedBlock | undefined)[] = [];
  const free: number[] = [];
  const slotOf = new Map<CachedBlock, number>();
  let hand = 0;
  let bytes = 0;
  let asked = 0;

  const forget = (block: CachedBlock): void => {
    const slot = slotOf.get(block);
    if (slot === undefined) return;
    slotOf.delete(block);
    slots[slot] = undefined;
    free.push(slot);
    bytes -= costOf(block);
  };

  /** Moves the hand one slot: evicts an unused block; marks a used block as unused until the hand comes again. */
  const step = (): void => {
    if (hand >= slots.length) hand = 0;
    const block = slots[hand++];
    if (block === undefined) return;
    if (block.isUsed) {
      block.isUsed = false;
    } else {
      forget(block);
      block.drop();
    }
  };

  return {
    add(block) {
      bytes += costOf(block);
      while (bytes > bytesMax && slotOf.size > 0) step();
      const slot = free.pop() ?? slots.length;
      slots[slot] = block;
      slotOf.set(block, slot);
    },
    remove: forget,
    admits: (more) => bytes + more <= bytesMax || (more <= bytesMax && ++asked % ADMITTED_WHEN_FULL === 0),
    get bytes() {
      return bytes;
    },
  };
}

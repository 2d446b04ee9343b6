/** A chunk of a segment in memory. `isUsed` is set by reads and cleared by the clock hand. */
export interface CachedBlock {
  readonly bytes: Uint8Array;
  /** What it costs besides its bytes: objects around them. */
  readonly overheadBytes: number;
  isUsed: boolean;
  /** Called when the cache lets go of the block; the holder forgets it. */
  readonly drop: () => void;
}

/** Blocks shared by the shards of a thread within a number of bytes. Eviction: CLOCK (second chance). */
export interface ClockCache {
  /** Takes a block in, letting go of unused ones when the budget is passed. */
  add(block: CachedBlock): void;
  /** Forgets a block that its holder drops. */
  remove(block: CachedBlock): void;
  readonly bytes: number;
  /**
   * Whether so many more bytes would be taken now: always while there is room, then every eighth time, so that long
   * scans do not empty the cache.
   */
  admits(bytes: number): boolean;
}

/** Chunks, and beside them what was decoded from them. */
export interface BlockCache extends ClockCache {
  readonly decoded: ClockCache;
}

/** Overhead of a block that is nothing but its bytes. */
export const BLOCK_OVERHEAD_BYTES = 200;

const costOf = ({ bytes, overheadBytes }: CachedBlock): number => bytes.length + overheadBytes;

/** Share of the cache for decoded runs of columns. */
const DECODED_SHARE = 0.25;

/** An empty cache of chunks of sealed segments and runs decoded from them, `bytesMax` together. */
export function createBlockCache(bytesMax: number): BlockCache {
  const decodedMax = Math.floor(bytesMax * DECODED_SHARE);
  return Object.assign(clockCache(bytesMax - decodedMax), { decoded: clockCache(decodedMax) });
}

const ADMITTED_WHEN_FULL = 8;

/**
 * Blocks stand in slots that the hand goes round, each with its slot. No Set with an iterator for a hand: V8 keeps
 * every table that a growing or shrinking Set has had for an iterator that stands still, and with the tables all blocks
 * that were ever in them.
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

  /** One step of the hand: an unused block goes, a used one has until the hand comes again. */
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

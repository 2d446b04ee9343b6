/** A chunk of a segment in memory. `isUsed` is set by reads and cleared by the clock hand. */
export interface CachedBlock {
  readonly bytes: Uint8Array;
  isUsed: boolean;
  /** Called when the cache lets go of the block; the holder forgets it. */
  readonly drop: () => void;
}

/** Chunks of sealed segments, shared by the shards of a thread within a number of bytes. Eviction: CLOCK (second chance). */
export interface BlockCache {
  /** Takes a block in, letting go of unused ones when the budget is passed. */
  add(block: CachedBlock): void;
  /** Forgets a block that its holder drops. */
  remove(block: CachedBlock): void;
  readonly bytes: number;
}

/** What a cached block costs besides its bytes: objects and the map around it. */
const BLOCK_OVERHEAD_BYTES = 200;

export function createBlockCache(bytesMax: number): BlockCache {
  const ring: CachedBlock[] = [];
  const places = new Map<CachedBlock, number>();
  let hand = 0;
  let bytes = 0;

  const forget = (block: CachedBlock): void => {
    const place = places.get(block);
    if (place === undefined) return;
    const last = ring.pop()!;
    if (last !== block) {
      ring[place] = last;
      places.set(last, place);
    }
    places.delete(block);
    bytes -= block.bytes.length + BLOCK_OVERHEAD_BYTES;
  };

  const evictOne = (): void => {
    if (hand >= ring.length) hand = 0;
    const block = ring[hand]!;
    if (block.isUsed) {
      block.isUsed = false;
      hand++;
      return;
    }
    forget(block);
    block.drop();
  };

  return {
    add(block) {
      places.set(block, ring.length);
      ring.push(block);
      bytes += block.bytes.length + BLOCK_OVERHEAD_BYTES;
      while (bytes > bytesMax && ring.length > 1) evictOne();
    },
    remove: forget,
    get bytes() {
      return bytes;
    },
  };
}

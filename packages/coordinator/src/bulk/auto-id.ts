import type { Clock, Random } from '@shoal/doors';

/** Makes ids for documents without one. */
export interface AutoIds {
  /** Returns 20 characters of URL-safe base64. Ids of a node rise with time, so that ids of one bulk share prefixes. */
  next(): string;
}

/**
 * Makes ids as Elasticsearch's TimeBasedUUIDGenerator does: 15 bytes of timestamp, node and sequence, ordered so that
 * consecutive ids compress well.
 */
export function createAutoIds(clock: Clock, random: Random): AutoIds {
  const node = Uint8Array.from(random.bytes(6));
  let sequence = Math.floor(random.next() * 0x1000000);
  let lastMs = 0;
  const bytes = Buffer.alloc(15);
  return {
    next() {
      sequence = (sequence + 1) & 0xffffff;
      lastMs = Math.max(lastMs, clock.now());
      if (sequence === 0) lastMs++;
      const low = lastMs % 0x100000000;
      const high = (lastMs - low) / 0x100000000;
      bytes[0] = sequence & 0xff;
      bytes[1] = sequence >>> 16;
      bytes[2] = low >>> 16;
      bytes[3] = low >>> 24;
      bytes[4] = high;
      bytes[5] = high >>> 8;
      bytes.set(node, 6);
      bytes[12] = low >>> 8;
      bytes[13] = sequence >>> 8;
      bytes[14] = low;
      return bytes.toString('base64url');
    },
  };
}

import type { Random } from '@shoal/doors';

/** Distribution of the delay of packets. */
export interface DelayModel {
  readonly minMs: number;
  readonly maxMs: number;
  /** Share of packets with a heavy-tailed delay of `tailMs` and more (Pareto, shape 1.5, at most 100 times). */
  readonly tailShare?: number;
  readonly tailMs?: number;
  /** Share of packets that are lost and retransmitted after 200, 400, 800 … ms. */
  readonly lossShare?: number;
  /** Bandwidth; a packet is sent after those before it. */
  readonly bytesPerSecond?: number;
}

const RETRANSMIT_MS = 200;
const RETRANSMITS_MAX = 8;

/** Delay of one packet in milliseconds, from sending to arrival. */
export function drawDelay(model: DelayModel, random: Random): number {
  const { minMs, maxMs, tailShare = 0, tailMs = 0, lossShare = 0 } = model;
  let delayMs = minMs + (maxMs - minMs) * random.next();
  if (tailShare > 0 && random.next() < tailShare) delayMs += tailMs * Math.min(100, (1 - random.next()) ** (-1 / 1.5));
  for (let i = 0; lossShare > 0 && i < RETRANSMITS_MAX && random.next() < lossShare; i++)
    delayMs += RETRANSMIT_MS * 2 ** i;
  return delayMs;
}

/**
 * Pairs of nodes whose packets are held back. Held packets arrive when the cut is healed, as over a connection that
 * survives it.
 */
export class Cuts {
  readonly #cuts = new Set<string>();

  cut(from: string, to: string): void {
    this.#cuts.add(JSON.stringify([from, to]));
  }

  heal(from: string, to: string): void {
    this.#cuts.delete(JSON.stringify([from, to]));
  }

  clear(): void {
    this.#cuts.clear();
  }

  has(from: string, to: string): boolean {
    return this.#cuts.size > 0 && this.#cuts.has(JSON.stringify([from, to]));
  }
}

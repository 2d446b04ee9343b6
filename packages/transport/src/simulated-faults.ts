import type { Random } from '@shoal/doors';

/** How long a packet is on its way. */
export interface DelayModel {
  readonly minMs: number;
  readonly maxMs: number;
  /** Share of packets that come much later: heavy tail, `tailMs` and more (Pareto, shape 1.5, at most 100 times). */
  readonly tailShare?: number;
  readonly tailMs?: number;
  /** Share of packets that are lost and sent again by the system after 200, 400, 800 … ms. */
  readonly lossShare?: number;
  /** A packet is sent once those before it are. */
  readonly bytesPerSecond?: number;
}

const RETRANSMIT_MS = 200;
const RETRANSMITS_MAX = 8;

/** Milliseconds that a packet is on its way once it is sent. */
export function drawDelay(model: DelayModel, random: Random): number {
  const { minMs, maxMs, tailShare = 0, tailMs = 0, lossShare = 0 } = model;
  let delayMs = minMs + (maxMs - minMs) * random.next();
  if (tailShare > 0 && random.next() < tailShare) delayMs += tailMs * Math.min(100, (1 - random.next()) ** (-1 / 1.5));
  for (let i = 0; lossShare > 0 && i < RETRANSMITS_MAX && random.next() < lossShare; i++)
    delayMs += RETRANSMIT_MS * 2 ** i;
  return delayMs;
}

/**
 * Which node's packets do not reach which; held packets come when the cut heals, as with a connection that outlives it.
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

import type { PeerHead } from './batch-header.js';

const isSameChain = (a: PeerHead, b: Pick<PeerHead, 'chainId'>): boolean => Buffer.compare(a.chainId, b.chainId) === 0;

/** Newest known ends of the logs of other copies: what they have seen, a store that lost its last batches lacks. */
export class PeerHeads {
  readonly #known: Map<string, PeerHead>;
  readonly #unwritten = new Map<string, PeerHead>();

  /** `known`: heads by allocation id, as the log on disk has them. */
  constructor(known: ReadonlyMap<string, PeerHead>) {
    this.#known = new Map(known);
  }

  /** By allocation id. */
  get all(): ReadonlyMap<string, PeerHead> {
    return this.#known;
  }

  /** Heads that the next batch has to carry: those noted since the last one, or all. */
  take(all: boolean): PeerHead[] {
    const heads = [...(all ? this.#known : this.#unwritten).values()];
    this.#unwritten.clear();
    return heads;
  }

  /** Notes the end of another copy's log; ignored if a later one of the same log is known. */
  note(head: PeerHead): void {
    const known = this.#known.get(head.allocationId);
    if (known && known.batch >= head.batch && isSameChain(known, head)) return;
    // A copy has another allocation id after each restart: of its log only the newest counts.
    for (const [id, other] of this.#known) {
      if (other.batch > head.batch || !isSameChain(other, head)) continue;
      this.#known.delete(id);
      this.#unwritten.delete(id);
    }
    this.#known.set(head.allocationId, head);
    this.#unwritten.set(head.allocationId, head);
  }

  /** The newest head of the log with this chain id. */
  newestOf(chain: Pick<PeerHead, 'chainId'>): PeerHead | undefined {
    let newest: PeerHead | undefined;
    for (const known of this.#known.values())
      if (isSameChain(known, chain) && known.batch > (newest?.batch ?? -1)) newest = known;
    return newest;
  }
}

import type { PeerHead } from './batch-header.js';

const isSameChain = (a: PeerHead, b: Pick<PeerHead, 'chainId'>): boolean => Buffer.compare(a.chainId, b.chainId) === 0;

/** Last known batches of the logs of other copies. A copy that has lost its last batches is detected by them. */
export class PeerHeads {
  readonly #known: Map<string, PeerHead>;
  readonly #unwritten = new Map<string, PeerHead>();

  /** `known`: heads in the log on disk, by allocation id. */
  constructor(known: ReadonlyMap<string, PeerHead>) {
    this.#known = new Map(known);
  }

  /** All heads by allocation id. */
  get all(): ReadonlyMap<string, PeerHead> {
    return this.#known;
  }

  /** Heads to store with the next batch: those noted since the last call, or all. */
  take(all: boolean): PeerHead[] {
    const heads = [...(all ? this.#known : this.#unwritten).values()];
    this.#unwritten.clear();
    return heads;
  }

  /** Notes the head of another copy's log; ignores it if a later head of the same log is known. */
  note(head: PeerHead): void {
    const known = this.#known.get(head.allocationId);
    if (known && known.batch >= head.batch && isSameChain(known, head)) return;
    // A copy has a new allocation id after each restart; only the newest head of its log is kept.
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

import type { Random } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { ShardFailed } from '../primary.js';

/** One assigned copy. */
export interface MasterCopy {
  readonly nodeId: string;
  readonly allocationId: string;
  readonly isPrimary: boolean;
  /** Whether the copy is the target of a moving primary. */
  readonly isTarget?: boolean;
  readonly isStarted: boolean;
}

/** State that the master publishes. */
export interface MasterState {
  readonly version: number;
  readonly term: number;
  readonly inSync: readonly string[];
  readonly copies: readonly MasterCopy[];
}

/** Store of a stopped copy. */
export interface StoredCopy {
  readonly nodeId: string;
  readonly allocationIds: readonly string[];
}

/** Mistakes that the simulated master makes. */
export interface MasterMistakes {
  readonly promotesAnyone?: boolean;
  readonly keepsTerm?: boolean;
}

/** The committed state of one shard and the rules by which the master changes it (docs/internals/cluster.md §4, §5). */
export class SimulatedMaster {
  state: MasterState = { version: 1, term: 0, inSync: [], copies: [] };
  readonly #random: Random;
  readonly #mistakes: MasterMistakes;
  #serial = 0;
  /** Number of primaries that have moved. */
  moves = 0;

  constructor(random: Random, mistakes: MasterMistakes) {
    this.#random = random;
    this.#mistakes = mistakes;
  }

  #commit(change: Partial<MasterState>): void {
    this.state = { ...this.state, ...change, version: this.state.version + 1 };
  }

  #newId(): string {
    return `a${++this.#serial}`;
  }

  get primary(): MasterCopy | undefined {
    return this.state.copies.find((copy) => copy.isPrimary);
  }

  /** Assigns an empty primary as for a new index, as long as no copy was ever complete. */
  create(nodeId: string): void {
    const allocationId = this.#newId();
    this.#commit({
      term: this.state.term + 1,
      inSync: [],
      copies: [{ nodeId, allocationId, isPrimary: true, isStarted: false }],
    });
  }

  addReplica(nodeId: string): void {
    if (this.state.copies.some((copy) => copy.nodeId === nodeId) || !this.primary?.isStarted) return;
    this.#commit({
      copies: [...this.state.copies, { nodeId, allocationId: this.#newId(), isPrimary: false, isStarted: false }],
    });
  }

  /** Moves the primary to a node without a copy. */
  move(nodeId: string): void {
    const { copies } = this.state;
    if (!this.primary?.isStarted || copies.some((copy) => copy.nodeId === nodeId || copy.isTarget)) return;
    this.#commit({
      copies: [...copies, { nodeId, allocationId: this.#newId(), isPrimary: false, isTarget: true, isStarted: false }],
    });
  }

  /** Completes a move within the term; recoveries from the old primary begin again. */
  #moved(target: MasterCopy): void {
    const { copies, inSync } = this.state;
    const source = this.primary!;
    this.moves++;
    const rest = copies.filter((copy) => copy !== target && copy !== source && copy.isStarted);
    const { isTarget: _target, ...moved } = target;
    this.#commit({
      copies: [{ ...moved, isPrimary: true, isStarted: true }, ...rest],
      inSync: [...inSync.filter((id) => id !== source.allocationId && id !== target.allocationId), target.allocationId],
    });
  }

  started(allocationId: string, term: number): void {
    const copy = this.state.copies.find((one) => one.allocationId === allocationId);
    if (!copy || copy.isStarted || term !== this.state.term) return;
    if (copy.isTarget) return this.#moved(copy);
    const copies = this.state.copies.map((one) => (one === copy ? { ...one, isStarted: true } : one));
    this.#commit({ copies, inSync: [...new Set([...this.state.inSync, allocationId])] });
  }

  failed(report: ShardFailed): void {
    if (report.primaryTerm < this.state.term)
      throw errors.noLongerPrimaryShard(`the primary term is [${this.state.term}]`);
    this.#remove(report.allocationId, report.markStale);
  }

  #remove(allocationId: string, isStale: boolean): void {
    const copy = this.state.copies.find((one) => one.allocationId === allocationId);
    const inSync =
      isStale && this.state.inSync.length > 1
        ? this.state.inSync.filter((id) => id !== allocationId)
        : this.state.inSync;
    this.#commit({ copies: this.state.copies.filter((one) => one !== copy), inSync });
    if (copy?.isPrimary) this.promote();
  }

  /** Removes the copy of a lost node or failed engine; its data may come back. */
  lost(nodeId: string): void {
    const copy = this.state.copies.find((one) => one.nodeId === nodeId);
    if (copy) this.#remove(copy.allocationId, false);
  }

  /** Promotes another copy if there is one; recovering copies start again. */
  promote(): void {
    const { copies, inSync, term } = this.state;
    const able = copies.filter(
      (copy) =>
        !copy.isPrimary && (this.#mistakes.promotesAnyone || (copy.isStarted && inSync.includes(copy.allocationId))),
    );
    if (able.length === 0) return this.#commit({ copies: [] });
    const chosen = able[Math.floor(this.#random.next() * able.length)]!;
    const rest = copies.filter((copy) => copy !== chosen && !copy.isPrimary && copy.isStarted);
    this.#commit({
      term: term + (this.#mistakes.keepsTerm ? 0 : 1),
      copies: [{ ...chosen, isPrimary: true, isStarted: true }, ...rest],
    });
  }

  /** Assigns an in-sync copy from its own disk if no copy is assigned. */
  assignFromDisk(stored: readonly StoredCopy[]): void {
    if (this.state.copies.length > 0) return;
    const able = stored.filter(({ allocationIds }) => allocationIds.some((id) => this.state.inSync.includes(id)));
    if (able.length === 0) return;
    const { nodeId, allocationIds } = able[Math.floor(this.#random.next() * able.length)]!;
    const allocationId = allocationIds.find((id) => this.state.inSync.includes(id))!;
    this.#commit({ term: this.state.term + 1, copies: [{ nodeId, allocationId, isPrimary: true, isStarted: false }] });
  }
}

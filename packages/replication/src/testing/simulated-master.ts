import type { Random } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { ShardFailed } from '../primary.js';

/** One assigned copy. */
export interface MasterCopy {
  readonly nodeId: string;
  readonly allocationId: string;
  readonly isPrimary: boolean;
  /** It takes the place of the primary. */
  readonly isTarget?: boolean;
  readonly isStarted: boolean;
}

/** What is published. */
export interface MasterState {
  readonly version: number;
  readonly term: number;
  readonly inSync: readonly string[];
  readonly copies: readonly MasterCopy[];
}

/** What a stopped copy has on disk. */
export interface StoredCopy {
  readonly nodeId: string;
  readonly allocationIds: readonly string[];
}

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
  /** Primaries that have moved. */
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

  /** As a new index, as long as no copy has ever been whole. */
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

  /** The primary moves to a node without a copy. */
  move(nodeId: string): void {
    const { copies } = this.state;
    if (!this.primary?.isStarted || copies.some((copy) => copy.nodeId === nodeId || copy.isTarget)) return;
    this.#commit({
      copies: [...copies, { nodeId, allocationId: this.#newId(), isPrimary: false, isTarget: true, isStarted: false }],
    });
  }

  /** Within the term; recoveries from the old place begin again. */
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

  /** The copy of a node that is gone, or whose engine failed: its data may come back. */
  lost(nodeId: string): void {
    const copy = this.state.copies.find((one) => one.nodeId === nodeId);
    if (copy) this.#remove(copy.allocationId, false);
  }

  /** Another copy becomes primary, where there is one; recovering copies start again. */
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

  /** No copy is assigned: one that was in sync is opened from its own disk. */
  assignFromDisk(stored: readonly StoredCopy[]): void {
    if (this.state.copies.length > 0) return;
    const able = stored.filter(({ allocationIds }) => allocationIds.some((id) => this.state.inSync.includes(id)));
    if (able.length === 0) return;
    const { nodeId, allocationIds } = able[Math.floor(this.#random.next() * able.length)]!;
    const allocationId = allocationIds.find((id) => this.state.inSync.includes(id))!;
    this.#commit({ term: this.state.term + 1, copies: [{ nodeId, allocationId, isPrimary: true, isStarted: false }] });
  }
}

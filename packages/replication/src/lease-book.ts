import type { Clock } from '@shoal/doors';
import type { ShardLog } from '@shoal/shard';
import type { CopyStream } from './copy-stream.js';

/**
 * Largest history kept for an absent copy, as a share of the shard. Beyond it copying files is cheaper than operations
 * (docs/internals/cluster.md §5.6).
 */
const HISTORY_SHARE_MAX = 0.25;
/** History of up to this many operations is always kept. */
const FEW_OPERATIONS = 1_000;
/** Milliseconds that operations are kept for a copy that still copies files. */
const PROMISE_MS = 3_600_000;
const RENEWAL_MS = 1_000;
const TELL_MS = 30_000;

const idOf = (nodeId: string): string => `peer_recovery/${nodeId}`;

/** Retention leases of a primary's log: a copy that was away gets operations instead of files. */
export class LeaseBook {
  readonly #log: ShardLog;
  readonly #clock: Clock;
  readonly #periodMs: () => number;
  /** Times of promises to copies that do not follow yet, in monotonic milliseconds. */
  readonly #promised = new Map<string, number>();
  #renewedMs = Number.NEGATIVE_INFINITY;
  #toldMs = Number.NEGATIVE_INFINITY;

  /** `periodMs`: milliseconds for which operations are kept for an absent copy; called each time, as it may change. */
  constructor(log: ShardLog, clock: Clock, periodMs: () => number) {
    this.#log = log;
    this.#clock = clock;
    this.#periodMs = periodMs;
  }

  /** Keeps operations for a copy that copies files first. */
  promise(nodeId: string, retainedSeqNo: number): void {
    this.#promised.set(idOf(nodeId), this.#clock.monotonic());
    this.#keep(idOf(nodeId), retainedSeqNo);
  }

  renew(nodeId: string, retainedSeqNo: number): void {
    this.#promised.delete(idOf(nodeId));
    this.#keep(idOf(nodeId), retainedSeqNo);
  }

  #keep(id: string, retainedSeqNo: number): void {
    const others = this.#log.leases.filter((lease) => lease.id !== id);
    this.#log.setLeases([...others, { id, retainedSeqNo: Math.max(0, retainedSeqNo), atMs: this.#clock.now() }]);
  }

  /**
   * Renews the leases of following copies. Now and then sends the leases to the copies: one of them may be primary
   * next.
   */
  follow(streams: Iterable<CopyStream>): void {
    const now = this.#clock.monotonic();
    if (now - this.#renewedMs < RENEWAL_MS) return;
    this.#renewedMs = now;
    const wall = this.#clock.now();
    const tracked = [...streams];
    const following = tracked.filter((stream) => stream.localCheckpoint >= 0);
    for (const stream of following) this.renew(stream.nodeId, stream.localCheckpoint + 1);
    const here = new Set(tracked.map((stream) => idOf(stream.nodeId)));
    const periodMs = this.#periodMs();
    // An assigned copy keeps its lease, however long it takes to come.
    const kept = this.#log.leases.filter(
      (lease) =>
        here.has(lease.id) ||
        this.#isPromised(lease.id, now) ||
        (wall - lease.atMs < periodMs && this.#isLittle(lease.retainedSeqNo)),
    );
    if (kept.length < this.#log.leases.length) this.#log.setLeases(kept);
    if (following.length === 0 || now - this.#toldMs < TELL_MS) return;
    this.#toldMs = now;
    const request = {
      globalCheckpoint: Math.min(this.#log.store.globalCheckpoint, this.#log.store.persistedSeqNo()),
      leases: [...this.#log.leases],
      leasesVersion: this.#log.leasesVersion,
      refresh: 0,
    };
    for (const stream of following) stream.sync(request).catch(() => undefined);
  }

  #isPromised(id: string, now: number): boolean {
    const at = this.#promised.get(id);
    return at !== undefined && now - at < PROMISE_MS;
  }

  #isLittle(retainedSeqNo: number): boolean {
    const { commit } = this.#log.store;
    const docs = commit?.segments.reduce((sum, segment) => sum + segment.maxDoc - segment.deletedDocs, 0) ?? 0;
    return this.#log.maxSeqNo + 1 - retainedSeqNo <= Math.max(FEW_OPERATIONS, docs * HISTORY_SHARE_MAX);
  }
}

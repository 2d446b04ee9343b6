import type { Clock } from '@shoal/doors';
import type { ShardLog } from '@shoal/shard';
import type { CopyStream } from './copy-stream.js';

/**
 * What a copy that is away makes the log keep may be so much of the shard; beyond it files are less to copy than
 * operations (docs/internals/cluster.md §5.6).
 */
const HISTORY_SHARE_MAX = 0.25;
/** So many operations are never too much. */
const FEW_OPERATIONS = 1_000;
/** A copy that takes files was promised what comes after them; it has so long to come for it. */
const PROMISE_MS = 3_600_000;
const RENEWAL_MS = 1_000;
const TELL_MS = 30_000;

const idOf = (nodeId: string): string => `peer_recovery/${nodeId}`;

/** For whom the log keeps operations: a copy that was away gets those instead of files. */
export class LeaseBook {
  readonly #log: ShardLog;
  readonly #clock: Clock;
  readonly #periodMs: () => number;
  /** When operations were promised to copies that do not follow yet, on the monotonic clock. */
  readonly #promised = new Map<string, number>();
  #renewedMs = Number.NEGATIVE_INFINITY;
  #toldMs = Number.NEGATIVE_INFINITY;

  /**
   * `periodMs`: operations are kept for a copy that does not come back for so long; asked each time, because it may
   * change.
   */
  constructor(log: ShardLog, clock: Clock, periodMs: () => number) {
    this.#log = log;
    this.#clock = clock;
    this.#periodMs = periodMs;
  }

  /** Keeps operations for a copy that takes files first. */
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

  /** Renews those of the copies that follow, and tells the copies now and then: one of them may be primary next. */
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
    // A copy that is assigned is waited for however long it takes to come.
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

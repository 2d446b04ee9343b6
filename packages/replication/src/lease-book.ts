import type { Clock } from '@shoal/doors';
import type { ShardLog } from '@shoal/shard';
import type { CopyStream } from './copy-stream.js';

/** Operations are kept for a copy that does not come back for so long. */
const EXPIRY_MS = 12 * 3_600_000;
const RENEWAL_MS = 1_000;
const TELL_MS = 30_000;

const idOf = (nodeId: string): string => `peer_recovery/${nodeId}`;

/** For whom the log keeps operations: a copy that was away gets those instead of files. */
export class LeaseBook {
  readonly #log: ShardLog;
  readonly #clock: Clock;
  #renewedMs = Number.NEGATIVE_INFINITY;
  #toldMs = Number.NEGATIVE_INFINITY;

  constructor(log: ShardLog, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  renew(nodeId: string, retainedSeqNo: number): void {
    const id = idOf(nodeId);
    const others = this.#log.leases.filter((lease) => lease.id !== id);
    this.#log.setLeases([...others, { id, retainedSeqNo: Math.max(0, retainedSeqNo), atMs: this.#clock.now() }]);
  }

  /** Renews those of the copies that follow, and tells the copies now and then: one of them may be primary next. */
  follow(streams: Iterable<CopyStream>): void {
    const now = this.#clock.monotonic();
    if (now - this.#renewedMs < RENEWAL_MS) return;
    this.#renewedMs = now;
    const wall = this.#clock.now();
    const following = [...streams].filter((stream) => stream.localCheckpoint >= 0);
    for (const stream of following) this.renew(stream.nodeId, stream.localCheckpoint + 1);
    this.#log.setLeases(this.#log.leases.filter((lease) => wall - lease.atMs < EXPIRY_MS));
    if (now - this.#toldMs < TELL_MS) return;
    this.#toldMs = now;
    const request = { globalCheckpoint: Math.min(this.#log.store.globalCheckpoint, this.#log.store.persistedSeqNo()), leases: [...this.#log.leases], refresh: 0 };
    for (const stream of following) stream.sync(request).catch(() => undefined);
  }
}

import { errors } from '@shoal/errors';
import { formatByteSize } from '@shoal/values';

/** Milliseconds between two measurements of the memory in use. */
const SAMPLE_MS = 100;
/** Smaller requests are always accepted: deleting and clearing caches must work when memory is short. */
const SMALL_BYTES = 64 * 1024;
/** Milliseconds between two full collections while memory is over the limit. */
const COLLECT_MS = 5_000;

/** Limit and effects of the breaker `parent`. */
export interface ParentBreakerOptions {
  /** `indices.breaker.total.limit` in bytes, as it is now. */
  readonly limit: () => number;
  /** Bytes in use, garbage included. */
  readonly inUse: () => number;
  /** Bytes of each child breaker, for the error message. */
  readonly usages: () => Readonly<Record<string, number>>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Collects all garbage; may take 100 ms and more. */
  readonly collect: () => void;
}

/** Refuses requests when the whole process uses too much memory, whichever part uses it. */
export interface ParentBreaker {
  /** Throws circuit_breaking_exception (429) if memory in use plus `bytes` exceeds the limit. */
  check(bytes: number, label: string): void;
  readonly limit: number;
  readonly used: number;
  readonly tripped: number;
}

const text = (bytes: number): string => `[${bytes}/${formatByteSize(bytes)}]`;

/** The breaker `parent` of Elasticsearch over the real memory of the process. */
export function createParentBreaker({ limit, inUse, usages, now, collect }: ParentBreakerOptions): ParentBreaker {
  let [sampled, sampledAt, collectedAt, tripped] = [0, -Infinity, -Infinity, 0];
  const current = (): number => {
    const at = now();
    if (at - sampledAt >= SAMPLE_MS) [sampled, sampledAt] = [inUse(), at];
    return sampled;
  };
  const isOver = (bytes: number): boolean => current() + bytes > limit();
  const trip = (bytes: number, label: string): never => {
    tripped++;
    const used = Object.entries(usages())
      .map(([name, held]) => `${name}=${held}/${formatByteSize(held)}`)
      .join(', ');
    const wanted = sampled + bytes;
    throw errors.circuitBreaking(
      `[parent] Data too large, data for [${label}] would be ${text(wanted)}, which is larger than the limit of ` +
        `${text(limit())}, real usage: ${text(sampled)}, new bytes reserved: ${text(bytes)}, usages [${used}]`,
      { meta: { bytes_wanted: wanted, bytes_limit: limit(), durability: 'TRANSIENT' } },
    );
  };
  return {
    check(bytes, label) {
      if (bytes < SMALL_BYTES || !isOver(bytes)) return;
      if (now() - collectedAt >= COLLECT_MS) {
        collectedAt = now();
        collect();
        sampledAt = -Infinity;
        if (!isOver(bytes)) return;
      }
      trip(bytes, label);
    },
    get limit() {
      return limit();
    },
    get used() {
      return current();
    },
    get tripped() {
      return tripped;
    },
  };
}

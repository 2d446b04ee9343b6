import { errors } from '@shoal/errors';
import { formatByteSize } from '@shoal/values';

/** Memory account of one request; `release` returns all its bytes. */
export interface BreakerAccount {
  /**
   * Takes bytes, or returns bytes if negative. Throws circuit_breaking_exception (429) if all requests would exceed the
   * limit.
   */
  charge(bytes: number): void;
  release(): void;
}

/** What a breaker has in common with those of other threads. */
export interface SharedMeters {
  /** Pairs of bytes in use and refusals, one pair for each thread; the limit is for all of them together. */
  readonly meters: Float64Array;
  /** Limit of the bytes of the searches of this thread alone. */
  readonly ownLimit: number;
}

/**
 * Limits the memory that the searches of one thread hold, or of several threads together: buckets, samples, sets. The
 * breaker `request` of Elasticsearch.
 */
export class RequestBreaker {
  readonly limit: number;
  /** Bytes in use, and number of refusals. May be shared memory that other threads read. */
  readonly #meter: Float64Array;
  readonly #shared: SharedMeters | null;

  constructor(limit: number, meter: Float64Array = new Float64Array(2), shared: SharedMeters | null = null) {
    this.limit = limit;
    this.#meter = meter;
    this.#shared = shared;
  }

  get used(): number {
    return this.#meter[0]!;
  }

  get tripped(): number {
    return this.#meter[1]!;
  }

  open(label: string): BreakerAccount {
    let held = 0;
    return {
      charge: (bytes) => {
        if (bytes > 0) this.#check(label, bytes);
        this.#meter[0]! += bytes;
        held += bytes;
      },
      release: () => {
        this.#meter[0]! -= held;
        held = 0;
      },
    };
  }

  #check(label: string, bytes: number): void {
    const wanted = this.used + bytes;
    if (this.#shared === null) {
      if (wanted > this.limit) this.#trip(label, wanted, this.limit);
      return;
    }
    if (wanted > this.#shared.ownLimit) this.#trip(label, wanted, this.#shared.ownLimit);
    const { meters } = this.#shared;
    let total = bytes;
    for (let i = 0; i < meters.length; i += 2) total += meters[i]!;
    if (total > this.limit) this.#trip(label, total, this.limit);
  }

  #trip(label: string, wanted: number, limit: number): never {
    this.#meter[1]!++;
    const text = (bytes: number): string => `[${bytes}/${formatByteSize(bytes)}]`;
    throw errors.circuitBreaking(
      `[request] Data too large, data for [${label}] would be ${text(wanted)}, which is larger than the limit of ` +
        `${text(limit)}`,
      {
        meta: { bytes_wanted: wanted, bytes_limit: limit, durability: 'TRANSIENT' },
      },
    );
  }
}

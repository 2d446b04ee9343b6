import { errors } from '@shoal/errors';
import { formatByteSize } from '@shoal/values';

/** What one request holds; `release` gives all of it back. */
export interface BreakerAccount {
  /**
   * Takes bytes, or gives some back when negative. Throws circuit_breaking_exception (429) when all requests would hold
   * more than the limit.
   */
  charge(bytes: number): void;
  release(): void;
}

/**
 * Memory that the searches of one thread may hold at once: buckets, samples, sets. The breaker `request` of
 * Elasticsearch.
 */
export class RequestBreaker {
  readonly limit: number;
  /** Bytes in use and how often the limit was reached: may be shared memory, so that other threads can read it. */
  readonly #meter: Float64Array;

  constructor(limit: number, meter: Float64Array = new Float64Array(2)) {
    this.limit = limit;
    this.#meter = meter;
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
        if (bytes > 0 && this.used + bytes > this.limit) this.#trip(label, this.used + bytes);
        this.#meter[0]! += bytes;
        held += bytes;
      },
      release: () => {
        this.#meter[0]! -= held;
        held = 0;
      },
    };
  }

  #trip(label: string, wanted: number): never {
    this.#meter[1]!++;
    const text = (bytes: number): string => `[${bytes}/${formatByteSize(bytes)}]`;
    throw errors.circuitBreaking(
      `[request] Data too large, data for [${label}] would be ${text(wanted)}, which is larger than the limit of ` +
        `${text(this.limit)}`,
      {
        meta: { bytes_wanted: wanted, bytes_limit: this.limit, durability: 'TRANSIENT' },
      },
    );
  }
}

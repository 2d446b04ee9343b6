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

/**
 * Limits the memory that the searches of one thread hold: buckets, samples, sets. The breaker `request` of
 * Elasticsearch.
 */
export class RequestBreaker {
  readonly limit: number;
  /** Bytes in use, and number of refusals. May be shared memory that other threads read. */
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

import { errors } from '@shoal/errors';
import { formatByteSize } from '@shoal/values';

/** What one request holds; `release` gives all of it back. */
export interface BreakerAccount {
  /** Takes bytes, or gives some back when negative. Throws circuit_breaking_exception (429) when all requests would hold more than the limit. */
  charge(bytes: number): void;
  release(): void;
}

/** Memory that the searches of one thread may hold at once: buckets, samples, sets. The breaker `request` of Elasticsearch. */
export class RequestBreaker {
  readonly limit: number;
  #used = 0;
  #tripped = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get used(): number {
    return this.#used;
  }

  get tripped(): number {
    return this.#tripped;
  }

  open(label: string): BreakerAccount {
    let held = 0;
    return {
      charge: (bytes) => {
        if (bytes > 0 && this.#used + bytes > this.limit) this.#trip(label, this.#used + bytes);
        this.#used += bytes;
        held += bytes;
      },
      release: () => {
        this.#used -= held;
        held = 0;
      },
    };
  }

  #trip(label: string, wanted: number): never {
    this.#tripped++;
    const text = (bytes: number): string => `[${bytes}/${formatByteSize(bytes)}]`;
    throw errors.circuitBreaking(`[request] Data too large, data for [${label}] would be ${text(wanted)}, which is larger than the limit of ${text(this.limit)}`, {
      meta: { bytes_wanted: wanted, bytes_limit: this.limit, durability: 'TRANSIENT' },
    });
  }
}

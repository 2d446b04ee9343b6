import { errors } from '@shoal/errors';
import { formatByteSize } from '@shoal/values';

/** Circuit breaker for the bytes of requests in progress. */
export interface InFlightBytes {
  /**
   * Charges `bytes`; throws circuit_breaking_exception (429) beyond the limit. The returned function releases them;
   * later calls do nothing.
   */
  charge(bytes: number, label: string): () => void;
  /**
   * Charges bytes that are already in memory, without a check: later charges are refused instead. The returned function
   * releases them; later calls do nothing.
   */
  hold(bytes: number): () => void;
  readonly used: number;
  readonly limit: number;
  /** Number of refused requests. */
  readonly tripped: number;
}

function tooLarge(label: string, wanted: number, limit: number): never {
  throw errors.circuitBreaking(
    `[in_flight_requests] Data too large, data for [${label}] would be [${wanted}/${formatByteSize(wanted)}], ` +
      `which is larger than the limit of [${limit}/${formatByteSize(limit)}]`,
    { meta: { bytes_wanted: wanted, bytes_limit: limit, durability: 'TRANSIENT' } },
  );
}

/** Counter of refusals, which several breakers may share. */
export interface Trips {
  count: number;
}

/** Makes a breaker with a limit in bytes. `checkParent` throws if the whole process has no memory. */
export function createInFlightBytes(
  limit: () => number,
  checkParent: (bytes: number, label: string) => void = () => undefined,
  trips: Trips = { count: 0 },
): InFlightBytes {
  let used = 0;
  const hold = (bytes: number): (() => void) => {
    used += bytes;
    let held = bytes;
    return () => {
      used -= held;
      held = 0;
    };
  };
  return {
    hold,
    charge(bytes, label) {
      if (used + bytes > limit()) {
        trips.count++;
        tooLarge(label, used + bytes, limit());
      }
      checkParent(bytes, label);
      return hold(bytes);
    },
    get used() {
      return used;
    },
    get tripped() {
      return trips.count;
    },
    get limit() {
      return limit();
    },
  };
}

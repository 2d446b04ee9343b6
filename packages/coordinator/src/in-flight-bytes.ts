import { errors } from '@shoal/errors';
import { formatByteSize } from '@shoal/values';

/** The breaker over bytes of requests being worked on. */
export interface InFlightBytes {
  /**
   * Charges `bytes`; throws circuit_breaking_exception (429) over the budget. The returned function gives them back,
   * once.
   */
  charge(bytes: number, label: string): () => void;
  /**
   * Counts bytes that are there already and cannot be refused: others are. The returned function gives them back, once.
   */
  hold(bytes: number): () => void;
  readonly used: number;
  readonly limit: number;
  /** How often a request was refused. */
  readonly tripped: number;
}

function tooLarge(label: string, wanted: number, limit: number): never {
  throw errors.circuitBreaking(
    `[in_flight_requests] Data too large, data for [${label}] would be [${wanted}/${formatByteSize(wanted)}], ` +
      `which is larger than the limit of [${limit}/${formatByteSize(limit)}]`,
    { meta: { bytes_wanted: wanted, bytes_limit: limit, durability: 'TRANSIENT' } },
  );
}

/** Refusals, of several that are told as one too. */
export interface Trips {
  count: number;
}

/** Counts bytes of bodies from arrival to answer; `checkParent` refuses for the sake of the whole process. */
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

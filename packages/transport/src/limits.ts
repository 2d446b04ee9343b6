import type { LinkClass } from './types.js';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Bounds of the links of one class, in bytes. */
export interface LinkLimits {
  /** One request or answer. */
  readonly messageBytesMax: number;
  /** Payload that the receiver takes before it grants more; 0: no limit. */
  readonly windowBytes: number;
  /** What may wait to be sent; requests beyond are rejected. A message alone may be larger. */
  readonly queueBytesMax: number;
}

export const LIMITS: Readonly<Record<LinkClass, LinkLimits>> = {
  control: { messageBytesMax: 256 * MIB, windowBytes: 0, queueBytesMax: 256 * MIB },
  data: { messageBytesMax: 256 * MIB, windowBytes: 32 * MIB, queueBytesMax: 64 * MIB },
  recovery: { messageBytesMax: 4 * MIB, windowBytes: 8 * MIB, queueBytesMax: 64 * MIB },
};

/** Larger messages are cut into fragments of this size, between which others are sent. */
export const FRAGMENT_BYTES = 256 * KIB;

/**
 * Large messages whose fragments take turns; more would only complete later, and be held incomplete at the receiver.
 */
export const INTERLEAVED_MAX = 4;

/** Payload of one batch from which on no further frame joins it. */
export const BATCH_BYTES_MAX = 256 * KIB;

/**
 * Messages wait for the end of a turn, to go together, as long as no more than this waits: writing one costs more than
 * such a message, but less than a large one.
 */
export const GATHERED_BYTES_MAX = 16 * KIB;

/** Written to the connection and not yet taken over by the system: what a small message has to wait for. */
export const IN_FLIGHT_BYTES_MAX = MIB;

/** Messages whose fragments arrive at the same time on one link. */
export const ASSEMBLIES_MAX = 1024;

/** Bytes of messages that are announced and not complete, on one link. */
export const ASSEMBLING_BYTES_MAX = 1024 * MIB;

/** Requests without answer on one link. */
export const PENDING_MAX = 100_000;

/** What a waiting message costs besides its payload. */
export const MESSAGE_OVERHEAD_BYTES = 128;

/** How long an accepted connection may stay without a hello. */
export const HELLO_TIMEOUT_MS = 5_000;

/** How long a redial waits that proves whether a node is gone. */
export const PROBE_TIMEOUT_MS = 200;

/** How long accepted links have to close when the transport closes. */
export const CLOSE_TIMEOUT_MS = 200;

/** How long the other side has to close after a goodbye. */
export const GOODBYE_TIMEOUT_MS = 1_000;

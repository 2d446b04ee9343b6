import type { LinkClass } from './types.js';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Limits of the links of one class, in bytes. */
export interface LinkLimits {
  /** Size of one request or answer. */
  readonly messageBytesMax: number;
  /** Payload that the receiver accepts before it grants more; 0: no limit. */
  readonly windowBytes: number;
  /** Size of the send queue; further requests are rejected. A single message may be larger. */
  readonly queueBytesMax: number;
}

/** Limits by class of link. */
export const LIMITS: Readonly<Record<LinkClass, LinkLimits>> = {
  control: { messageBytesMax: 256 * MIB, windowBytes: 0, queueBytesMax: 256 * MIB },
  data: { messageBytesMax: 256 * MIB, windowBytes: 32 * MIB, queueBytesMax: 64 * MIB },
  recovery: { messageBytesMax: 4 * MIB, windowBytes: 8 * MIB, queueBytesMax: 64 * MIB },
};

/** Messages larger than this are sent in fragments of this size, between which other messages are sent. */
export const FRAGMENT_BYTES = 256 * KIB;

/**
 * Number of large messages whose fragments alternate. With more, each would be complete later, and the receiver would
 * hold more incomplete ones.
 */
export const INTERLEAVED_MAX = 4;

/** A batch with this much payload takes no further frame. */
export const BATCH_BYTES_MAX = 256 * KIB;

/**
 * Messages are collected until the turn of the event loop ends, unless more bytes than this wait: a write costs more
 * than a small message, but less than a large one.
 */
export const GATHERED_BYTES_MAX = 16 * KIB;

/** Bytes written to a connection but not accepted by the system yet: what a small message may have to wait for. */
export const IN_FLIGHT_BYTES_MAX = MIB;

/** Incomplete incoming messages of one link. */
export const ASSEMBLIES_MAX = 1024;

/** Total announced size of the incomplete messages of one link. */
export const ASSEMBLING_BYTES_MAX = 1024 * MIB;

/** Unanswered requests of one link. */
export const PENDING_MAX = 100_000;

/** Memory of a queued message besides its payload. */
export const MESSAGE_OVERHEAD_BYTES = 128;

/** Time limit for the hello on an accepted connection. */
export const HELLO_TIMEOUT_MS = 5_000;

/** Time limit of the redial that proves whether a node is gone. */
export const PROBE_TIMEOUT_MS = 200;

/** Time for accepted links to close when the transport closes. */
export const CLOSE_TIMEOUT_MS = 200;

/** Time for the other side to close after a goodbye. */
export const GOODBYE_TIMEOUT_MS = 1_000;

import type { BindOptions, CloseHow, LinkClass } from './types.js';

/** A stream of messages in both directions, open or being opened. */
export interface Wire {
  /** Sends one message. False: wait for `drain` before sending more. Does nothing once the wire is closed. */
  write(message: Uint8Array): boolean;
  /** Closes after all written messages are sent. */
  end(): void;
  /** Closes at once; written messages may be lost. */
  destroy(): void;
}

/** Receives the events of a wire. */
export interface WireEvents {
  message(bytes: Uint8Array): void;
  drain(): void;
  /** Called exactly once, whichever side closed; the last event. */
  closed(how: CloseHow): void;
}

/** A listener for incoming wires. */
export interface Listener {
  readonly address: string;
  /** Stops accepting wires; resolves once the accepted ones are closed. */
  close(): Promise<void>;
  /** Closes the accepted wires at once. */
  abort(): void;
}

/**
 * Network below the links: gRPC in production, memory in tests and the simulator. No event is delivered before the call
 * that causes it has returned.
 */
export interface Network {
  listen(bind: BindOptions, accept: (wire: Wire) => WireEvents): Promise<Listener>;
  dial(address: string, linkClass: LinkClass, events: WireEvents): Wire;
  close(): void;
}

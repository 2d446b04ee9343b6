import type { BindOptions, CloseHow, LinkClass } from './types.js';

/** One established or opening stream of messages in both directions. */
export interface Wire {
  /** Sends one message. False: nothing more before `drain`. Nothing happens once the wire is closed. */
  write(message: Uint8Array): boolean;
  /** Closes after what was written. */
  end(): void;
  /** Closes at once; what was written may be lost. */
  destroy(): void;
}

export interface WireEvents {
  message(bytes: Uint8Array): void;
  drain(): void;
  /** Exactly once, whoever closed; nothing follows. */
  closed(how: CloseHow): void;
}

export interface Listener {
  readonly address: string;
  /** Takes no more wires; resolves once the accepted ones are closed. */
  close(): Promise<void>;
  /** Closes the accepted wires at once. */
  abort(): void;
}

/**
 * What carries links: gRPC in production, memory in tests and the simulator. Events never come before the call
 * returned.
 */
export interface Network {
  listen(bind: BindOptions, accept: (wire: Wire) => WireEvents): Promise<Listener>;
  dial(address: string, linkClass: LinkClass, events: WireEvents): Wire;
  close(): void;
}

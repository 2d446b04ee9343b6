/** Clock and event loop, as far as turns of work need them. */
export interface TurnDoors {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Runs a callback in the next turn of the event loop, after its sockets. */
  readonly later: (callback: () => void) => void;
  /** Runs a callback after all microtasks and ticks that are due now. */
  readonly settled: (callback: () => void) => void;
  /** Milliseconds of processor that the process has used; absent: what runs has the processor all the time. */
  readonly processorMs?: () => number;
  /** Milliseconds that this thread's event loop has not waited for anything; absent where nobody measures it. */
  readonly busyMs?: () => number;
}

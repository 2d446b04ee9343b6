/** A connection of a server. */
interface RoomedConnection {
  /** Requests without an answer. */
  pending: number;
  /** Whether a request has arrived. */
  hasAsked: boolean;
  /** Order of the last request: the connection with the smallest number has been idle for longest. */
  turn: number;
}

const NOTHING = (): void => undefined;

/**
 * Keeps the connections of a server below a limit. Beyond it the one that does least is closed: first the oldest that
 * has never sent a request, then the one that has been idle for longest. A newcomer is refused only if all others have
 * requests in progress.
 */
export class ConnectionRoom<S> {
  readonly #max: number;
  readonly #all = new Map<S, RoomedConnection>();
  /** Connections without a request so far, oldest first. */
  readonly #silent = new Set<S>();
  #turns = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Takes a connection. Returns the one that has to be closed for it, which may be itself; null for none. */
  enter(socket: S): S | null {
    const closed = this.#all.size < this.#max ? null : (this.#victim() ?? socket);
    if (closed !== null) this.leave(closed);
    if (closed === socket) return socket;
    this.#all.set(socket, { pending: 0, hasAsked: false, turn: 0 });
    this.#silent.add(socket);
    return closed;
  }

  /** Forgets a connection that is closed. */
  leave(socket: S): void {
    this.#all.delete(socket);
    this.#silent.delete(socket);
  }

  /** Notes a request of a connection. The returned function notes that it is answered. */
  asked(socket: S): () => void {
    const connection = this.#all.get(socket);
    if (connection === undefined) return NOTHING;
    if (!connection.hasAsked) this.#silent.delete(socket);
    connection.hasAsked = true;
    connection.pending++;
    connection.turn = ++this.#turns;
    return () => void connection.pending--;
  }

  #victim(): S | null {
    for (const socket of this.#silent) return socket;
    let [found, turn]: [S | null, number] = [null, Infinity];
    for (const [socket, connection] of this.#all)
      if (connection.pending === 0 && connection.turn < turn) [found, turn] = [socket, connection.turn];
    return found;
  }
}

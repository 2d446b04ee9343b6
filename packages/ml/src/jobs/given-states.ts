import { errors } from '@shoal/errors';

/** The packed states of jobs that are being opened: their pieces come one by one, as no message holds them all. */
export class GivenStates {
  readonly #pieces = new Map<string, Uint8Array[]>();

  /** Adds a piece; the first one begins anew. */
  add(id: string, piece: number, bytes: Uint8Array): void {
    const known = piece === 0 ? [] : (this.#pieces.get(id) ?? []);
    known[piece] = bytes;
    this.#pieces.set(id, known);
  }

  /** Returns the pieces of a job, and keeps them no longer. Throws illegal_state_exception if some were lost. */
  take({ id, pieces }: { readonly id: string; readonly pieces: number }): readonly Uint8Array[] {
    const known = this.#pieces.get(id) ?? [];
    this.#pieces.delete(id);
    if (pieces === 0) return [];
    // The thread that had the first ones has ended.
    if (known.length !== pieces || Object.keys(known).length !== pieces)
      throw errors.illegalState(`pieces of the state of job [${id}] are missing`, { status: 503 });
    return known;
  }

  drop(id: string): void {
    this.#pieces.delete(id);
  }
}

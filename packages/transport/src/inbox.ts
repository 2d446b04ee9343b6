import { errors } from '@shoal/errors';
import { ASSEMBLIES_MAX, ASSEMBLING_BYTES_MAX } from './limits.js';

/** A payload that shares its buffer with much else gets one of its own, so that who keeps it keeps no more than it. */
function owned(payload: Uint8Array): Uint8Array {
  return payload.length * 2 >= payload.buffer.byteLength ? payload : new Uint8Array(payload);
}

interface Assembly {
  readonly bytes: Uint8Array;
  receivedBytes: number;
  fragments: number;
  readonly complete: (payload: Uint8Array) => void;
}

/** Puts the fragments of messages together. Throws `corrupt_index_exception` for what no sender sends. */
export class Inbox {
  readonly #assemblies = new Map<number, Assembly>();
  #announcedBytes = 0;

  /** A message of `totalBytes` begins; `complete` is called with its payload, at once when `first` is all of it. */
  begin(id: number, totalBytes: number, first: Uint8Array, complete: (payload: Uint8Array) => void): void {
    if (first.length > totalBytes)
      throw errors.corruption(`message [${id}] of [${totalBytes}] bytes begins with [${first.length}]`);
    if (this.#assemblies.has(id)) throw errors.corruption(`message [${id}] begins twice`);
    if (first.length === totalBytes) return complete(owned(first));
    if (first.length === 0) throw errors.corruption(`message [${id}] begins without bytes`);
    if (this.#assemblies.size >= ASSEMBLIES_MAX || this.#announcedBytes + totalBytes > ASSEMBLING_BYTES_MAX) {
      throw errors.corruption(
        `[${this.#assemblies.size}] incomplete messages of [${this.#announcedBytes}] bytes, and one more of ` +
          `[${totalBytes}]`,
      );
    }
    this.#announcedBytes += totalBytes;
    const bytes = Buffer.allocUnsafeSlow(totalBytes);
    bytes.set(first);
    this.#assemblies.set(id, { bytes, receivedBytes: first.length, fragments: 1, complete });
  }

  /** A fragment of a message that was given up is ignored. */
  add(id: number, index: number, part: Uint8Array): void {
    const assembly = this.#assemblies.get(id);
    if (!assembly) return;
    const end = assembly.receivedBytes + part.length;
    if (index !== assembly.fragments || part.length === 0 || end > assembly.bytes.length) {
      throw errors.corruption(`fragment [${index}] of [${part.length}] bytes does not continue message [${id}]`);
    }
    assembly.bytes.set(part, assembly.receivedBytes);
    assembly.receivedBytes = end;
    assembly.fragments++;
    if (end < assembly.bytes.length) return;
    this.drop(id);
    assembly.complete(assembly.bytes);
  }

  /** Gives up a message of which more may come. */
  drop(id: number): void {
    const assembly = this.#assemblies.get(id);
    if (!assembly) return;
    this.#assemblies.delete(id);
    this.#announcedBytes -= assembly.bytes.length;
  }

  clear(): void {
    this.#assemblies.clear();
    this.#announcedBytes = 0;
  }
}

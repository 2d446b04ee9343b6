import { errors } from '@shoal/errors';
import { ASSEMBLIES_MAX, ASSEMBLING_BYTES_MAX } from './limits.js';

/** Copies a payload that is a small part of its buffer, so that whoever keeps the payload does not keep the buffer. */
function detachPayload(payload: Uint8Array): Uint8Array {
  return payload.length * 2 >= payload.buffer.byteLength ? payload : new Uint8Array(payload);
}

interface Assembly {
  readonly bytes: Uint8Array;
  receivedBytes: number;
  fragments: number;
  readonly complete: (payload: Uint8Array) => void;
}

/** Assembles messages from fragments. Throws `corrupt_index_exception` for fragments that no correct sender sends. */
export class Inbox {
  readonly #assemblies = new Map<number, Assembly>();
  #announcedBytes = 0;

  /** Starts a message of `totalBytes`. `complete` receives its payload, at once if `first` is the whole message. */
  begin(id: number, totalBytes: number, first: Uint8Array, complete: (payload: Uint8Array) => void): void {
    if (first.length > totalBytes)
      throw errors.corruption(`message [${id}] of [${totalBytes}] bytes begins with [${first.length}]`);
    if (this.#assemblies.has(id)) throw errors.corruption(`message [${id}] begins twice`);
    if (first.length === totalBytes) return complete(detachPayload(first));
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

  /** Adds a fragment; fragments of dropped messages are ignored. */
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

  /** Drops a message that is not complete. */
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

import { ByteReader, ByteWriter } from '@shoal/codec';
import type { Files, OpenFile } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { CHECKSUM_BYTES, verifyRecord, appendChecksum } from '../level/checksum.js';

/**
 * The last batch that was synced, stored outside of the key-value store. LevelDB silently drops damaged records at the
 * end of its log; the witness shows that they existed.
 */
export interface Witness {
  readonly chainId: Uint8Array;
  readonly batch: number;
  readonly link: Uint8Array;
  readonly generation: number;
}

/** Bytes of a slot. The file has two, written alternately, so that a torn write leaves the other one intact. */
const SLOT_BYTES = 128;
const NO_KEY = new Uint8Array(0);

/** The open witness file of a store. */
export interface WitnessFile {
  /** The newest intact slot; null if the file is new; a witness of batch -1 if no slot is intact. */
  read(): Witness | null;
  /** Writes the older slot. It survives the end of the process once this returns, power loss only after `sync`. */
  write(witness: Witness): void;
  sync(): Promise<void>;
  close(): void;
}

function encodeSlot(witness: Witness): Uint8Array {
  const out = new ByteWriter(SLOT_BYTES);
  out.bytes(witness.chainId);
  out.varint(witness.batch);
  out.bytes(witness.link);
  out.varint(witness.generation);
  out.raw(new Uint8Array(SLOT_BYTES - CHECKSUM_BYTES - out.length));
  return appendChecksum(NO_KEY, out.finish());
}

function decodeSlot(bytes: Uint8Array): Witness | null {
  try {
    const input = new ByteReader(verifyRecord(NO_KEY, bytes, 'witness'));
    return {
      chainId: input.bytes().slice(),
      batch: input.varint(),
      link: input.bytes().slice(),
      generation: input.varint(),
    };
  } catch {
    return null;
  }
}

/** The newest intact slot in the content of a witness file; null if there is none. */
export function newestWitness(content: Uint8Array | null): Witness | null {
  const slots = [0, 1].map((i) => decodeSlot((content ?? NO_KEY).subarray(i * SLOT_BYTES, (i + 1) * SLOT_BYTES)));
  return newest(slots[0]!, slots[1]!);
}

const newest = (a: Witness | null, b: Witness | null): Witness | null =>
  a && b ? (a.batch >= b.batch ? a : b) : (a ?? b);

function witnessFile(file: OpenFile): WitnessFile {
  let slot = 0;
  let isDirty = false;
  let isClosed = false;
  return {
    read() {
      if (file.size() === 0) return null;
      const slots = [0, 1].map((i) => decodeSlot(file.readAt(i * SLOT_BYTES, SLOT_BYTES)));
      const found = newest(slots[0]!, slots[1]!);
      // Without an intact slot the last batch is unknown; batch -1 never verifies.
      if (!found) return { chainId: NO_KEY, batch: -1, link: NO_KEY, generation: 0 };
      slot = found === slots[0] ? 1 : 0;
      return found;
    },
    write(witness) {
      // The file descriptor may belong to another file by now.
      if (isClosed) throw errors.illegalState('the witness of a closed store is written');
      file.writeAt(slot * SLOT_BYTES, encodeSlot(witness));
      slot = 1 - slot;
      isDirty = true;
    },
    async sync() {
      if (!isDirty || isClosed) return;
      isDirty = false;
      await file.sync();
    },
    close() {
      if (!isClosed) file.close();
      isClosed = true;
    },
  };
}

/** Opens the witness file at `path`, or creates it. */
export async function openWitness(files: Files, path: string): Promise<WitnessFile> {
  return witnessFile(await files.open(path));
}

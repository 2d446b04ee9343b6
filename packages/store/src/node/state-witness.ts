import { ByteReader, ByteWriter } from '@shoal/codec';
import type { Files, OpenFile } from '@shoal/doors';
import { appendChecksum, CHECKSUM_BYTES, verifyRecord } from '../level/checksum.js';

/** The newest record of the state log that was synced, kept outside of the log. */
export interface StateWitness {
  readonly index: number;
  /** Link after that record. */
  readonly link: Uint8Array;
}

/** Bytes of a slot. The file has two, written alternately, so that a torn write leaves the other one intact. */
const SLOT_BYTES = 128;
const NO_KEY = new Uint8Array(0);

/** The open witness file of a state log. */
export interface StateWitnessFile {
  /** Content at open: the newest intact slot, or null if there was none or the file was missing. */
  readonly found: StateWitness | null;
  /**
   * Writes the older slot. The slot survives the end of the process once this returns, and power loss some
   * milliseconds later: the file is synced meanwhile. An older witness never refuses a newer log.
   */
  write(witness: StateWitness): void;
  /** Resolves once everything written survives power loss. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

function encodeSlot({ index, link }: StateWitness): Uint8Array {
  const out = new ByteWriter(SLOT_BYTES);
  out.varint(index);
  out.bytes(link);
  out.raw(new Uint8Array(SLOT_BYTES - CHECKSUM_BYTES - out.length));
  return appendChecksum(NO_KEY, out.finish());
}

function decodeSlot(bytes: Uint8Array): StateWitness | null {
  try {
    const input = new ByteReader(verifyRecord(NO_KEY, bytes, 'witness'));
    return { index: input.varint(), link: input.bytes().slice() };
  } catch {
    return null;
  }
}

/** Opens the witness at `path`. A new file gets its full size at once, so that a full disk never refuses a write. */
export async function openStateWitness(files: Files, path: string): Promise<StateWitnessFile> {
  const content = (await files.read(path)) ?? NO_KEY;
  const slots = [0, 1].map((i) => decodeSlot(content.subarray(i * SLOT_BYTES, (i + 1) * SLOT_BYTES)));
  const [a, b] = [slots[0]!, slots[1]!];
  const found = a && b ? (a.index >= b.index ? a : b) : (a ?? b);
  if (content.length === 2 * SLOT_BYTES) return witnessFile(await files.open(path), found, found === a ? 1 : 0);
  const whole = new Uint8Array(2 * SLOT_BYTES);
  if (found !== null) whole.set(encodeSlot(found));
  await files.replace(path, whole);
  return witnessFile(await files.open(path), found, 1);
}

function witnessFile(file: OpenFile, found: StateWitness | null, firstSlot: number): StateWitnessFile {
  let slot = firstSlot;
  let running: Promise<void> | null = null;
  let isDirty = false;
  const syncAll = async (): Promise<void> => {
    try {
      while (isDirty) {
        isDirty = false;
        await file.sync();
      }
    } catch (error) {
      isDirty = true;
      throw error;
    } finally {
      // In the turn of the last check, so that no write falls between them.
      running = null;
    }
  };
  /** Syncs once for all writes that come meanwhile. */
  const sync = async (): Promise<void> => {
    if (isDirty || running !== null) await (running ??= syncAll());
  };
  return {
    found,
    write(witness) {
      file.writeAt(slot * SLOT_BYTES, encodeSlot(witness));
      slot = 1 - slot;
      isDirty = true;
      // A failed sync leaves an older witness behind, which refuses nothing; the log itself was synced before.
      sync().catch(() => undefined);
    },
    sync,
    async close() {
      await sync().catch(() => undefined);
      file.close();
    },
  };
}

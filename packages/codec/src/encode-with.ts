import { ByteWriter } from './byte-writer.js';

const SCRATCH_BYTES = 65_536;

/** Shared by all encodings: a buffer for each would take a fifth of the time of a small message. */
const scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
/** Whether an encoding uses the scratch buffer now; an encoding inside another allocates its own buffer. */
const use = { isTaken: false };

/**
 * Encodes `message` with `write`; the caller owns the returned bytes. `bytesExpected` is an estimate: a message up to
 * 64 KiB is written to a shared scratch buffer and copied once, a larger one to a buffer of the expected size.
 */
export function encodeWith<T>(
  bytesExpected: number,
  write: (out: ByteWriter, message: T) => void,
  message: T,
): Uint8Array {
  if (use.isTaken || bytesExpected > SCRATCH_BYTES) {
    const out = new ByteWriter(bytesExpected);
    write(out, message);
    return out.finish();
  }
  use.isTaken = true;
  try {
    const out = new ByteWriter(scratch);
    write(out, message);
    const bytes = out.finish();
    return bytes.buffer === scratch.buffer ? new Uint8Array(bytes) : bytes;
  } finally {
    use.isTaken = false;
  }
}

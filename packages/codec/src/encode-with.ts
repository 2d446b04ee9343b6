import { ByteWriter } from './byte-writer.js';

const SCRATCH_BYTES = 65_536;

/** Reused by one encoding after the other: allocating and growing a buffer for each cost a fifth of a small message. */
const scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
const use = { isTaken: false };

/**
 * The bytes that `write` writes, in a buffer of their own. `bytesExpected` is a guess: small messages are written to a
 * scratch buffer and copied once, large ones get a buffer of the expected size.
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

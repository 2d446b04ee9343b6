import type { ByteReader } from '@shoal/codec';
import { errors } from '@shoal/errors';

/** Empty bytes, shared; do not write to them. */
export const NO_BYTES = new Uint8Array(0);

/** Skips a field that this version does not know, so that newer nodes may add fields. */
export function skipField(input: ByteReader, tag: number): void {
  switch (tag & 7) {
    case 0:
      input.varint();
      return;
    case 1:
      input.raw(8);
      return;
    case 2:
      input.bytes();
      return;
    case 5:
      input.raw(4);
      return;
    default:
      throw errors.corruption(`unknown wire type ${tag & 7}`);
  }
}

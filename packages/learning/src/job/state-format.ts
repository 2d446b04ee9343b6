import type { ByteReader } from '@shoal/codec';

/** Format of the states of jobs, and the first one, which has no extras at its end. Earlier ones are read. */
export const FORMAT = 3;
export const FORMAT_FIRST = 1;

export const isReadable = (format: number): boolean => format >= FORMAT_FIRST && format <= FORMAT;

/** Whether a state, which begins at the next byte, has a format that this version reads. */
export function readsState(start: ByteReader): boolean {
  return isReadable(start.u32());
}

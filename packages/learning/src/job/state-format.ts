import { ByteReader } from '@shoal/codec';

/** Formats of the states of jobs: the one that is written, and the one before, which has no extras at its end. */
export const FORMAT = 2;
export const FORMAT_BEFORE = 1;

export const isReadable = (format: number): boolean => format === FORMAT || format === FORMAT_BEFORE;

/** Whether a state, whose first bytes are given, has a format that this version reads. */
export function readsState(start: Uint8Array): boolean {
  return start.length >= 4 && isReadable(new ByteReader(start).u32());
}

import { ByteReader } from '@shoal/codec';

/** Format of the states of jobs, and the first one, which has no extras at its end. Earlier ones are read. */
export const FORMAT = 3;
export const FORMAT_FIRST = 1;

export const isReadable = (format: number): boolean => format >= FORMAT_FIRST && format <= FORMAT;

/** Whether a state, whose first bytes are given, has a format that this version reads. */
export function readsState(start: Uint8Array): boolean {
  return start.length >= 4 && isReadable(new ByteReader(start).u32());
}

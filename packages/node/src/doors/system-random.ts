import { randomBytes } from 'node:crypto';
import type { Random } from '@shoal/doors';

/** The system's randomness: `bytes` for ids and keys, `next` for choices that need no secrecy. */
export const systemRandom: Random = {
  next: () => Math.random(),
  bytes: (length) => randomBytes(length),
};

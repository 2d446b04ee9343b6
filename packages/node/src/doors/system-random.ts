import { randomBytes } from 'node:crypto';
import type { Random } from '@shoal/doors';

/** The system's randomness. */
export const systemRandom: Random = {
  next: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
  bytes: (length) => randomBytes(length),
};

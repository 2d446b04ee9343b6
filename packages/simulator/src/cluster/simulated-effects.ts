import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Clock } from '@shoal/doors';
import type { NodeDoors } from '@shoal/node';
import type { DeriveKey } from '@shoal/security';
import type { Compression } from '@shoal/shard';

const PAGE_MS = 2;
const KEY_MS = 50;

/** Compression that takes virtual time. */
export function simulatedCompression(clock: Clock): Compression {
  return {
    async pack(bytes) {
      await passed(clock, PAGE_MS);
      return gzipSync(bytes, { level: 1 });
    },
    async unpack(bytes) {
      await passed(clock, PAGE_MS);
      return gunzipSync(bytes);
    },
  };
}

/** Key derivation that takes as much virtual time as scrypt, and as little real time as one hash. */
function simulatedDerivation(clock: Clock): DeriveKey {
  return async (password, salt, bytes) => {
    await passed(clock, KEY_MS);
    return createHash('shake256', { outputLength: bytes }).update(salt).update(password).digest();
  };
}

/** Security effects without files, key sets or a terminal. */
export function simulatedSecurity(clock: Clock): NodeDoors['security'] {
  return {
    readConfigFile: () => null,
    openKeySets: async () => () => () => Promise.reject(new Error('simulated nodes fetch no keys')),
    showPassword: () => undefined,
    passwords: { deriveKey: simulatedDerivation(clock) },
  };
}

function passed(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}

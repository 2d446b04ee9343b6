import fs from 'node:fs';
import path from 'node:path';
import type { Log } from '@shoal/doors';
import type { ConfiguredRealm, OpenKeySet } from '@shoal/security';
import { createBcryptWorker } from '../threads/bcrypt-worker.js';
import { passwordDisplay } from './first-password.js';
import type { SecurityDoors } from './open-security.js';

function readConfigFile(folder: string, name: string): string | null {
  try {
    return fs.readFileSync(path.resolve(folder, name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Loads the code that fetches key sets, only if a realm has a key set URL, as few have. */
async function keySets(confPath: string, realms: readonly ConfiguredRealm[]): Promise<OpenKeySet> {
  const isUsed = realms.some(({ values }) => values.get('pkc_jwkset_path')?.startsWith('https:'));
  if (isUsed) return (await import('./key-set-at-url.js')).openKeySet(confPath);
  return () => () => Promise.reject(new Error('the key set is not at a URL'));
}

/** The system's effects for the security layer: files below `confPath`, the terminal, key sets at URLs. */
export function systemSecurityDoors(confPath: string, log: Log): SecurityDoors {
  const terminal = process.stdout.isTTY ? (text: string): void => void process.stdout.write(text) : null;
  return {
    readConfigFile: (name) => readConfigFile(confPath, name),
    openKeySets: (realms) => keySets(confPath, realms),
    passwords: { compareBcrypt: createBcryptWorker() },
    showPassword: passwordDisplay({ log, confPath, terminal }),
  };
}

import fs from 'node:fs';
import path from 'node:path';
import { ConfigurationError } from '../settings/load-settings.js';
import { KEYSTORE_FILE, readKeystore } from './keystore-file.js';
import { secureSettingProblem, type SecureSettings } from './secure-settings.js';

/** Reads the keystore of `confFolder`. Throws ConfigurationError for a wrong password or settings that do not exist. */
export function loadKeystore(confFolder: string, password: string): SecureSettings {
  const file = path.join(confFolder, KEYSTORE_FILE);
  const settings = read(file, password);
  const problems = [...settings.keys()].map(secureSettingProblem).filter((problem) => problem !== null);
  if (problems.length > 0)
    throw new ConfigurationError(`the keystore [${file}] cannot be used: ${problems.join('; ')}`);
  return { get: (name) => settings.get(name) ?? null, names: [...settings.keys()] };
}

function read(file: string, password: string): ReadonlyMap<string, string> {
  try {
    return readKeystore(fs.readFileSync(file), password);
  } catch (error) {
    throw new ConfigurationError(`the keystore [${file}] cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Returns the keystore's password from the environment: from a file, as service managers pass secrets, or as text. ''
 * for none.
 */
export function keystorePassword(environment: Readonly<Record<string, string | undefined>>): string {
  const file = environment['ES_KEYSTORE_PASSPHRASE_FILE'];
  if (file === undefined) return environment['KEYSTORE_PASSWORD'] ?? '';
  try {
    return fs.readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new ConfigurationError(
      `the file [${file}] of ES_KEYSTORE_PASSPHRASE_FILE cannot be read: ${(error as Error).message}`,
    );
  }
}

import fs from 'node:fs';
import path from 'node:path';
import { KEYSTORE_FILE } from './keystore-file.js';
import { keystorePassword, loadKeystore } from './load-keystore.js';
import type { SecureSettings } from './secure-settings.js';

/** Settings of the keystore that can be read anew while the node runs. */
export interface ReloadableSecrets extends SecureSettings {
  /** Reads the keystore again. Throws ConfigurationError, and keeps what it has, when that is not possible. */
  reload(password: string): void;
}

/**
 * Opens the keystore of a folder, empty if there is no file. The password comes from the environment, as at the start.
 */
export function openSecrets(confFolder: string): ReloadableSecrets {
  const load = (password: string): SecureSettings =>
    fs.existsSync(path.join(confFolder, KEYSTORE_FILE))
      ? loadKeystore(confFolder, password)
      : { get: () => null, names: [] };
  let current = load(keystorePassword(process.env));
  return {
    get: (name) => current.get(name),
    get names() {
      return current.names;
    },
    reload(password) {
      current = load(password === '' ? keystorePassword(process.env) : password);
    },
  };
}

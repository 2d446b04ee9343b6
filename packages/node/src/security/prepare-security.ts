import fs from 'node:fs';
import path from 'node:path';
import type { Log } from '@shoal/doors';
import { confFolderOf } from '../conf-folder.js';
import { systemClock } from '../doors/system-clock.js';
import { NO_SECURE_SETTINGS, type SecureSettings } from '../keystore/secure-settings.js';
import type { NodeSettings } from '../settings/load-settings.js';
import { type NodeProtection, protectNode } from './node-protection.js';

/** What of security is settled before the node binds a port. */
export interface PreparedSecurity {
  readonly settings: NodeSettings;
  /** Settings of the keystore. */
  readonly secure: SecureSettings;
  /** `path.conf`, absolute. */
  readonly confFolder: string;
  readonly protection: NodeProtection;
}

/** Reads keystore and certificates. Throws ConfigurationError for what cannot be used. */
export async function prepareSecurity(given: NodeSettings, log: Log): Promise<PreparedSecurity> {
  const confFolder = confFolderOf(given);
  const secure = await secureSettings(confFolder);
  const settings = given.with(new Map(secure.names.filter((name) => /^(bootstrap\.password$|xpack\.security\.authc\.)/.test(name)).map((name) => [name, secure.get(name)!])));
  const protection = await protectNode({ settings, secure, confFolder, clock: systemClock, log });
  return { settings, secure, confFolder, protection };
}

/** Few nodes have a keystore: its code is loaded for those. */
async function secureSettings(confFolder: string): Promise<SecureSettings> {
  if (!fs.existsSync(path.join(confFolder, 'shoal.keystore'))) return NO_SECURE_SETTINGS;
  const { keystorePassword, loadKeystore } = await import('../keystore/load-keystore.js');
  return loadKeystore(confFolder, keystorePassword(process.env));
}

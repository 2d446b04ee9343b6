import fs from 'node:fs';
import path from 'node:path';
import type { Log } from '@shoal/doors';
import { confFolderOf } from '../start/conf-folder.js';
import { systemClock } from '../doors/system-clock.js';
import type { ReloadableSecrets } from '../keystore/reloadable-secrets.js';
import type { SecureSettings } from '../keystore/secure-settings.js';
import { ConfigurationError, type NodeSettings } from '../settings/load-settings.js';
import { containerLimit } from '../start/memory-budget.js';
import { clusterFormation } from '../settings/cluster-formation.js';
import { bootstrapProblems, processLimit } from './bootstrap-checks.js';
import { setUpFirstStart } from './first-start.js';
import { checkFirstPassword, isSecurityEnabled, reachesOut, securitySettings } from './security-settings.js';
import { type NodeProtection, protectNode } from './node-protection.js';

/** Settings of the keystore. The code is loaded only if there is a keystore. */
export interface LazySecrets extends SecureSettings {
  /** Reads the keystore again. If that fails, rejects with ConfigurationError and keeps the settings. */
  reload(password: string): Promise<void>;
}

/** Security settings, secrets and certificates, ready before the node binds a port. */
export interface PreparedSecurity {
  readonly settings: NodeSettings;
  /** Settings of the keystore. */
  readonly secure: LazySecrets;
  /** `path.conf`, absolute. */
  readonly confFolder: string;
  readonly protection: NodeProtection;
  /** Whether this start made certificates; the node then announces an enrolment token. */
  readonly isNew: boolean;
}

/** Settings and effects for preparing security. */
export interface PrepareOptions {
  readonly nodeName: string;
  /** Memory budget of the process. */
  readonly memoryBytes: number;
  readonly log: Log;
}

/** Reads keystore and certificates. Throws ConfigurationError for what cannot be used. */
export async function prepareSecurity(
  given: NodeSettings,
  { nodeName, memoryBytes, log }: PrepareOptions,
): Promise<PreparedSecurity> {
  const confFolder = confFolderOf(given);
  const secure = await secureSettings(confFolder);
  const withSecrets = given.with(
    new Map(
      secure.names
        .filter((name) => /^(bootstrap\.password$|xpack\.security\.authc\.)/.test(name))
        .map((name) => [name, secure.get(name)!]),
    ),
  );
  checkFirstPassword(withSecrets);
  const setUp = await setUpFirstStart(withSecrets, confFolder, nodeName, log);
  const { settings } = setUp;
  // Checked even if security is switched off: settings that cannot work are reported before the node joins a cluster.
  securitySettings(settings);
  checkBootstrap(settings, memoryBytes, log);
  const protection = await protectNode({ settings, secure, confFolder, clock: systemClock, log });
  return { settings, secure, confFolder, protection, isNew: setUp.isNew };
}

/**
 * Runs the bootstrap checks. A node with links to others does not start if one fails. A single-node cluster only logs
 * the failures, as it puts no other node at risk.
 */
function checkBootstrap(settings: NodeSettings, memoryBudgetBytes: number, log: Log): void {
  if (!reachesOut(settings)) return;
  const isAlone = clusterFormation(settings) === null;
  const problems = bootstrapProblems({
    openFilesMax: processLimit('Max open files'),
    threadsMax: processLimit('Max processes'),
    memoryBudgetBytes,
    containerBytes: containerLimit(),
    opensTransport: !isAlone,
    isSecurityEnabled: isSecurityEnabled(settings),
    isTransportTlsEnabled: settings.boolean('xpack.security.transport.ssl.enabled'),
  });
  if (problems.length > 0 && !isAlone) throw new ConfigurationError(problems.join('\n'));
  for (const problem of problems) log.write('warn', problem);
}

/** Opens the keystore; its code is loaded only if there is one, as few nodes have. */
async function secureSettings(confFolder: string): Promise<LazySecrets> {
  let opened: ReloadableSecrets | null = null;
  const open = async (): Promise<ReloadableSecrets> =>
    (opened ??= (await import('../keystore/reloadable-secrets.js')).openSecrets(confFolder));
  if (fs.existsSync(path.join(confFolder, 'shoal.keystore'))) await open();
  return {
    get: (name) => opened?.get(name) ?? null,
    get names() {
      return opened?.names ?? [];
    },
    reload: async (password) => (await open()).reload(password),
  };
}

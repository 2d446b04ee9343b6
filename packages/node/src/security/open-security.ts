import fs from 'node:fs';
import path from 'node:path';
import type { ClusterService } from '@shoal/cluster';
import type { Coordinator } from '@shoal/coordinator';
import type { Log } from '@shoal/doors';
import {
  type ConfiguredRealm,
  createSecurity,
  type OpenKeySet,
  type Security,
  type SecurityOptions,
} from '@shoal/security';
import { systemClock } from '../doors/system-clock.js';
import { systemRandom } from '../doors/system-random.js';
import type { NodeCalls } from '../assembly/node-calls.js';
import { ConfigurationError, type NodeSettings } from '../settings/load-settings.js';
import { ensureFirstPassword } from './first-password.js';
import { createSecurityDocuments } from './security-documents.js';
import { isOpenToAll, isSecurityEnabled, securitySettings } from './security-settings.js';

const FORGET = 'security/clear-cache';
const FORGET_MS = 5_000;

export interface OpenSecurityOptions {
  readonly settings: NodeSettings;
  readonly cluster: ClusterService;
  readonly coordinator: Coordinator;
  readonly log: Log;
  readonly nodeId: string;
  readonly dataPath: string;
}

/** Folder of the node's files that people edit. */
export function configurationFolder(settings: NodeSettings, dataPath: string): string {
  return settings.text('path.conf') ?? path.join(dataPath, 'config');
}

function readConfigFile(folder: string, name: string): string | null {
  try {
    return fs.readFileSync(path.resolve(folder, name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Bad settings of a realm are bad configuration. */
async function made(options: SecurityOptions): Promise<Security> {
  try {
    return await createSecurity(options);
  } catch (error) {
    throw new ConfigurationError((error as Error).message);
  }
}

/** Few nodes have a realm whose keys are at a URL: the code for it is loaded for those. */
async function keySets(confPath: string, realms: readonly ConfiguredRealm[]): Promise<OpenKeySet> {
  const isUsed = realms.some(({ values }) => values.get('pkc_jwkset_path')?.startsWith('https:'));
  if (isUsed) return (await import('./key-set-at-url.js')).openKeySet(confPath);
  return () => () => Promise.reject(new Error('the key set is not at a URL'));
}

/**
 * Opens the security layer of a node; null where it is off. Throws ConfigurationError for settings that make no sense.
 */
export async function openSecurity(options: OpenSecurityOptions): Promise<Security | null> {
  const { settings, cluster, coordinator, log, nodeId, dataPath } = options;
  if (!isSecurityEnabled(settings)) {
    if (isOpenToAll(settings))
      log.write('warn', 'security is off on an address that others reach: everybody who connects may do everything');
    return null;
  }
  const confPath = configurationFolder(settings, dataPath);
  const chosen = securitySettings(settings);
  const security = await made({
    cluster,
    documents: createSecurityDocuments(cluster, coordinator),
    clock: systemClock,
    random: systemRandom,
    log,
    settings: chosen,
    readConfigFile: (name) => readConfigFile(confPath, name),
    keySetAt: await keySets(confPath, chosen.realms),
    async forgetEverywhere(tags) {
      const answers = await coordinator.callNodes(
        [...cluster.state().nodes.keys()],
        FORGET,
        { tags },
        { timeoutMs: FORGET_MS },
      );
      for (const { nodeId, error } of answers)
        if (error !== null)
          log.write(
            'warn',
            'a node was not told to forget credentials: it may take them until its cache does not know them any more',
            { 'node.id': nodeId, 'error.message': error.message },
          );
    },
  });
  const terminal = process.stdout.isTTY ? (text: string): void => void process.stdout.write(text) : null;
  void ensureFirstPassword({ cluster, nodeId, security, random: systemRandom, log, confPath, terminal }).catch(
    (error: unknown) => log.write('error', 'elastic has no password yet', { error }),
  );
  return security;
}

/** What other nodes ask of this one's security layer. */
export function securityCalls(security: Security | null): NodeCalls {
  return { [FORGET]: (body) => void security?.forget((body as { tags: readonly string[] | null }).tags) };
}

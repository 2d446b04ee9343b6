import path from 'node:path';
import type { ClusterService } from '@shoal/cluster';
import type { Coordinator } from '@shoal/coordinator';
import type { Clock, Log, Random } from '@shoal/doors';
import {
  type ConfiguredRealm,
  createSecurity,
  type PasswordDoors,
  type OpenKeySet,
  type Security,
  type SecurityOptions,
} from '@shoal/security';
import type { NodeCalls } from '../assembly/node-calls.js';
import { ConfigurationError, type NodeSettings } from '../settings/load-settings.js';
import { ensureFirstPassword } from './first-password.js';
import { createSecurityDocuments } from './security-documents.js';
import { isOpenToAll, isSecurityEnabled, securitySettings } from './security-settings.js';

const FORGET = 'security/clear-cache';
const FORGET_MS = 5_000;

/** Effects of the security layer besides time, randomness and the cluster. */
export interface SecurityDoors {
  /** Reads the text of a file in the configuration folder; null if it is missing. */
  readonly readConfigFile: (name: string) => string | null;
  /** Creates the function that fetches key sets of realms with a key set URL. */
  readonly openKeySets: (realms: readonly ConfiguredRealm[]) => Promise<OpenKeySet>;
  /** Shows the first password of `elastic` to the person who started the node. */
  readonly showPassword: (password: string) => void;
  readonly passwords: PasswordDoors;
}

/** Parts of a node that its security layer needs. */
export interface OpenSecurityOptions {
  readonly settings: NodeSettings;
  readonly cluster: ClusterService;
  readonly coordinator: Coordinator;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly nodeId: string;
  readonly doors: SecurityDoors;
}

/** Returns the folder of the node's files that people edit. */
export function configurationFolder(settings: NodeSettings, dataPath: string): string {
  return settings.text('path.conf') ?? path.join(dataPath, 'config');
}

/** Creates the security layer; reports bad settings of a realm as ConfigurationError. */
async function made(options: SecurityOptions): Promise<Security> {
  try {
    return await createSecurity(options);
  } catch (error) {
    throw new ConfigurationError((error as Error).message);
  }
}

/**
 * Opens the security layer of a node; null if security is switched off. Throws ConfigurationError for settings that
 * cannot be used.
 */
export async function openSecurity(options: OpenSecurityOptions): Promise<Security | null> {
  const { settings, cluster, coordinator, clock, random, log, nodeId, doors } = options;
  if (!isSecurityEnabled(settings)) {
    if (isOpenToAll(settings))
      log.write('warn', 'security is off on an address that others reach: everybody who connects may do everything');
    return null;
  }
  const chosen = securitySettings(settings);
  const security = await made({
    cluster,
    documents: createSecurityDocuments(cluster, coordinator, clock),
    clock,
    random,
    log,
    settings: chosen,
    readConfigFile: doors.readConfigFile,
    passwordDoors: doors.passwords,
    keySetAt: await doors.openKeySets(chosen.realms),
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
  void ensureFirstPassword({ cluster, nodeId, security, random, tell: doors.showPassword }).catch((error: unknown) =>
    log.write('error', 'elastic has no password yet', { error }),
  );
  return security;
}

/** Creates the calls by which other nodes use this node's security layer. */
export function securityCalls(security: Security | null): NodeCalls {
  return { [FORGET]: (body) => void security?.forget((body as { tags: readonly string[] | null }).tags) };
}

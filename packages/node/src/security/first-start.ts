import fs from 'node:fs';
import path from 'node:path';
import type { Log } from '@shoal/doors';
import { bindAddresses } from '../http/listen.js';
import { clusterFormation } from '../settings/cluster-formation.js';
import { ConfigurationError, type NodeSettings } from '../settings/load-settings.js';
import { reachesOut } from './security-settings.js';
import { FIRST_START_FILE } from './set-up-files.js';

const SSL = /^xpack\.security\.(http|transport)\.ssl\./;

/** Result of the security set-up: the node's settings, completed. */
export interface SetUp {
  readonly settings: NodeSettings;
  /** Whether this start made certificates. */
  readonly isNew: boolean;
}

/**
 * Sets TLS up at the first start of a node that is reachable from other machines and has no security settings. Writes
 * an authority, certificates and settings to `path.conf` once; later starts read them. Changes nothing for nodes on
 * loopback addresses, nodes of a manually configured cluster, and nodes with security settings.
 */
export async function setUpFirstStart(
  settings: NodeSettings,
  confFolder: string,
  nodeName: string,
  log: Log,
): Promise<SetUp> {
  if (!settings.boolean('xpack.security.autoconfiguration.enabled') || isConfigured(settings))
    return { settings, isNew: false };
  const file = path.join(confFolder, FIRST_START_FILE);
  if (fs.existsSync(file)) return { settings: settings.with(readSetUp(file)), isNew: false };
  if (settings.text('xpack.security.enabled') !== null || !reachesOut(settings) || clusterFormation(settings) !== null)
    return { settings, isNew: false };
  const { makeSetUp } = await import('./make-set-up.js');
  const made = makeSetUp(confFolder, {
    nodeName,
    bound: bindAddresses(settings, 'http'),
    isAlone: settings.text('discovery.type') === 'single-node',
  });
  log.write('info', 'TLS was set up: certificates and settings are in path.conf', { 'file.path': file });
  return { settings: settings.with(made), isNew: true };
}

/** Whether the configuration switches security off or has TLS settings of its own. */
function isConfigured(settings: NodeSettings): boolean {
  return (
    settings.text('xpack.security.enabled') === 'false' ||
    [...settings.below('xpack.security.').keys()].some((name) => SSL.test(name))
  );
}

function readSetUp(file: string): ReadonlyMap<string, string> {
  try {
    const { settings } = JSON.parse(fs.readFileSync(file, 'utf8')) as { settings: Record<string, string> };
    return new Map(Object.entries(settings));
  } catch (error) {
    throw new ConfigurationError(`[${file}], which the first start wrote, cannot be read: ${(error as Error).message}`);
  }
}

import fs from 'node:fs';
import path from 'node:path';
import type { Log } from '@shoal/doors';
import { bindAddresses } from '../http/listen.js';
import { clusterFormation } from '../settings/cluster-formation.js';
import { ConfigurationError, type NodeSettings } from '../settings/load-settings.js';
import { reachesOut } from './security-settings.js';
import { FIRST_START_FILE } from './set-up-files.js';

const SSL = /^xpack\.security\.(http|transport)\.ssl\./;

/** A node's settings after its first start was looked after. */
export interface SetUp {
  readonly settings: NodeSettings;
  /** Whether this start made certificates. */
  readonly isNew: boolean;
}

/**
 * Sets TLS up for a node that others reach and whose configuration says nothing about it: an authority, certificates
 * and settings in `path.conf`, once; later starts use what is there. Nodes on loopback addresses, nodes of a cluster
 * that is configured by hand and nodes with settings of their own are left as they are.
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

/** Whether the configuration itself says what it wants of security. */
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

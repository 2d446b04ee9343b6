import path from 'node:path';
import type { Clock, Log } from '@shoal/doors';
import type { IngestDatabases } from '@shoal/ingest';
import type { NodeCalls } from '../assembly/node-calls.js';
import type { NodeSettings } from '../settings/load-settings.js';
import { GeoFiles } from './geo-files.js';
import { readUserAgentFiles } from './user-agent-files.js';

/** The files of a node that processors look things up in. */
export interface IngestFiles {
  readonly databases: Omit<IngestDatabases, 'enrich'>;
  /** Answers other nodes about them. */
  readonly calls: NodeCalls;
  close(): void;
}

/**
 * Opens the databases of `shoal.geoip.path` and the expressions of `ingest-user-agent`, both in the folder of the
 * configuration `conf` unless set otherwise. Throws ConfigurationError for malformed expressions.
 */
export async function openIngestFiles(
  settings: NodeSettings,
  conf: string,
  doors: { readonly clock: Clock; readonly log: Log },
): Promise<IngestFiles> {
  const userAgents = readUserAgentFiles(path.join(conf, 'ingest-user-agent'));
  const geo = new GeoFiles({ folder: settings.text('shoal.geoip.path') ?? path.join(conf, 'ingest-geoip'), ...doors });
  await geo.start();
  return {
    databases: { userAgents, geo: geo.databases, inference: null },
    calls: { geoip_databases: () => ({ databases: geo.databases.names() }) },
    close: () => geo.close(),
  };
}

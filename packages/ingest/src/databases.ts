import { type EnrichSources, NO_ENRICH_SOURCES } from './enrich.js';
import { type GeoDatabases, LoadedGeoDatabases } from './geoip/geo-databases.js';
import type { InferenceModels } from './inference.js';
import { createUserAgents, type UserAgents } from './user-agent/user-agents.js';

/** What processors look things up in, besides the documents. */
export interface IngestDatabases {
  readonly userAgents: UserAgents;
  readonly geo: GeoDatabases;
  readonly enrich: EnrichSources;
  /** Trained models; null for a node without machine learning. */
  readonly inference: InferenceModels | null;
}

/** Makes the databases of a node without files of its own. */
export function noDatabases(): IngestDatabases {
  return {
    userAgents: createUserAgents(new Map()),
    geo: new LoadedGeoDatabases(),
    enrich: NO_ENRICH_SOURCES,
    inference: null,
  };
}

import { isApiError } from '@shoal/errors';
import type { ReadQuery } from '@shoal/mapping';
import { ANY_DOCUMENT, readStoredQuery, type Searcher } from '@shoal/query';
import type { Engine } from '../engine/engine.js';
import { searchSettings } from '../engine/shard-settings.js';

/** Returns what reads the queries that documents of a shard store. */
export function queryReader(engine: Engine): ReadQuery {
  let shard: Searcher | null = null;
  return (query, mapping) => readStoredQuery(query, { ...(shard ??= withoutDocuments(engine)), mapping });
}

function withoutDocuments({ metadata: { metadata, mapping, mappingOptions } }: Engine): Searcher {
  const settings = searchSettings(metadata.settings, () => null);
  const { analysis } = mappingOptions;
  return {
    ...{ index: metadata.name, indexUuid: metadata.uuid, shard: 0, mapping, analysis, settings },
    segments: [],
    maxDoc: 0,
    liveDocCount: 0,
    cache: { get: (_key, make) => make().value, find: () => undefined },
    stored() {
      throw new Error('there are no documents');
    },
  };
}

/**
 * As `queryReader`, for documents that were accepted before. The mapping of this copy may not have a field of the query
 * yet: the query is then looked at for every document.
 */
export function loggedQueryReader(engine: Engine): ReadQuery {
  const read = queryReader(engine);
  return (query, mapping) => {
    try {
      return read(query, mapping);
    } catch (error) {
      if (isApiError(error)) return [ANY_DOCUMENT];
      throw error;
    }
  };
}

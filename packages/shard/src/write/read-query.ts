import { isApiError } from '@shoal/errors';
import type { ReadQuery } from '@shoal/mapping';
import { ANY_DOCUMENT, readStoredQuery, type Searcher } from '@shoal/query';
import type { Engine } from '../engine/engine.js';
import { searchSettings } from '../engine/shard-settings.js';

/** Returns what reads the queries that documents of a shard store. */
export function queryReader({ metadata }: Engine): ReadQuery {
  let shard: Searcher | null = null;
  return (query, mapping) => readStoredQuery(query, { ...(shard ??= withoutDocuments(metadata)), mapping });
}

function withoutDocuments({ metadata, mapping, mappingOptions }: Engine['metadata']): Searcher {
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

/** Readers for the metadata of a shard, which is another object after each change. */
const loggedReaders = new WeakMap<Engine['metadata'], ReadQuery>();

/**
 * As `queryReader`, for documents that were accepted before. It is made once, however many operations are replayed. The
 * mapping of this copy may not have a field of the query yet: the query is then looked at for every document.
 */
export function loggedQueryReader(engine: Engine): ReadQuery {
  const known = loggedReaders.get(engine.metadata);
  if (known !== undefined) return known;
  const read = queryReader(engine);
  const forgiving: ReadQuery = (query, mapping) => {
    try {
      return read(query, mapping);
    } catch (error) {
      if (isApiError(error)) return [ANY_DOCUMENT];
      throw error;
    }
  };
  loggedReaders.set(engine.metadata, forgiving);
  return forgiving;
}

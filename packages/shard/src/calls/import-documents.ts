import { errors } from '@shoal/errors';
import { errorOf, shard } from '@shoal/protocol';
import type { Shard } from '../shard-api.js';
import type { ExportedDocument } from './export-documents.js';

/** `op` and `version_type` of write items that index a document with its given version. */
const INDEX = 0;
const EXTERNAL_GTE = 2;

function bulkOf(target: Shard, documents: readonly ExportedDocument[]): shard.BulkShardRequest {
  const sources: Buffer[] = [];
  let end = 0;
  const items = documents.map((document): shard.WriteItem => {
    const source = Buffer.from(document.source);
    sources.push(source);
    const start = end;
    end += source.length;
    return {
      op: INDEX,
      id: document.id,
      ...(document.routing === null ? {} : { routing: document.routing }),
      sourceStart: start,
      sourceEnd: end,
      versionType: EXTERNAL_GTE,
      version: document.version,
      autoId: false,
      retryOnConflict: 0,
    };
  });
  return {
    shard: { indexUuid: target.indexUuid, shard: target.id },
    indexName: target.index,
    refresh: 0,
    sources: Buffer.concat(sources),
    items,
  };
}

/**
 * Indexes documents of another shard with their versions. The mapping must have their fields already. Throws when a
 * document is refused.
 */
export async function importDocuments(target: Shard, documents: readonly ExportedDocument[]): Promise<void> {
  if (documents.length === 0) return;
  const response = await target.bulk(bulkOf(target, documents), { updateMapping: () => Promise.resolve() });
  const failed = response.items.find((item) => item.error !== undefined);
  if (failed) throw errors.illegalState('a document could not be copied', { cause: errorOf(failed.error!) });
}

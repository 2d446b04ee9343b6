import { type IndexMetadata, routeDocument } from '@shoal/cluster';
import type { Channel } from '@shoal/doors';
import { shard } from '@shoal/protocol';
import type { ExportedDocument, Shard } from '@shoal/shard';

/** `op` and `version_type` of write items that take over a document with its version. */
const INDEX = 0;
const EXTERNAL_GTE = 2;

async function readPage(peers: Channel, source: IndexMetadata, from: number, after: number): Promise<readonly ExportedDocument[]> {
  const request = shard.encodeShardCall({
    shard: { indexUuid: source.uuid, shard: from },
    indexName: source.name,
    action: 'export_documents',
    body: Buffer.from(JSON.stringify({ after })),
  });
  const answer = shard.decodeShardCallResponse(await peers.request('shard/call', request));
  return JSON.parse(Buffer.from(answer.body).toString('utf8')) as readonly ExportedDocument[];
}

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
  return { shard: { indexUuid: target.indexUuid, shard: target.id }, indexName: target.index, refresh: 0, sources: Buffer.concat(sources), items };
}

function failureOf(response: shard.BulkShardResponse): Error | null {
  const failed = response.items.find((item) => item.error !== undefined);
  return failed ? new Error(`a document of the source index could not be copied: ${Buffer.from(failed.error!).toString('utf8')}`) : null;
}

/**
 * Fills a shard of a shrunken, split or cloned index with those documents of the source that belong to it. The source takes no writes; the shard counts as
 * started only afterwards, so that a copy that is interrupted begins again.
 */
export async function copyDocuments(peers: Channel, source: IndexMetadata, index: IndexMetadata, target: Shard): Promise<void> {
  for (let from = 0; from < source.numberOfShards; from++) {
    let page = await readPage(peers, source, from, -1);
    while (page.length > 0) {
      const mine = page.filter((document) => routeDocument(index, document.id, document.routing) === target.id);
      if (mine.length > 0) {
        const failure = failureOf(await target.bulk(bulkOf(target, mine), { updateMapping: () => Promise.resolve() }));
        if (failure) throw failure;
      }
      page = await readPage(peers, source, from, page.at(-1)!.seqNo);
    }
  }
  await target.flush();
  target.refresh();
}

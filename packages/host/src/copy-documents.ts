import { type IndexMetadata, routeDocument } from '@shoal/state';
import { type Channel, sendMessage } from '@shoal/doors';
import { shard } from '@shoal/protocol';
import { type ExportedDocument, importDocuments, type Shard } from '@shoal/shard';

async function readPage(
  peers: Channel,
  source: IndexMetadata,
  from: number,
  after: number,
): Promise<readonly ExportedDocument[]> {
  const answer = await sendMessage(peers, shard.methods.call, {
    shard: { indexUuid: source.uuid, shard: from },
    indexName: source.name,
    action: 'export_documents',
    body: Buffer.from(JSON.stringify({ after })),
  });
  return JSON.parse(Buffer.from(answer.body).toString('utf8')) as readonly ExportedDocument[];
}

/**
 * Returns the source shards whose documents can belong to a shard. The number of shards of one index is a multiple of
 * the other's.
 */
function sourcesOf(source: IndexMetadata, index: IndexMetadata, id: number): number[] {
  if (index.numberOfShards >= source.numberOfShards)
    return [Math.floor(id / (index.numberOfShards / source.numberOfShards))];
  const factor = source.numberOfShards / index.numberOfShards;
  return Array.from({ length: factor }, (_, i) => id * factor + i);
}

/**
 * Copies the documents that belong to a shard of a shrunken, split or cloned index. `reach` returns the channel to a
 * copy of a source shard. The source accepts no writes. The shard counts as started only afterwards, so that an
 * interrupted copy begins again.
 */
export async function copyDocuments(
  reach: (shard: number) => Channel,
  source: IndexMetadata,
  index: IndexMetadata,
  target: Shard,
): Promise<void> {
  for (const from of sourcesOf(source, index, target.id)) {
    let page = await readPage(reach(from), source, from, -1);
    while (page.length > 0) {
      await importDocuments(
        target,
        page.filter((document) => routeDocument(index, document.id, document.routing) === target.id),
      );
      page = await readPage(reach(from), source, from, page.at(-1)!.seqNo);
    }
  }
  await target.flush();
  target.refresh();
}

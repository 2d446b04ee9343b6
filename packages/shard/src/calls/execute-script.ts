import { readSource } from '@shoal/json';
import { mappingOptions, parseDocument } from '@shoal/mapping';
import { runOnDocument, type Searcher, type SearchScript, type StoredDocument, withRuntime } from '@shoal/query';
import { createIndexBuffer } from '../buffer/index-buffer.js';
import type { Shard } from '../shard-api.js';

interface ExecuteBody {
  /** JSON text of a `SearchScript`. */
  readonly script: string;
  /** JSON text of the document. */
  readonly document: string;
  readonly query: unknown;
  readonly nowMs: number;
}

const ID = '_id';

/** Returns a searcher over one document that is nowhere stored, with mapping and settings of a shard. */
function searcherOver(shard: Searcher, source: Uint8Array, nowMs: number): Searcher {
  const { parts } = parseDocument(shard.mapping, source, { id: ID, nowMs }, mappingOptions({}, shard.analysis));
  const buffer = createIndexBuffer('_document');
  buffer.add(parts, { id: ID, seqNo: 0, primaryTerm: 1, version: 1 });
  const { docCount } = buffer;
  const stored: StoredDocument = { id: ID, routing: null, source, seqNo: 0, primaryTerm: 1, version: 1 };
  const { index, indexUuid, shard: number, mapping, analysis, settings } = shard;
  const view = {
    reader: buffer.snapshot(),
    live: null,
    docBase: 0,
    maxDoc: docCount,
    liveCount: docCount,
    version: '_document',
  };
  return withRuntime({
    ...{ index, indexUuid, shard: number, mapping, analysis, settings },
    segments: [view],
    maxDoc: docCount,
    liveDocCount: 1,
    // Nothing is kept: the segment has the name of every other such document.
    cache: { get: (_key, make) => make().value, find: () => undefined },
    stored: () => stored,
  });
}

/**
 * Runs a script on a document that is nowhere stored, as `_scripts/painless/_execute` asks: `{result, emitted}`. Fields
 * that the mapping does not have are not there for the script.
 */
export async function executeScript(shard: Shard, body: unknown): Promise<unknown> {
  const { script, document, query, nowMs } = body as ExecuteBody;
  const lease = shard.acquire();
  try {
    const searcher = searcherOver(lease.searcher, Buffer.from(document), nowMs);
    const segment = searcher.segments[0]!;
    const given = readSource(Buffer.from(script)) as unknown as SearchScript;
    return runOnDocument(given, { searcher, segment, doc: searcher.maxDoc - 1 }, query, nowMs);
  } finally {
    lease.release();
  }
}

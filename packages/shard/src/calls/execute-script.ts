import { readSource } from '@shoal/json';
import { runOnDocument, type SearchScript } from '@shoal/query';
import { indexDocuments } from '../read/index-documents.js';
import type { Shard } from '../shard-api.js';

interface ExecuteBody {
  /** JSON text of a `SearchScript`. */
  readonly script: string;
  /** JSON text of the document. */
  readonly document: string;
  readonly query: unknown;
  readonly nowMs: number;
}

/**
 * Runs a script on a document that is nowhere stored, as `_scripts/painless/_execute` asks: `{result, emitted}`. Fields
 * that the mapping does not have are not there for the script.
 */
export async function executeScript(shard: Shard, body: unknown): Promise<unknown> {
  const { script, document, query, nowMs } = body as ExecuteBody;
  const lease = shard.acquire();
  try {
    const searcher = indexDocuments(lease.searcher, [Buffer.from(document)], nowMs);
    const segment = searcher.segments[0]!;
    const given = readSource(Buffer.from(script)) as unknown as SearchScript;
    return runOnDocument(given, { searcher, segment, doc: searcher.maxDoc - 1 }, query, nowMs);
  } finally {
    lease.release();
  }
}

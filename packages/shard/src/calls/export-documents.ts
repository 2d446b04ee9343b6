import type { Searcher, SegmentView } from '@shoal/query';
import type { Shard } from '../shard-api.js';

/** Request for one page of a shard's live documents, in order of sequence number. */
export interface ExportRequest {
  /** Sequence number of the last document of the previous page; -1 for the first page. */
  readonly after: number;
}

/** A document as it is copied to another shard. */
export interface ExportedDocument {
  readonly id: string;
  readonly routing: string | null;
  readonly version: number;
  readonly seqNo: number;
  /** JSON text as it was indexed. */
  readonly source: string;
}

const DOCUMENTS_MAX = 2000;
const PAGE_BYTES_MAX = 4 << 20;

/** A live document to export; `doc` is numbered over the whole searcher. */
export interface Candidate {
  readonly seqNo: number;
  readonly doc: number;
}

function gather(view: SegmentView, into: Candidate[]): void {
  const { reader, live, docBase, maxDoc } = view;
  const column = reader.numbers('_seq_no');
  if (!column) return;
  const seqNos = new Float64Array(maxDoc);
  column.readRange(0, maxDoc, seqNos);
  for (let doc = 0; doc < maxDoc; doc++) {
    if ((reader.roots && !reader.roots.get(doc)) || (live && !live.get(doc))) continue;
    into.push({ seqNo: seqNos[doc]!, doc: docBase + doc });
  }
}

/** Returns the live documents in order of sequence number. */
export function liveDocuments(searcher: Searcher): readonly Candidate[] {
  const candidates: Candidate[] = [];
  for (const view of searcher.segments) gather(view, candidates);
  return candidates.sort((a, b) => a.seqNo - b.seqNo);
}

/** Returns as many documents from `start` on as fit into a page; at least one. */
export function readPage(searcher: Searcher, candidates: readonly Candidate[], start: number): ExportedDocument[] {
  const page: ExportedDocument[] = [];
  let bytes = 0;
  for (let i = start; i < candidates.length && page.length < DOCUMENTS_MAX && bytes <= PAGE_BYTES_MAX; i++) {
    const { doc, seqNo } = candidates[i]!;
    const { id, routing, version, source } = searcher.stored(doc);
    page.push({
      id,
      routing,
      version,
      seqNo,
      source: Buffer.from(source.buffer, source.byteOffset, source.length).toString('utf8'),
    });
    bytes += source.length;
  }
  return page;
}

/** Documents of exports that have more pages: gathering and sorting them anew for each page would be quadratic. */
const exported = new WeakMap<Searcher, readonly Candidate[]>();

/** Position of the first document after a sequence number. */
function firstAfter(candidates: readonly Candidate[], after: number): number {
  let [low, high] = [0, candidates.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (candidates[middle]!.seqNo <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns the next page of documents after a sequence number; an empty page marks the end. Meant for indices that take
 * no writes, from which a resize copies.
 */
export async function exportDocuments(shard: Shard, body: unknown): Promise<readonly ExportedDocument[]> {
  shard.refresh();
  const lease = shard.acquire();
  const { searcher } = lease;
  try {
    const all = exported.get(searcher) ?? liveDocuments(searcher);
    const start = firstAfter(all, (body as ExportRequest).after);
    const page = readPage(searcher, all, start);
    if (page.length > 0) exported.set(searcher, all);
    else exported.delete(searcher);
    return page;
  } finally {
    lease.release();
  }
}

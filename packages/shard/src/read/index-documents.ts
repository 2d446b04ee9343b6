import { mappingOptions, parseDocument } from '@shoal/mapping';
import { type IndexDocuments, type Searcher, type SegmentView, type StoredDocument, withRuntime } from '@shoal/query';
import { createIndexBuffer } from '../buffer/index-buffer.js';

/** Id of every document that is nowhere stored. */
const ID = '_id';
/** Name of the segment that such documents are in. */
const SEGMENT = '_document';

/** Returns a searcher over documents that are nowhere stored, with mapping and settings of a shard. */
export const indexDocuments: IndexDocuments = (shard, sources, nowMs) => {
  const options = mappingOptions({}, shard.analysis);
  const buffer = createIndexBuffer(SEGMENT);
  const stored: StoredDocument[] = [];
  for (const source of sources) {
    const { parts } = parseDocument(shard.mapping, source, { id: ID, nowMs }, options);
    const document = { id: ID, routing: null, source, seqNo: stored.length, primaryTerm: 1, version: 1 };
    // Nested objects have the numbers before that of their document.
    for (const part of parts) stored.push({ ...document, ...(part.nestedPath === null ? {} : { source: NOTHING }) });
    buffer.add(parts, document);
  }
  const { docCount } = buffer;
  const view: SegmentView = {
    reader: buffer.snapshot(),
    live: null,
    docBase: 0,
    maxDoc: docCount,
    liveCount: docCount,
    version: SEGMENT,
  };
  const { index, indexUuid, shard: number, mapping, analysis, settings } = shard;
  return withRuntime({
    ...{ index, indexUuid, shard: number, mapping, analysis, settings },
    segments: [view],
    maxDoc: docCount,
    liveDocCount: sources.length,
    cache: NO_CACHE,
    stored: (doc) => stored[doc]!,
  });
};

const NOTHING = new Uint8Array(0);

/** Nothing is kept: the segment has the name of every other of such documents. */
const NO_CACHE: Searcher['cache'] = { get: (_key, make) => make().value, find: () => undefined };

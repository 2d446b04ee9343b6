import { errors } from '@shoal/errors';
import type { Searcher, SearchSettings, SegmentView, StoredDocument } from '@shoal/query';
import { bitSetOver, type NumberColumn, openSegment, type SegmentReader } from '@shoal/segments';
import type { SegmentBytes, StoreReader } from '@shoal/store';
import { metadataSettings } from '../engine/shard-settings.js';
import { indexDocuments } from '../read/index-documents.js';
import { storedDocument } from '../read/stored-document.js';
import type { ShardMetadata } from '../shard-metadata.js';
import type { SealedViewPart, ViewSearch } from './sealed-view.js';

/** A segment that is opened by a second handle, with the number of views that read it. */
interface OpenSegment {
  readonly reader: SegmentReader;
  readonly bytes: SegmentBytes;
  holders: number;
}

const keyOf = ({ segment, rootHash }: SealedViewPart): string =>
  `${segment} ${Buffer.from(rootHash).toString('latin1')}`;

/** The segments of one shard that views of another thread read: opened with the first view, closed with the last. */
export class OpenSegments {
  readonly #store: StoreReader;
  /** By number and root hash: after a rollback another segment may have the number. */
  readonly #open = new Map<string, OpenSegment>();

  constructor(store: StoreReader) {
    this.#store = store;
  }

  hold(part: SealedViewPart): SegmentReader {
    const { segment, rootHash } = part;
    const key = keyOf(part);
    let open = this.#open.get(key);
    if (open === undefined) {
      const bytes = this.#store.segment(segment, rootHash);
      open = { reader: openSegment(bytes), bytes, holders: 0 };
      this.#open.set(key, open);
    }
    open.holders++;
    return open.reader;
  }

  release(part: SealedViewPart): void {
    const key = keyOf(part);
    const open = this.#open.get(key);
    if (open === undefined || --open.holders > 0) return;
    this.#open.delete(key);
    open.bytes.release();
  }
}

/** Returns the segments of a view, whose parts `segments` then hold. */
export function segmentViewsOf(parts: readonly SealedViewPart[], segments: OpenSegments): SegmentView[] {
  const views: SegmentView[] = [];
  let docBase = 0;
  for (const part of parts) {
    const { live, maxDoc, liveCount, version } = part;
    const reader = segments.hold(part);
    views.push({ reader, live: live === null ? null : bitSetOver(live, maxDoc), docBase, maxDoc, liveCount, version });
    docBase += maxDoc;
  }
  return views;
}

/** A searcher over a view of a shard that another thread holds. */
export class ViewSearcher implements Searcher {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly mapping: Searcher['mapping'];
  readonly analysis: Searcher['analysis'];
  readonly settings: SearchSettings;
  readonly cache: Searcher['cache'];
  readonly segments: readonly SegmentView[];
  readonly maxDoc: number;
  readonly liveDocCount: number;
  readonly indexDocuments = indexDocuments;
  readonly #store: StoreReader;
  readonly #seqNoColumns = new Map<SegmentReader, NumberColumn>();
  readonly #doc = new Int32Array(1);
  readonly #seqNo = new Float64Array(1);

  constructor(
    metadata: ShardMetadata,
    view: { readonly segments: readonly SegmentView[]; readonly liveDocCount: number },
    shard: ViewSearch['shard'],
    store: StoreReader,
    cache: Searcher['cache'],
  ) {
    this.index = metadata.metadata.name;
    this.indexUuid = metadata.metadata.uuid;
    this.shard = shard;
    this.mapping = metadata.mapping;
    this.analysis = metadata.mappingOptions.analysis;
    this.settings = metadataSettings(metadata);
    this.cache = cache;
    this.segments = view.segments;
    this.maxDoc = view.segments.reduce((sum, { maxDoc }) => sum + maxDoc, 0);
    this.liveDocCount = view.liveDocCount;
    this.#store = store;
  }

  stored(globalDoc: number): StoredDocument {
    const segment = this.segments.findLast(({ docBase }) => docBase <= globalDoc)!;
    const seqNo = this.#seqNoAt(segment.reader, globalDoc - segment.docBase);
    const operation = this.#store.operation(seqNo);
    // Not damage by itself: the owner may not have written it yet.
    if (operation === undefined) throw errors.illegalState(`operation [${seqNo}] of a document is not in the store`);
    return storedDocument(operation, this.mapping);
  }

  #seqNoAt(reader: SegmentReader, doc: number): number {
    let column = this.#seqNoColumns.get(reader);
    if (column === undefined) {
      const made = reader.numbers('_seq_no');
      if (made === null) throw errors.corruption('segment without sequence numbers');
      this.#seqNoColumns.set(reader, (column = made));
    }
    this.#doc[0] = doc;
    column.read(this.#doc, 1, this.#seqNo);
    return this.#seqNo[0]!;
  }
}

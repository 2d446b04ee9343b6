import { errors } from '@shoal/errors';
import type { Searcher, SearchSettings, SegmentView, StoredDocument } from '@shoal/query';
import type { CountSearch, RequestCache, SearcherLease } from '../shard-api.js';
import type { ShardMetadata } from '../shard-metadata.js';
import type { FieldUsage } from '../stats/field-usage.js';
import { storedDocument } from '../read/stored-document.js';
import type { Engine } from './engine.js';
import type { Part, SealedPart } from './part.js';
import type { BoundedCache } from './searcher-cache.js';
import type { SealedView, SealedViewPart } from '../views/sealed-view.js';
import { indexDocuments } from '../read/index-documents.js';
import { metadataSettings } from './shard-settings.js';

/** A point-in-time view of the shard, shared by all searchers of that moment. */
class View {
  readonly segments: readonly SegmentView[];
  readonly parts: readonly SealedPart[];
  readonly maxDoc: number;
  readonly liveDocCount: number;
  /** Operations above this number are not in the view. */
  readonly maxSeqNo: number;
  /** `Engine.rollbacks` when the view was made. */
  readonly rollbacks: number;
  holders = 1;
  #sealedParts: readonly SealedViewPart[] | null | undefined;

  constructor(engine: Engine) {
    const parts = engine.parts();
    this.segments = segmentViews(parts);
    this.parts = parts.filter((part) => part.kind === 'sealed');
    this.maxDoc = this.segments.reduce((sum, view) => sum + view.maxDoc, 0);
    this.liveDocCount = parts.reduce((sum, part) => sum + part.liveRoots, 0);
    this.maxSeqNo = engine.maxSeqNo;
    this.rollbacks = engine.rollbacks;
    for (const part of this.parts) part.holders++;
  }

  /** The parts as messages describe them; null if documents are in a buffer. */
  get sealedParts(): readonly SealedViewPart[] | null {
    if (this.#sealedParts === undefined) this.#sealedParts = this.#describeParts();
    return this.#sealedParts;
  }

  #describeParts(): readonly SealedViewPart[] | null {
    const parts = this.parts.filter(({ maxDoc }) => maxDoc > 0);
    if (parts.length < this.segments.length) return null;
    return this.segments.map(({ live, maxDoc, liveCount, version }, i) => {
      const { segment, rootHash } = parts[i]!;
      return { segment, rootHash, maxDoc, live: live === null ? null : live.words, liveCount, version };
    });
  }

  /** Returns the segment that contains a document of the whole view. */
  segmentOf(doc: number): SegmentView {
    let low = 0;
    let high = this.segments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.segments[middle]!.docBase <= doc) low = middle;
      else high = middle - 1;
    }
    return this.segments[low]!;
  }
}

function segmentView(part: Part, docBase: number): SegmentView {
  const maxDoc = part.maxDoc;
  const live = part.kind === 'sealed' ? part.shareLive() : part.shareLive(maxDoc);
  const { reader } = part;
  const name = part.kind === 'sealed' ? reader.id : part.id;
  return {
    reader,
    live,
    docBase,
    maxDoc,
    liveCount: maxDoc - part.deletedDocs,
    version: `${name}.${maxDoc}.${part.changes}`,
  };
}

function segmentViews(parts: readonly Part[]): SegmentView[] {
  const views: SegmentView[] = [];
  let docBase = 0;
  for (const part of parts) {
    if (part.maxDoc === 0) continue;
    views.push(segmentView(part, docBase));
    docBase += part.maxDoc;
  }
  return views;
}

class ShardSearcher implements Searcher {
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
  readonly #view: View;
  readonly #engine: Engine;

  constructor(engine: Engine, view: View, shard: number, cache: Searcher['cache'], settings: SearchSettings) {
    const { metadata, mapping, mappingOptions } = engine.metadata;
    this.index = metadata.name;
    this.indexUuid = metadata.uuid;
    this.shard = shard;
    this.mapping = mapping;
    this.analysis = mappingOptions.analysis;
    this.settings = settings;
    this.cache = cache;
    this.segments = view.segments;
    this.maxDoc = view.maxDoc;
    this.liveDocCount = view.liveDocCount;
    this.#view = view;
    this.#engine = engine;
  }

  stored(globalDoc: number): StoredDocument {
    const segment = this.#view.segmentOf(globalDoc);
    const seqNo = this.#engine.seqNoAt(segment.reader, globalDoc - segment.docBase);
    // After a rollback another operation may have this number.
    const isGone = this.#view.rollbacks !== this.#engine.rollbacks && seqNo > this.#engine.rolledBackTo;
    if (isGone) throw errors.illegalState(`operation [${seqNo}] was rolled back under an open reader`);
    const operation = this.#engine.operation(seqNo);
    return storedDocument(operation, this.mapping);
  }
}

/** Hands out searchers and keeps the parts that they read until they are released. */
export class Searchers {
  readonly #engine: Engine;
  readonly #shard: number;
  readonly #cache: BoundedCache;
  readonly #requestCache: RequestCache;
  readonly #onRelease: (part: SealedPart) => void;
  readonly #countSearch: CountSearch;
  readonly #fieldUsage: FieldUsage;
  readonly #views = new Set<View>();
  #current: View;
  #searcher: ShardSearcher | null = null;
  #metadata: ShardMetadata | null = null;
  #settings: SearchSettings | null = null;
  #staysHere = false;

  /** `onRelease` is called when nothing holds a part any more. */
  constructor(
    engine: Engine,
    shard: number,
    cache: BoundedCache,
    requestCache: RequestCache,
    onRelease: (part: SealedPart) => void,
    countSearch: CountSearch,
    fieldUsage: FieldUsage,
  ) {
    this.#engine = engine;
    this.#shard = shard;
    this.#cache = cache;
    this.#requestCache = requestCache;
    this.#onRelease = onRelease;
    this.#countSearch = countSearch;
    this.#fieldUsage = fieldUsage;
    this.#current = this.#open();
  }

  #open(): View {
    const view = new View(this.#engine);
    this.#views.add(view);
    return view;
  }

  /** From now on no view is described for other threads: the store is closed, or segments are not in it. */
  stayHere(): void {
    this.#staysHere = true;
  }

  /** Makes everything applied so far visible to later searchers. */
  refresh(): void {
    const old = this.#current;
    this.#engine.isDirty = false;
    this.#current = this.#open();
    this.#searcher = null;
    this.#letGo(old);
  }

  get current(): {
    readonly segments: readonly SegmentView[];
    readonly liveDocCount: number;
    readonly maxSeqNo: number;
  } {
    return this.#current;
  }

  acquire(): SearcherLease {
    const view = this.#current;
    const searcher = this.#searcherOf(view);
    const { metadata } = this.#engine;
    view.holders++;
    let isHeld = true;
    return {
      searcher,
      requestCache: this.#requestCache,
      countSearch: this.#countSearch,
      fieldUsage: this.#fieldUsage,
      sealed: () => this.#sealedView(view, metadata),
      release: () => {
        if (isHeld) this.#letGo(view);
        isHeld = false;
      },
    };
  }

  #sealedView(view: View, metadata: ShardMetadata): SealedView | null {
    if (view.sealedParts === null || this.#staysHere) return null;
    const { rollbacks, sealedParts: parts, liveDocCount } = view;
    const engine = this.#engine;
    return {
      location: engine.store.location,
      shard: this.#shard,
      rollbacks,
      parts,
      liveDocCount,
      metadata,
      isCurrent: () => engine.rollbacks === rollbacks,
      countCached: (hits, misses) => {
        this.#cache.values.hits += hits;
        this.#cache.values.misses += misses;
      },
    };
  }

  #searcherOf(view: View): ShardSearcher {
    const { metadata } = this.#engine;
    if (this.#searcher !== null && this.#metadata === metadata) return this.#searcher;
    if (this.#settings === null || this.#metadata !== metadata) this.#settings = metadataSettings(metadata);
    this.#metadata = metadata;
    this.#searcher = new ShardSearcher(this.#engine, view, this.#shard, this.#cache, this.#settings);
    return this.#searcher;
  }

  #letGo(view: View): void {
    view.holders--;
    if (view.holders > 0) return;
    this.#views.delete(view);
    for (const part of view.parts) this.release(part);
  }

  release(part: SealedPart): void {
    part.holders--;
    if (part.holders === 0) this.#onRelease(part);
  }

  /**
   * Returns the lowest `maxSeqNo` of all open views. No searcher sees an operation that was superseded up to this
   * number.
   */
  unpinnedSeqNo(): number {
    let lowest = Number.POSITIVE_INFINITY;
    for (const view of this.#views) lowest = Math.min(lowest, view.maxSeqNo);
    return lowest;
  }

  get openCount(): number {
    let count = 0;
    for (const view of this.#views) count += view.holders;
    return count - 1;
  }
}

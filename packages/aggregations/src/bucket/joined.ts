import { errors } from '@shoal/errors';
import type { Counts } from '../collect/counts.js';
import type { JoinRelations } from '@shoal/mapping';
import {
  type GlobalOrdinals,
  globalOrdinals,
  parseQuery,
  type ParsedQuery,
  type SegmentView,
  type Weight,
  windowEnd,
} from '@shoal/query';
import { WINDOW_DOCS } from '@shoal/segments';
import type { Aggregator, AggregationType, BuildSite, ParseSite, SubAggregators } from '../aggregation-type.js';
import { docFilter } from '../collect/doc-filter.js';
import { addPair, type BucketCounts, growPairs, pairs, resetPairs } from '../collect/pairs.js';
import { tokenName } from '../parse/body-fields.js';
import { NO_KIND } from '../source/value-kinds.js';
import { JoinedIds } from './joined-ids.js';
import { keepPairs, reduceSingle, type SinglePartial, singlePartial } from './single-bucket.js';

/** Which documents are collected, and which ones with their ids are in the bucket. */
interface Sides {
  /** Field of the ids. */
  readonly field: string;
  readonly from: Weight;
  readonly to: Weight;
}

/** Returns the relations of the collected documents and of those in the bucket; null for an unknown child. */
type Direction = (relations: JoinRelations, child: string) => { readonly from: string; readonly to: string } | null;

function joinedType(name: 'children' | 'parent', direction: Direction): AggregationType<SinglePartial> {
  return {
    name,
    valueKinds: NO_KIND,
    profileName: name === 'children' ? 'ParentToChildrenAggregator' : 'ChildrenToParentAggregator',
    parse(site) {
      const child = readChild(site);
      return {
        acceptsSubs: true,
        needsAllShards: false,
        shape: 'single',
        collector(build) {
          const sides = sidesOf(build, site, child, direction);
          return sides === null ? withoutDocuments(build) : joined(build, sides);
        },
        reduce: (partials, reduceSite) => reduceSingle(name, partials, reduceSite),
      };
    },
  };
}

/** Reads the body, which 8.12 parses by hand: the relation of the children. */
function readChild({ body, name, type }: ParseSite): string {
  for (const [key, value] of Object.entries(body)) {
    const location = { container: body, key };
    if (typeof value !== 'string')
      throw errors.parsing(`Unexpected token ${tokenName(value)} in [${name}].`, { location });
    if (key !== 'type') throw errors.parsing(`Unknown key for a VALUE_STRING in [${name}]: [${key}].`, { location });
  }
  if (body['type'] === undefined)
    throw errors.parsing(`Missing [child_type] field for ${type} aggregation [${name}]`, {
      location: { container: body, at: 'end' },
    });
  return body['type'] as string;
}

function sidesOf({ context }: BuildSite, site: ParseSite, child: string, direction: Direction): Sides | null {
  const relations = context.searcher.mapping.join;
  const found = relations === null ? null : direction(relations, child);
  if (relations === null || found === null) return null;
  const weight = (relation: string): Weight => context.weight(relationQuery(relations, relation, site), null);
  const field = relations.idField(relations.parentOf.get(child)!);
  return { field, from: weight(found.from), to: weight(found.to) };
}

function relationQuery({ field }: JoinRelations, relation: string, { context }: ParseSite): ParsedQuery {
  return parseQuery({ term: { [field]: relation } }, context);
}

function withoutDocuments(build: BuildSite): Aggregator<SinglePartial> {
  const subs = build.subs(null);
  return {
    segment: () => {},
    reserve: () => {},
    collect: () => {},
    partial: (bucket) => singlePartial(new Int32Array(0), bucket, subs),
  };
}

/**
 * Gathers the ids of the collected documents by bucket. After the last segment it goes over the documents of the other
 * relation in all segments and passes those with gathered ids to the sub-aggregations.
 */
function joined(build: BuildSite, sides: Sides): Aggregator<SinglePartial> {
  const { context } = build;
  const ordinals = globalOrdinals(context.searcher, sides.field);
  const ids = new JoinedIds(ordinals.count, context.charge);
  const readers = new OrdinalReader(sides.field, ordinals);
  const from = docFilter(sides.from, context.scratch);
  const state = { isDirty: false };
  build.afterSegments(async () => {
    if (!state.isDirty) return;
    state.isDirty = false;
    for (const _ of replay.steps()) await context.pause?.();
  });
  const replay = new Replay(build, sides, ids, readers);
  return {
    segment(view) {
      from.segment(view);
      readers.segment(view);
    },
    reserve: (buckets) => replay.reserve(buckets),
    collect(docs, buckets, count) {
      const kept = from.filter(docs, count);
      const own = readers.read(from.kept, kept);
      for (let i = 0, k = 0; i < count && k < kept; i++) {
        while (k < kept && from.kept[k]! < docs[i]!) k++;
        if (k === kept || from.kept[k] !== docs[i] || own[k]! < 0) continue;
        ids.add(own[k]!, buckets === null ? 0 : buckets[i]!);
        state.isDirty = true;
      }
    },
    partial(bucket) {
      // Documents that another aggregation replayed before come after the pass over the segments.
      if (state.isDirty) for (const _ of replay.steps());
      state.isDirty = false;
      return singlePartial(replay.counts, bucket, replay.subs);
    },
  };
}

/** Reads the global ordinals of ids, -1 for documents without one. */
class OrdinalReader {
  readonly #field: string;
  readonly #ordinals: GlobalOrdinals;
  #read: ((docs: Int32Array, count: number, out: Int32Array) => void) | null = null;
  #out = new Int32Array(WINDOW_DOCS);

  constructor(field: string, ordinals: GlobalOrdinals) {
    this.#field = field;
    this.#ordinals = ordinals;
  }

  segment(view: SegmentView): void {
    const column = view.reader.ordinals(this.#field);
    const map = this.#ordinals.map(view);
    this.#read =
      column &&
      ((docs, count, out) => {
        column.read(docs, count, out);
        if (map !== null) for (let i = 0; i < count; i++) if (out[i]! >= 0) out[i] = map[out[i]!]!;
      });
  }

  /** Returns an array that is valid until the next call. */
  read(docs: Int32Array, count: number): Int32Array {
    if (this.#out.length < count) this.#out = new Int32Array(count);
    if (this.#read === null) this.#out.fill(-1, 0, count);
    else this.#read(docs, count, this.#out);
    return this.#out;
  }
}

/** The pass over the documents of the other relation. */
class Replay {
  readonly subs: SubAggregators;
  readonly #build: BuildSite;
  readonly #sides: Sides;
  readonly #ids: JoinedIds;
  readonly #readers: OrdinalReader;
  readonly #state: BucketCounts = { counts: new Int32Array(0) };
  #reserved = 1;

  constructor(build: BuildSite, sides: Sides, ids: JoinedIds, readers: OrdinalReader) {
    this.#build = build;
    this.#sides = sides;
    this.#ids = ids;
    this.#readers = readers;
    this.subs = build.subs(null);
  }

  /** Documents of each bucket. */
  get counts(): Counts {
    return this.#state.counts;
  }

  reserve(buckets: number): void {
    this.#reserved = Math.max(this.#reserved, buckets);
  }

  /** Goes over the segments window by window. */
  *steps(): Generator<void> {
    const docs = new Int32Array(WINDOW_DOCS);
    for (const view of this.#build.context.searcher.segments) {
      const matcher = this.#sides.to.matcher(view, false);
      if (matcher === null) continue;
      this.#readers.segment(view);
      this.subs.segment(view);
      for (let at = matcher.next(0); at < view.maxDoc; at = matcher.next(windowEnd(at, view.maxDoc))) {
        this.#collect(view, docs, matcher.window(at, windowEnd(at, view.maxDoc), docs, null));
        yield;
      }
    }
  }

  #collect({ live }: SegmentView, docs: Int32Array, count: number): void {
    const list = pairs(this.#build.context.scratch);
    resetPairs(list, count);
    const own = this.#readers.read(docs, count);
    for (let i = 0; i < count; i++) {
      if (own[i]! < 0 || (live !== null && !live.get(docs[i]!))) continue;
      for (let entry = this.#ids.first(own[i]!); entry >= 0; entry = this.#ids.next(entry)) {
        if (list.count === list.docs.length) growPairs(list);
        addPair(list, docs[i]!, this.#ids.bucket(entry), 1);
      }
    }
    if (list.count > 0) keepPairs(list, this.#state, this.subs, true, this.#reserved, null);
  }
}

/** `children`: the children of one relation of the collected documents. */
export const children: AggregationType<SinglePartial> = joinedType('children', (relations, child) => {
  const parent = relations.parentOf.get(child);
  return parent === undefined ? null : { from: parent, to: child };
});

/** `parent`: the parents of the collected documents of one relation. */
export const parent: AggregationType<SinglePartial> = joinedType('parent', (relations, child) => {
  const own = relations.parentOf.get(child);
  return own === undefined ? null : { from: child, to: own };
});

import { stringify } from '@shoal/json';
import { NO_CAPABILITIES, type FieldType, type Mapping } from '@shoal/mapping';
import { type ParsedQuery, parseContext, Scratch, type Searcher, type SegmentView, type Weight } from '@shoal/query';
import {
  bitSet,
  type ColumnKind,
  type GeoColumn,
  type NumberColumn,
  type OrdinalColumn,
  type SegmentReader,
  WINDOW_DOCS,
} from '@shoal/segments';
import { compareTerms } from '@shoal/values';
import { createShardCollector } from '../collect/shard-collector.js';
import type { CollectContext } from '../collector.js';
import type { AggregationTree } from '../aggregation-type.js';
import { parseAggregations } from '../parse/parse-tree.js';
import { reduceAggregations } from '../reduce/reduce.js';

/** A document of the fake index: values by field. */
export type FakeDoc = Readonly<Record<string, readonly (number | string)[]>>;

/** Fields of the fake index. */
export const FAKE_FIELDS: Readonly<
  Record<string, { readonly column: ColumnKind; readonly kind: FieldType['valueKind']; readonly type: string }>
> = {
  n: { column: 'long', kind: 'long', type: 'long' },
  d: { column: 'double', kind: 'double', type: 'double' },
  k: { column: 'ordinals', kind: 'keyword', type: 'keyword' },
  t: { column: 'long', kind: 'date', type: 'date' },
  b: { column: 'long', kind: 'boolean', type: 'boolean' },
};

const sortedNumbers = (doc: FakeDoc, field: string): number[] =>
  [...((doc[field] ?? []) as readonly number[])].sort((a, b) => a - b);

function numberColumn(docs: readonly FakeDoc[], field: string): NumberColumn {
  const values = docs.map((doc) => sortedNumbers(doc, field));
  const all = values.flat();
  const first = (doc: number): number => values[doc]![0] ?? Number.NaN;
  return {
    kind: FAKE_FIELDS[field]!.column as 'long',
    isSingleValued: values.every((own) => own.length <= 1),
    docsWithField: values.filter((own) => own.length > 0).length,
    valueCount: all.length,
    isExact: true,
    min: Math.min(...all),
    max: Math.max(...all),
    nextDocWithField: () => 0,
    read: (wanted, count, out) => {
      for (let i = 0; i < count; i++) out[i] = first(wanted[i]!);
    },
    readRange: (from, to, out) => {
      for (let doc = from; doc < to; doc++) out[doc - from] = first(doc);
    },
    readAll: (wanted, count, out) => {
      const lists = Array.from({ length: count }, (_, i) => values[wanted[i]!]!);
      fill(lists, out);
    },
    bigs: (doc) => values[doc]!.map(BigInt),
    blockBounds(doc) {
      const block = values.slice(doc - (doc % WINDOW_DOCS), doc - (doc % WINDOW_DOCS) + WINDOW_DOCS).flat();
      return block.length === 0 ? null : { min: Math.min(...block), max: Math.max(...block) };
    },
  };
}

function fill(
  lists: readonly (readonly number[])[],
  out: { starts: Int32Array; values: Float64Array | Int32Array },
): void {
  out.starts = new Int32Array(lists.length + 1);
  lists.forEach((list, i) => (out.starts[i + 1] = out.starts[i]! + list.length));
  out.values = out.values instanceof Int32Array ? Int32Array.from(lists.flat()) : Float64Array.from(lists.flat());
}

function ordinalColumn(docs: readonly FakeDoc[], field: string, isSealed: boolean): OrdinalColumn {
  const seen = [...new Set(docs.flatMap((doc) => (doc[field] ?? []) as readonly string[]))];
  const terms = isSealed ? seen.sort(compareTerms) : seen;
  const byTerm = [...terms].sort(compareTerms);
  const values = docs.map((doc) =>
    byTerm.filter((term) => doc[field]?.includes(term)).map((term) => terms.indexOf(term)),
  );
  const first = (doc: number): number => values[doc]![0] ?? -1;
  return {
    isSingleValued: values.every((own) => own.length <= 1),
    docsWithField: values.filter((own) => own.length > 0).length,
    valueCount: values.flat().length,
    ordinalCount: terms.length,
    nextDocWithField: () => 0,
    read: (wanted, count, out) => {
      for (let i = 0; i < count; i++) out[i] = first(wanted[i]!);
    },
    readRange: (from, to, out) => {
      for (let doc = from; doc < to; doc++) out[doc - from] = first(doc);
    },
    readAll: (wanted, count, out) =>
      fill(
        Array.from({ length: count }, (_, i) => values[wanted[i]!]!),
        out,
      ),
    term: (ordinal) => terms[ordinal]!,
    lookup: (term) => terms.indexOf(term),
    ranks: () => (isSealed ? null : Int32Array.from(terms, (term) => byTerm.indexOf(term))),
  };
}

function reader(id: string, docs: readonly FakeDoc[], isSealed: boolean): SegmentReader {
  const has = (field: string, ...kinds: ColumnKind[]): boolean =>
    kinds.includes(FAKE_FIELDS[field]?.column as ColumnKind) && docs.some((doc) => (doc[field]?.length ?? 0) > 0);
  const unused = {
    byteSize: 0,
    fields: [],
    layout: () => null,
    terms: () => null,
    norms: () => null,
    binary: () => null,
    points: () => null,
    geoPoints: () => null,
    roots: null,
    findId: () => [],
  };
  return {
    ...unused,
    id,
    maxDoc: docs.length,
    numbers: (field) => (has(field, 'long', 'double') ? numberColumn(docs, field) : null),
    ordinals: (field) => (has(field, 'ordinals') ? ordinalColumn(docs, field, isSealed) : null),
    geo: (): GeoColumn | null => null,
  };
}

function fakeMapping(): Mapping {
  const field = (name: string): FieldType | null => {
    const known = FAKE_FIELDS[name];
    if (!known) return null;
    const type = {
      name,
      typeName: known.type,
      valueKind: known.kind,
      capabilities: NO_CAPABILITIES,
      isAggregatable: true,
      layout: { name, terms: null, column: known.column, points: false },
      toJson: () => ({}),
    };
    return type as unknown as FieldType;
  };
  return { field, object: () => null } as unknown as Mapping;
}

/** A searcher over segments of documents; the last one is an unsealed buffer. */
export function fakeSearcher(segments: readonly (readonly FakeDoc[])[]): Searcher {
  let docBase = 0;
  const views = segments.map((docs, i): SegmentView => {
    const view: SegmentView = {
      reader: reader(`s${i}`, docs, i < segments.length - 1),
      live: null,
      docBase,
      maxDoc: docs.length,
      liveCount: docs.length,
      version: `s${i}`,
    };
    docBase += docs.length;
    return view;
  });
  const cache = { get: <T>(_key: string, make: () => { readonly value: T }): T => make().value };
  return {
    index: 'fake',
    mapping: fakeMapping(),
    segments: views,
    maxDoc: docBase,
    cache,
    settings: { maxInnerResultWindow: 100 },
  } as unknown as Searcher;
}

/** Matches documents by the term `n` of a `term` query: enough to try filters. */
function termWeight(query: ParsedQuery, searcher: Searcher): Weight {
  const plan = query.plan({ searcher, now: () => 0, nestedPath: null, innerHits: [] });
  if (plan.kind !== 'all') throw new Error(`the fake index runs match_all only, not ${plan.kind}`);
  return {
    matcher: (segment) => {
      const all = bitSet(segment.maxDoc);
      return {
        cost: all.size,
        window: () => 0,
        filter: (_docs, count) => count,
        next: (doc) => doc,
        maxScore: () => 0,
      };
    },
  };
}

const WINDOW = 7;

/** The partial result of one shard with all documents of `segments`, fed in small windows. */
export async function collectFake(
  tree: AggregationTree,
  segments: readonly (readonly FakeDoc[])[],
  isOnlyShard = false,
): Promise<Uint8Array> {
  const searcher = fakeSearcher(segments);
  const context: CollectContext = {
    searcher,
    now: () => 0,
    isOnlyShard,
    weight: (query) => termWeight(query, searcher),
    fetch: () => [],
    charge: () => {},
    scratch: new Scratch(),
  };
  const collector = createShardCollector(tree, context);
  for (const view of searcher.segments) {
    const leaf = collector.segment(view);
    for (let from = 0; leaf && from < view.maxDoc; from += WINDOW) {
      const docs = Int32Array.from({ length: Math.min(WINDOW, view.maxDoc - from) }, (_, i) => from + i);
      leaf.collect(docs, docs.length, null);
    }
  }
  return collector.partial();
}

const PARSE = parseContext();

export const parseFake = (aggs: object): AggregationTree =>
  parseAggregations(aggs, { aggs }, PARSE as Parameters<typeof parseAggregations>[2]);

/** The answer over several shards, each a list of segments. */
export async function runFake(
  aggs: object,
  shards: readonly (readonly (readonly FakeDoc[])[])[],
  typedKeys = false,
): Promise<Answer> {
  return JSON.parse(await textOfFake(aggs, shards, typedKeys)) as Answer;
}

/** The text of that answer. */
export async function textOfFake(
  aggs: object,
  shards: readonly (readonly (readonly FakeDoc[])[])[],
  typedKeys = false,
): Promise<string> {
  const tree = parseFake(aggs);
  const partials = await Promise.all(shards.map((segments) => collectFake(tree, segments, shards.length === 1)));
  return stringify(reduceAggregations(tree, partials, { typedKeys, maxBuckets: 65_536, now: () => 0 }));
}

/** JSON of an answer, as tests walk it. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read answers of any shape
export type Answer = any;

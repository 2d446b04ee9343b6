import { errors } from '@shoal/errors';
import { stringify } from '@shoal/json';
import { closedSets, type ItemSet, type Transactions } from '@shoal/learning';
import { type ParsedQuery, parseQuery, type SegmentView } from '@shoal/query';
import type { Aggregator, AggregationType, BuildSite, ParseSite, ReduceSite } from '../aggregation-type.js';
import { type DocFilter, docFilter } from '../collect/doc-filter.js';
import { growDoubles } from '../collect/growable.js';
import { anyField, integerFrom, listOf, numberField, objectOf, readFields } from '../parse/body-fields.js';
import { present } from '../reduce/present.js';
import { reduceFailure } from '../reduce/reduce-failure.js';
import type { Reduced, ReducedBucket } from '../reduce/reduced.js';
import type { FormatSpec } from '../source/format.js';
import { sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';
import { openSource } from './composite/source.js';
import type { SourceKey, SourceReader } from './composite/source-reader.js';
import { excludeField, includeExclude, type IncludeExclude, includeField, refusePatterns } from './include-exclude.js';
import { shownKey, termSource } from './multi-terms.js';
import { compareKeyValues } from './terms-partial.js';
import { NO_KIND } from '../source/value-kinds.js';

/** Items of a document that are looked at. */
const ITEMS_MAX = 1000;
/** Items that a search for sets may look at, each time counted: about a second of work. */
const STEPS_MAX = 100_000_000;
/** Memory of an item and of a transaction besides its text. */
const ENTRY_BYTES = 100;

interface ItemField {
  readonly source: SourceRequest;
  readonly filter: IncludeExclude | null;
}

interface SetsRequest {
  readonly fields: readonly ItemField[];
  readonly minSupport: number;
  readonly minSize: number;
  readonly size: number;
  readonly filter: ParsedQuery | null;
}

type SetsPartial = {
  /** Documents, with those that the filter leaves out. */
  readonly n: number;
  readonly f: readonly FormatSpec[];
  /** Field and key of each item. */
  readonly k: readonly (readonly [field: number, key: SourceKey])[];
  /** Items of each transaction, and how many documents have them. */
  readonly t: readonly (readonly number[])[];
  readonly c: readonly number[];
};

/** Values of one field as items. */
class FieldItems {
  readonly reader: SourceReader;
  readonly #isWanted: (key: SourceKey) => boolean;
  /** Number of the item of each code; -1 for one that is left out. */
  readonly #items = new Map<number, number>();

  constructor(build: BuildSite, { source, filter }: ItemField) {
    this.reader = openSource(build, termSource(source, 0));
    const field = build.context.searcher.mapping.field(source.field);
    const isNumbers = field?.layout?.column !== 'ordinals';
    if (field && (isNumbers || field.valueKind === 'ip')) refusePatterns(filter, build.node.name, isNumbers);
    this.#isWanted = wanted(filter, this.reader);
  }

  /** The item of a code; `create` numbers a new one. */
  itemOf(code: number, create: (key: SourceKey) => number): number {
    let item = this.#items.get(code);
    if (item === undefined) {
      const key = this.reader.key(code);
      this.#items.set(code, (item = key !== null && this.#isWanted(key) ? create(key) : -1));
    }
    return item;
  }
}

/** The test of a field's values by `include` and `exclude`. */
function wanted(filter: IncludeExclude | null, reader: SourceReader): (key: SourceKey) => boolean {
  if (filter === null) return () => true;
  const termTest = filter.acceptsTerm((text) => String(reader.key(reader.codeOf(text)) ?? text));
  const isNumber = filter.acceptsNumber((value) => {
    const key = reader.key(reader.codeOf(value));
    return typeof key === 'string' || key === null ? Number.NaN : key;
  });
  return (key) => (typeof key === 'string' ? termTest(key) : key !== null && isNumber(key));
}

/** Collects the items of documents, equal documents as one transaction. */
class ItemCollector implements Aggregator<SetsPartial> {
  readonly #build: BuildSite;
  readonly #fields: readonly FieldItems[];
  readonly #filter: DocFilter | null;
  readonly #keys: (readonly [field: number, key: SourceKey])[] = [];
  /** For each bucket of the parent its distinct sets of items, and how many documents have them. */
  readonly #stores = new Map<number, Map<string, number>>();
  #sizes = new Float64Array(1);

  constructor(request: SetsRequest, build: BuildSite) {
    this.#build = build;
    this.#fields = request.fields.map((field) => new FieldItems(build, field));
    const { context, nestedPath } = build;
    this.#filter = request.filter && docFilter(context.weight(request.filter, nestedPath), context.scratch);
  }

  segment(view: SegmentView): void {
    for (const { reader } of this.#fields) reader.segment(view);
    this.#filter?.segment(view);
  }

  reserve(buckets: number): void {
    this.#sizes = growDoubles(this.#sizes, buckets);
  }

  collect(docs: Int32Array, buckets: Int32Array | null, count: number): void {
    const kept = this.#kept(docs, count);
    const windows = this.#fields.map(({ reader }) => {
      const { starts, values } = reader.codes(docs, count);
      return { starts: starts.slice(0, count + 1), values: values.slice(0, starts[count]) };
    });
    for (let i = 0; i < count; i++) {
      const bucket = buckets ? buckets[i]! : 0;
      this.#sizes[bucket]!++;
      if (kept !== null && !kept.has(docs[i]!)) continue;
      const items = new Set<number>();
      windows.forEach(({ starts, values }, field) => {
        for (let at = starts[i]!; at < starts[i + 1]! && items.size < ITEMS_MAX; at++)
          items.add(this.#fields[field]!.itemOf(values[at]!, (key) => this.#create(field, key)));
      });
      items.delete(-1);
      if (items.size > 0) this.#add(bucket, items);
    }
  }

  /** The documents that match the filter; null if all do. */
  #kept(docs: Int32Array, count: number): ReadonlySet<number> | null {
    if (this.#filter === null) return null;
    const size = this.#filter.filter(docs, count);
    return new Set(this.#filter.kept.subarray(0, size));
  }

  #create(field: number, key: SourceKey): number {
    this.#build.context.charge(ENTRY_BYTES + (typeof key === 'string' ? 2 * key.length : 0));
    return this.#keys.push([field, key]) - 1;
  }

  #add(bucket: number, items: ReadonlySet<number>): void {
    let store = this.#stores.get(bucket);
    if (store === undefined) this.#stores.set(bucket, (store = new Map()));
    const key = [...items].sort((a, b) => a - b).join(' ');
    const before = store.get(key);
    if (before === undefined) this.#build.context.charge(ENTRY_BYTES + key.length);
    store.set(key, (before ?? 0) + 1);
  }

  partial(bucket: number): SetsPartial {
    const counts = this.#stores.get(bucket) ?? new Map<string, number>();
    return {
      n: this.#sizes[bucket] ?? 0,
      f: this.#fields.map(({ reader }) => reader.format),
      k: this.#keys,
      t: Array.from(counts.keys(), (key) => key.split(' ').map(Number)),
      c: [...counts.values()],
    };
  }
}

interface Merged extends Transactions {
  readonly keys: readonly (readonly [field: number, key: SourceKey])[];
  readonly total: number;
}

type Item = SetsPartial['k'][number];
const compareItems = ([fieldA, a]: Item, [fieldB, b]: Item): number => fieldA - fieldB || compareKeyValues(a, b);

/** Joins the transactions of shards. Items that are too rare go; the most frequent one is 0. */
function merge(partials: readonly SetsPartial[], minSupport: number): Merged {
  const total = partials.reduce((sum, { n }) => sum + n, 0);
  const numbers = new Map<string, number>();
  const keys: (readonly [field: number, key: SourceKey])[] = [];
  const counts: number[] = [];
  const maps = partials.map(({ k, t, c }) => {
    const map = k.map((item) => {
      const id = stringify(item);
      let number = numbers.get(id);
      if (number === undefined) numbers.set(id, (number = keys.push(item) - 1));
      return number;
    });
    t.forEach((items, i) => {
      for (const item of items) counts[map[item]!] = (counts[map[item]!] ?? 0) + c[i]!;
    });
    return map;
  });
  const kept = keys.map((_, item) => item).filter((item) => (counts[item] ?? 0) >= minSupport * total);
  kept.sort((a, b) => counts[b]! - counts[a]! || compareItems(keys[a]!, keys[b]!));
  const ranks = new Int32Array(keys.length).fill(-1);
  kept.forEach((item, rank) => (ranks[item] = rank));
  const joined = joinTransactions(partials, (shard, item) => ranks[maps[shard]![item]!]!);
  return { ...joined, itemCount: kept.length, keys: kept.map((item) => keys[item]!), total };
}

/** Transactions of all shards with the items that `rankOf` keeps; equal ones are one. */
function joinTransactions(
  partials: readonly SetsPartial[],
  rankOf: (shard: number, item: number) => number,
): Pick<Transactions, 'starts' | 'items' | 'weights'> {
  const byItems = new Map<string, { readonly items: readonly number[]; weight: number }>();
  partials.forEach(({ t, c }, shard) =>
    t.forEach((list, i) => {
      const items = list.map((item) => rankOf(shard, item)).filter((rank) => rank >= 0);
      items.sort((a, b) => a - b);
      const key = items.join(' ');
      const known = byItems.get(key);
      if (known) known.weight += c[i]!;
      else if (items.length > 0) byItems.set(key, { items, weight: c[i]! });
    }),
  );
  const all = [...byItems.values()];
  const starts = new Int32Array(all.length + 1);
  all.forEach(({ items }, i) => (starts[i + 1] = starts[i]! + items.length));
  const items = new Int32Array(starts[all.length]!);
  all.forEach((one, i) => items.set(one.items, starts[i]));
  return { starts, items, weights: Float64Array.from(all, ({ weight }) => weight) };
}

function bucketOf(
  request: SetsRequest,
  formats: readonly FormatSpec[],
  { keys, total }: Merged,
  { items, weight }: ItemSet,
): ReducedBucket {
  const key: Record<string, unknown[]> = {};
  for (const [i, { source }] of request.fields.entries()) {
    const own = items.map((item) => keys[item]!).filter(([field]) => field === i);
    if (own.length > 0) key[source.field] = own.map(([, value]) => shownKey(value, formats[i]!));
  }
  const text = stringify(key);
  return {
    key: text,
    keyText: text,
    docCount: weight,
    subs: new Map(),
    head: () => ({ key, doc_count: weight, support: weight / total }),
  };
}

function reduce(request: SetsRequest, partials: readonly (SetsPartial | null)[], site: ReduceSite): Reduced {
  const own = present(partials);
  const merged = merge(own, request.minSupport);
  const sets = closedSets(merged, {
    minWeight: request.minSupport * merged.total,
    minSize: request.minSize,
    size: request.size,
    stepsMax: STEPS_MAX,
  });
  if (sets === null)
    throw reduceFailure(
      errors.illegalArgument(
        `[${site.node.name}] has too many sets of items to look at; raise [minimum_support], ` +
          'or leave out values with [include] and [exclude]',
      ),
    );
  site.addBuckets(sets.length);
  const formats = own[0]?.f ?? [];
  return {
    typedName: 'frequent_item_sets',
    buckets: sets.map((set) => bucketOf(request, formats, merged, set)),
    render(render) {
      return { buckets: render.list(this.buckets!) };
    },
  };
}

const fieldReaders = { ...sourceFields, include: includeField, exclude: excludeField };

function itemFields(given: readonly ReturnType<typeof readItemField>[] | undefined, site: ParseSite): ItemField[] {
  if (given === undefined) throw errors.illegalArgument('Required [fields]');
  if (given.length === 0) throw errors.illegalArgument('fields must not be empty');
  const fields = given.map((one) => ({
    source: sourceOf(one, site, 'keyword'),
    filter: includeExclude(one.include, one.exclude),
  }));
  const names = new Set(fields.map(({ source }) => source.field));
  if (names.size < fields.length) throw errors.illegalArgument('[fields] must not name a field twice');
  return fields;
}

const readItemField = objectOf(fieldReaders, 'fields');

/** `frequent_item_sets`: values that often come together in a document. */
export const frequentItemSets: AggregationType<SetsPartial> = {
  name: 'frequent_item_sets',
  valueKinds: NO_KIND,
  parse(site) {
    const fields = readFields(site.body, site, {
      fields: listOf(readItemField),
      minimum_support: numberField,
      minimum_set_size: integerFrom(1, 'minimum_set_size'),
      size: integerFrom(1, 'size'),
      filter: anyField,
      execution_hint: anyField,
    });
    const minSupport = fields.minimum_support ?? 0.1;
    if (!(minSupport > 0 && minSupport <= 1))
      throw errors.illegalArgument(
        `[minimum_support] must be greater than 0 and less or equal to 1. Found [${minSupport}] in [${site.name}]`,
      );
    const request: SetsRequest = {
      fields: itemFields(fields.fields, site),
      minSupport,
      minSize: fields.minimum_set_size ?? 1,
      size: fields.size ?? 10,
      filter: fields.filter === undefined ? null : parseQuery(fields.filter, site.context),
    };
    return {
      acceptsSubs: false,
      shape: 'multi',
      reads: request.fields.map(({ source }) => ({ source, kind: 'terms' as const, of: 'frequent_item_sets' })),
      ...(request.filter === null ? {} : { queries: [request.filter] }),
      collector: (build) => new ItemCollector(request, build),
      reduce: (partials, reduceSite) => reduce(request, partials, reduceSite),
    };
  },
};

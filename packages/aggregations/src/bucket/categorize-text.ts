import { type Analyzer, compileRegex } from '@shoal/analysis';
import { compareTerms, type Value } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { extractAll, isPlainObject, parseJson } from '@shoal/json';
import { Categoriser, type Category, categoryRegex } from '@shoal/learning';
import type { SegmentView } from '@shoal/query';
import type { Aggregator, AggregationType, BuildSite, ReduceSite, SubAggregators } from '../aggregation-type.js';
import { type BucketTable, bucketTable } from '../collect/bucket-table.js';
import { mapIds } from '../collect/map-ids.js';
import { groupByOwner, type OwnedBuckets } from '../collect/owned-buckets.js';
import { addPair, type BucketCounts, flushPairs, type Pairs, pairs, resetPairs } from '../collect/pairs.js';
import {
  countField,
  type FieldReader,
  integerField,
  integerFrom,
  listOf,
  readFields,
  stringField,
  unsupported,
} from '../parse/body-fields.js';
import { present } from '../reduce/present.js';
import type { Reduced, ReducedBucket } from '../reduce/reduced.js';
import { NO_KIND } from '../source/value-kinds.js';
import { defaultShardSize } from './terms-request.js';

/** Tokens of a text that are looked at. */
const TOKENS_MAX = 100;
/** Categories of a bucket of the parent on a shard; further kinds of texts are left out. */
const CATEGORIES_MAX = 5000;
/** Categories that a shard returns by default, so that merging sees all but the rarest. */
const SHARD_CATEGORIES = 1000;
/** Words of dates, which vary. */
const DATE_WORDS =
  'Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mon Tue Wed Thu Fri Sat Sun January February March April ' +
  'May June July August September October November December Jan Feb Mar Apr Jun Jul Aug Sep Oct Nov Dec GMT UTC';

interface CategorizeRequest {
  readonly field: string;
  readonly size: number;
  readonly shardSize: number;
  readonly minDocCount: number;
  readonly shardMinDocCount: number;
  /** Share of the weight of tokens that texts of a category have in common. */
  readonly similar: number;
  /** Name of an analyzer, or its definition. */
  readonly analyzer: unknown;
}

type CategorizePartial = {
  /** Tokens of each category. */
  readonly t: readonly (readonly string[])[];
  readonly c: readonly number[];
  /** Length of the longest text. */
  readonly l: readonly number[];
  readonly s: readonly (readonly Value[])[] | null;
};

/** Collector for an index whose mapping lacks the field: no buckets. */
const NOTHING: Aggregator<CategorizePartial> = { segment() {}, reserve() {}, collect() {}, partial: () => null };

function analyzerOf({ analyzer }: CategorizeRequest, build: BuildSite): Analyzer {
  const { analysis } = build.context.searcher;
  if (typeof analyzer !== 'string') return analysis.custom(analyzer as Readonly<Record<string, unknown>>);
  const named = analysis.analyzer(analyzer);
  if (named !== null) return named;
  throw errors.illegalArgument(`Failed to find global analyzer [${analyzer}]`);
}

function collector(request: CategorizeRequest, build: BuildSite): Aggregator<CategorizePartial> {
  const field = build.context.searcher.mapping.field(request.field);
  if (!field) return NOTHING;
  const isText = field.indexAnalyzer !== null && field.indexAnalyzer !== undefined;
  if (!isText && field.valueKind !== 'keyword')
    throw errors.illegalArgument(
      `categorize_text agg [${build.node.name}] only works on analyzable text fields. ` +
        `Cannot aggregate field type [${field.typeName}] via default analyzer`,
    );
  return new TextCategories(request, build, build.context.searcher.mapping.sourcePaths(field.name));
}

/** Sorts the texts of documents into categories, one set of them for each bucket of the parent. */
class TextCategories implements Aggregator<CategorizePartial> {
  readonly #request: CategorizeRequest;
  readonly #build: BuildSite;
  readonly #paths: readonly string[];
  readonly #analyzer: Analyzer;
  readonly #subs: SubAggregators;
  readonly #categories = new Map<number, Categoriser>();
  /** Numbers of (bucket of the parent, category). */
  readonly #table: BucketTable;
  readonly #state: BucketCounts = { counts: new Int32Array(0) };
  readonly #pairs: Pairs;
  #charged = 0;
  #view: SegmentView | null = null;
  #owned: OwnedBuckets | null = null;

  constructor(request: CategorizeRequest, build: BuildSite, paths: readonly string[]) {
    this.#request = request;
    this.#build = build;
    this.#paths = paths;
    this.#analyzer = analyzerOf(request, build);
    this.#subs = build.subs();
    this.#table = bucketTable(build.context.charge);
    this.#pairs = pairs(build.context.scratch);
  }

  segment(view: SegmentView): void {
    this.#view = view;
    this.#subs.segment(view);
  }

  reserve(): void {}

  collect(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    const { searcher } = this.#build.context;
    const list = this.#pairs;
    for (let i = 0; i < count; i++) {
      const bucket = buckets ? buckets[i]! : 0;
      const { source } = searcher.stored(docs[i]! + this.#view!.docBase);
      const ids = new Set(extractAll(parseJson(source), this.#paths).map((text) => this.#categoryOf(text, bucket)));
      ids.delete(0);
      resetPairs(list, ids.size);
      for (const id of ids) addPair(list, docs[i]!, this.#table.add(bucket, id), scores ? scores[i]! : 0);
      flushPairs(list, this.#state, this.#table.size, this.#subs, scores !== null);
    }
  }

  /** Number of the category of a text, from 1; 0 for none. */
  #categoryOf(text: unknown, bucket: number): number {
    if (typeof text !== 'string') return 0;
    let own = this.#categories.get(bucket);
    if (own === undefined)
      this.#categories.set(
        bucket,
        (own = new Categoriser(0, { similar: this.#request.similar, categoriesMax: CATEGORIES_MAX })),
      );
    const before = own.bytes;
    const { terms, count } = this.#analyzer.analyze(text);
    const category = own.add(terms.slice(0, Math.min(count, TOKENS_MAX)), text.length, 1);
    this.#charge(own.bytes - before);
    return category?.id ?? 0;
  }

  /** Adds bytes to the breaker in steps, as it costs more than a line. */
  #charge(bytes: number): void {
    this.#charged += bytes;
    if (this.#charged < 1 << 16) return;
    this.#build.context.charge(this.#charged);
    this.#charged = 0;
  }

  partial(bucket: number): CategorizePartial | null {
    const own = this.#categories.get(bucket);
    if (own === undefined) return null;
    this.#owned ??= groupByOwner(this.#table.owners, this.#table.size);
    const { counts } = this.#state;
    const ids = mapIds(this.#owned.of(bucket), (id) => id)
      .filter((id) => counts[id]! >= this.#request.shardMinDocCount)
      .sort((a, b) => counts[b]! - counts[a]! || a - b)
      .slice(0, this.#request.shardSize);
    const categoryOf = (id: number): Category => own.categories[this.#table.keys[id]! - 1]!;
    return {
      t: ids.map((id) => categoryOf(id).tokens),
      c: ids.map((id) => counts[id]!),
      l: ids.map((id) => categoryOf(id).maxLength),
      s: this.#subs.size > 0 ? ids.map((id) => this.#subs.partials(id)) : null,
    };
  }
}

interface Row {
  readonly tokens: readonly string[];
  readonly count: number;
  readonly length: number;
  readonly subs: readonly Value[] | null;
}

function bucketOf(category: Category, subs: readonly (readonly Value[])[], site: ReduceSite): ReducedBucket {
  const key = category.tokens.join(' ');
  const bucket: ReducedBucket = {
    key,
    keyText: key,
    docCount: category.matches,
    subs: site.subs(subs),
    head: () => ({
      doc_count: bucket.docCount,
      key,
      regex: categoryRegex(category, '?'),
      // A tenth more than the longest text: others of the category may be a little longer.
      max_matching_length: Math.floor(category.maxLength * 1.1),
    }),
  };
  return bucket;
}

/** Sorts the categories of shards into categories again, the largest first. */
function reduce(
  request: CategorizeRequest,
  partials: readonly (CategorizePartial | null)[],
  site: ReduceSite,
): Reduced {
  const rows = present(partials).flatMap(({ t, c, l, s }) =>
    t.map((tokens, i): Row => ({ tokens, count: c[i]!, length: l[i]!, subs: s?.[i] ?? null })),
  );
  rows.sort((a, b) => b.count - a.count || compareTerms(a.tokens.join(' '), b.tokens.join(' ')));
  const merged = new Categoriser(0, { similar: request.similar, categoriesMax: rows.length });
  const subs: (readonly Value[])[][] = [];
  for (const row of rows) {
    const { id } = merged.add(row.tokens, row.length, row.count)!;
    subs[id] ??= [];
    if (row.subs !== null) subs[id].push(row.subs);
  }
  const kept = merged.categories
    .filter(({ matches }) => matches >= request.minDocCount)
    .sort((a, b) => b.matches - a.matches || compareTerms(a.tokens.join(' '), b.tokens.join(' ')))
    .slice(0, request.size);
  site.addBuckets(kept.length);
  return {
    typedName: 'categorize_text',
    buckets: kept.map((category) => bucketOf(category, subs[category.id]!, site)),
    render(render) {
      return { buckets: render.list(this.buckets!) };
    },
  };
}

const analyzerField: FieldReader<unknown> = (value, site) => {
  if (typeof value === 'string' || isPlainObject(value)) return value;
  throw unsupported(value, site);
};

/** Reads an option without effect, which 8.12 takes from the time when categories were trees of tokens. */
const tokensField =
  (label: string): FieldReader<number> =>
  (value, site) => {
    const count = integerField(value, site);
    if (count > 0 && count <= TOKENS_MAX) return count;
    throw errors.illegalArgument(
      `[${label}] must be greater than 0 and less than or equal [${TOKENS_MAX}]. Found [${count}] in [${site.name}]`,
    );
  };

const thresholdField: FieldReader<number> = (value, site) => {
  const threshold = integerField(value, site);
  if (threshold >= 1 && threshold <= 100) return threshold;
  throw errors.illegalArgument(
    `[similarity_threshold] must be in the range [1, 100]. Found [${threshold}] in [${site.name}]`,
  );
};

/** The analyzer of texts of which filters have taken out their matches. */
function defaultAnalyzer(filters: readonly string[]): object {
  for (const pattern of filters) compileRegex(pattern, '');
  return {
    char_filter: [
      'first_line_with_letters',
      ...filters.map((pattern) => ({ type: 'pattern_replace', pattern, replacement: '' })),
    ],
    tokenizer: 'ml_standard',
    filter: [
      { type: 'stop', stopwords: DATE_WORDS.split(' ') },
      { type: 'limit', max_token_count: TOKENS_MAX },
    ],
  };
}

/** `categorize_text`: kinds of texts, such as lines of logs. Each text is analysed again from the source. */
export const categorizeText: AggregationType<CategorizePartial> = {
  name: 'categorize_text',
  valueKinds: NO_KIND,
  parse(site) {
    const fields = readFields(site.body, site, {
      field: stringField,
      size: integerFrom(1, 'size'),
      shard_size: integerFrom(1, 'shard_size'),
      min_doc_count: countField('min_doc_count'),
      shard_min_doc_count: countField('shard_min_doc_count'),
      similarity_threshold: thresholdField,
      max_unique_tokens: tokensField('max_unique_tokens'),
      max_matched_tokens: tokensField('max_matched_tokens'),
      categorization_filters: listOf(stringField),
      categorization_analyzer: analyzerField,
    });
    if (fields.field === undefined) throw errors.illegalArgument('Required [field]');
    if (fields.categorization_filters !== undefined && fields.categorization_analyzer !== undefined)
      throw errors.illegalArgument(
        '[categorization_filters] cannot be used with [categorization_analyzer] - ' +
          'instead specify them as pattern_replace char_filters in the analyzer',
      );
    const size = fields.size ?? 10;
    const request: CategorizeRequest = {
      field: fields.field,
      size,
      shardSize: fields.shard_size ?? Math.max(SHARD_CATEGORIES, defaultShardSize(size)),
      minDocCount: fields.min_doc_count ?? 1,
      shardMinDocCount: fields.shard_min_doc_count ?? 0,
      similar: (fields.similarity_threshold ?? 70) / 100,
      analyzer: fields.categorization_analyzer ?? defaultAnalyzer(fields.categorization_filters ?? []),
    };
    return {
      acceptsSubs: true,
      shape: 'multi',
      collector: (build) => collector(request, build),
      reduce: (partials, reduceSite) => reduce(request, partials, reduceSite),
    };
  },
};

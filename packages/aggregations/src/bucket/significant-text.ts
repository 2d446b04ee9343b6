import { errors } from '@shoal/errors';
import { extractAll, parseJson } from '@shoal/json';
import type { FieldType } from '@shoal/mapping';
import { parseQuery, type ParsedQuery, type SegmentView } from '@shoal/query';
import { compareTerms } from '@shoal/codec';
import type { Aggregator, AggregationType, BuildSite, SubAggregators } from '../aggregation-type.js';
import { type BucketTable, bucketTable } from '../collect/bucket-table.js';
import { growDoubles } from '../collect/growable.js';
import { groupByOwner, type OwnedBuckets } from '../collect/owned-buckets.js';
import { addPair, type BucketCounts, flushPairs, type Pairs, pairs, resetPairs } from '../collect/pairs.js';
import { booleanField, listOf, stringField } from '../parse/body-fields.js';
import { RAW_FORMAT } from '../source/format.js';
import { type Background, textBackground } from './background.js';
import { includeExclude, type IncludeExclude } from './include-exclude.js';
import { readSignificant, significantFields, significantRequest } from './significant-terms.js';
import {
  type SignificantPartial,
  reduceSignificant,
  significantPartial,
  type SignificantRequest,
} from './significant-reduce.js';
import { NO_KIND } from '../source/value-kinds.js';

interface TextRequest extends SignificantRequest {
  readonly field: string;
  readonly sourceFields: readonly string[] | null;
  readonly dropDuplicates: boolean;
  readonly filter: IncludeExclude | null;
  readonly background: ParsedQuery | null;
}

/** Length of a sequence of tokens that counts as copied if an earlier text had it. */
const COPIED_TOKENS = 6;

/** Drops tokens that are part of a sequence in `seen`, and adds the sequences of this text to it. */
function withoutCopies(tokens: readonly string[], seen: Set<string>): string[] {
  const copied = new Uint8Array(tokens.length);
  const runs: string[] = [];
  for (let i = 0; i + COPIED_TOKENS <= tokens.length; i++) {
    const run = tokens.slice(i, i + COPIED_TOKENS).join('\0');
    if (seen.has(run)) copied.fill(1, i, i + COPIED_TOKENS);
    runs.push(run);
  }
  for (const run of runs) seen.add(run);
  return tokens.filter((_, i) => copied[i] === 0);
}

/** Returns the distinct tokens of the texts of a document. */
function documentTokens(
  { dropDuplicates }: TextRequest,
  field: FieldType,
  texts: readonly unknown[],
  seen: Set<string>,
): Set<string> {
  const found = new Set<string>();
  for (const text of texts) {
    if (typeof text !== 'string') continue;
    const list = field.indexAnalyzer!.analyze(text);
    const terms = list.terms.slice(0, list.count);
    const tokens = dropDuplicates ? withoutCopies(terms, seen) : terms;
    for (const token of tokens) found.add(token);
  }
  return found;
}

/** Collector for an index whose mapping lacks the field: no buckets. */
const NOTHING: Aggregator<SignificantPartial> = { segment() {}, reserve() {}, collect() {}, partial: () => null };

function collector(request: TextRequest, build: BuildSite): Aggregator<SignificantPartial> {
  const field = build.context.searcher.mapping.field(request.field);
  if (!field) return NOTHING;
  if (!field.indexAnalyzer)
    throw errors.illegalArgument(
      `Field [${request.field}] has no analyzer, but SignificantText requires an analyzed field`,
    );
  return new TextBuckets(request, build, field);
}

/** Counts documents by the tokens of their text, analysed from the source. */
class TextBuckets implements Aggregator<SignificantPartial> {
  readonly #request: TextRequest;
  readonly #build: BuildSite;
  readonly #field: FieldType;
  /** Paths of the texts in sources. */
  readonly #paths: readonly string[];
  readonly #isWanted: ((term: string) => boolean) | null;
  readonly #subs: SubAggregators;
  readonly #table: BucketTable;
  readonly #state: BucketCounts = { counts: new Int32Array(0) };
  readonly #pairs: Pairs;
  /** Number of each term; `#terms` is the inverse. */
  readonly #numbers = new Map<string, number>();
  readonly #terms: string[] = [];
  /** Token sequences of earlier texts, for `filter_duplicate_text`. */
  readonly #runs = new Set<string>();
  /** Number of documents in each parent bucket. */
  #sizes = new Float64Array(1);
  #view: SegmentView | null = null;
  #owned: OwnedBuckets | null = null;
  #background: Background | null = null;

  constructor(request: TextRequest, build: BuildSite, field: FieldType) {
    this.#request = request;
    this.#build = build;
    this.#field = field;
    this.#paths = request.sourceFields ?? build.context.searcher.mapping.sourcePaths(field.name);
    this.#isWanted = request.filter?.acceptsTerm((text) => text) ?? null;
    this.#subs = build.subs();
    this.#table = bucketTable(build.context.charge);
    this.#pairs = pairs(build.context.scratch);
  }

  segment(view: SegmentView): void {
    this.#view = view;
    this.#subs.segment(view);
  }

  reserve(buckets: number): void {
    this.#sizes = growDoubles(this.#sizes, buckets);
  }

  collect(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    const { searcher } = this.#build.context;
    const list = this.#pairs;
    for (let i = 0; i < count; i++) {
      const bucket = buckets ? buckets[i]! : 0;
      this.#sizes[bucket]!++;
      const { source } = searcher.stored(docs[i]! + this.#view!.docBase);
      const texts = extractAll(parseJson(source), this.#paths);
      const tokens = documentTokens(this.#request, this.#field, texts, this.#runs);
      resetPairs(list, tokens.size);
      for (const token of tokens)
        if (!this.#isWanted || this.#isWanted(token))
          addPair(list, docs[i]!, this.#table.add(bucket, this.#numberOf(token)), scores ? scores[i]! : 0);
      flushPairs(list, this.#state, this.#table.size, this.#subs, scores !== null);
    }
  }

  #numberOf(term: string): number {
    let number = this.#numbers.get(term);
    if (number === undefined) this.#numbers.set(term, (number = this.#terms.push(term) - 1));
    return number;
  }

  partial(bucket: number): SignificantPartial {
    const { name } = this.#field;
    this.#owned ??= groupByOwner(this.#table.owners, this.#table.size);
    this.#background ??= textBackground(this.#build, name, this.#request.background);
    const background = this.#background;
    const termOf = (id: number): string => this.#terms[this.#table.keys[id]!]!;
    const candidates = {
      ids: this.#owned.of(bucket),
      count: (id: number) => this.#state.counts[id]!,
      key: termOf,
      compareKeys: (a: number, b: number) => compareTerms(termOf(a), termOf(b)),
    };
    return significantPartial(
      this.#request,
      's',
      RAW_FORMAT,
      candidates,
      (id) => background.count(termOf(id)),
      this.#sizes[bucket] ?? 0,
      background.size,
      this.#subs,
      this.#build,
    );
  }
}

/** `significant_text`: significant_terms for text fields. Each document is analysed again from its source. */
export const significantText: AggregationType<SignificantPartial> = {
  name: 'significant_text',
  valueKinds: NO_KIND,
  parse(site) {
    const fields = readSignificant(site, {
      ...significantFields,
      field: stringField,
      filter_duplicate_text: booleanField,
      source_fields: listOf(stringField),
    });
    if (fields.field === undefined)
      throw errors.illegalArgument('Required one of fields [field], but none were specified. ');
    const request: TextRequest = {
      ...significantRequest(site, fields),
      field: fields.field,
      sourceFields: fields.source_fields ?? null,
      dropDuplicates: fields.filter_duplicate_text ?? false,
      filter: includeExclude(fields.include, fields.exclude),
      background: fields.background_filter === undefined ? null : parseQuery(fields.background_filter, site.context),
    };
    return {
      acceptsSubs: false,
      shape: 'multi',
      collector: (build) => collector(request, build),
      reduce: (partials, reduceSite) => reduceSignificant(request, partials, reduceSite),
    };
  },
};

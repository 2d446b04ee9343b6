import { errors } from '@shoal/errors';
import { extractValues, parseJson } from '@shoal/json';
import type { FieldType } from '@shoal/mapping';
import { parseQuery, type ParsedQuery, type SegmentView } from '@shoal/query';
import { compareTerms } from '@shoal/values';
import type { Aggregator, AggregationType, BuildSite } from '../aggregation-type.js';
import { bucketTable } from '../collect/bucket-table.js';
import { growDoubles } from '../collect/growable.js';
import { groupByOwner, type OwnedBuckets } from '../collect/owned-buckets.js';
import { addPair, type BucketCounts, flushPairs, pairs, resetPairs } from '../collect/pairs.js';
import { booleanField, listOf, readFields, stringField } from '../parse/body-fields.js';
import { RAW_FORMAT } from '../source/format.js';
import { type Background, filteredTermBackground, termBackground } from './background.js';
import { includeExclude, type IncludeExclude } from './include-exclude.js';
import { significantFields, significantRequest } from './significant-terms.js';
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

/** Tokens in a row that, seen before, are taken for copied text. */
const COPIED_TOKENS = 6;

/** Leaves out tokens that belong to a run seen in an earlier text. */
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

/** Distinct tokens of a document, from its source. */
function documentTokens(request: TextRequest, field: FieldType, source: Uint8Array, seen: Set<string>): Set<string> {
  const json = parseJson(source) as Record<string, unknown>;
  const texts = (request.sourceFields ?? [field.name]).flatMap((path) => extractValues(json, path));
  const found = new Set<string>();
  for (const text of texts) {
    if (typeof text !== 'string') continue;
    const list = field.indexAnalyzer!.analyze(text);
    const terms = list.terms.slice(0, list.count);
    const tokens = request.dropDuplicates ? withoutCopies(terms, seen) : terms;
    for (const token of tokens) found.add(token);
  }
  return found;
}

function collector(request: TextRequest, build: BuildSite): Aggregator<SignificantPartial> {
  const { searcher } = build.context;
  const field = searcher.mapping.field(request.field);
  if (!field?.indexAnalyzer) {
    if (field)
      throw errors.illegalArgument(
        `Field [${request.field}] has no analyzer, but SignificantText requires an analyzed field`,
      );
    return { segment() {}, reserve() {}, collect() {}, partial: () => null };
  }
  const test = request.filter?.acceptsTerm((text) => text) ?? null;
  const subs = build.subs();
  const numbers = new Map<string, number>();
  const terms: string[] = [];
  const table = bucketTable(build.context.charge);
  const state: BucketCounts = { counts: new Int32Array(0) };
  const list = pairs(build.context.scratch);
  const seen = new Set<string>();
  let sizes = new Float64Array(1);
  let current: SegmentView | null = null;
  let owned: OwnedBuckets | null = null;
  let frequencies: Background | null = null;
  const numberOf = (term: string): number => {
    let number = numbers.get(term);
    if (number === undefined) numbers.set(term, (number = terms.push(term) - 1));
    return number;
  };
  return {
    segment(view) {
      current = view;
      subs.segment(view);
    },
    reserve(buckets) {
      sizes = growDoubles(sizes, buckets);
    },
    collect(docs, buckets, count, scores) {
      for (let i = 0; i < count; i++) {
        const bucket = buckets ? buckets[i]! : 0;
        sizes[bucket]!++;
        const tokens = documentTokens(request, field, searcher.stored(docs[i]! + current!.docBase).source, seen);
        resetPairs(list, tokens.size);
        for (const token of tokens)
          if (!test || test(token))
            addPair(list, docs[i]!, table.add(bucket, numberOf(token)), scores ? scores[i]! : 0);
        flushPairs(list, state, table.size, subs, scores !== null);
      }
    },
    partial(bucket) {
      owned ??= groupByOwner(table.owners, table.size);
      frequencies ??= request.background
        ? filteredTermBackground(build, field.name, request.background)
        : termBackground(build, field.name);
      const known = frequencies;
      const termOf = (id: number): string => terms[table.keys[id]!]!;
      const candidates = {
        ids: owned.of(bucket),
        count: (id: number) => state.counts[id]!,
        key: termOf,
        compareKeys: (a: number, b: number) => compareTerms(termOf(a), termOf(b)),
      };
      return significantPartial(
        request,
        's',
        RAW_FORMAT,
        candidates,
        (id) => known.count(termOf(id)),
        sizes[bucket] ?? 0,
        known.size,
        subs,
        build,
      );
    },
  };
}

/** As significant_terms for text: documents are analysed again from their source. */
export const significantText: AggregationType<SignificantPartial> = {
  name: 'significant_text',
  valueKinds: NO_KIND,
  parse(site) {
    const fields = readFields(site.body, site, {
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
      acceptsSubs: true,
      shape: 'multi',
      collector: (build) => collector(request, build),
      reduce: (partials, reduceSite) => reduceSignificant(request, partials, reduceSite),
    };
  },
};

import { doubleNumber } from '@shoal/json';
import type { Value } from '@shoal/codec';
import type { BuildSite, ReduceSite, SubAggregators } from '../aggregation-type.js';
import { selectTop } from '../collect/select-top.js';
import type { Reduced, ReducedBucket } from '../reduce/reduced.js';
import { formatIn, type FormatSpec, termKeyText, termJson, keyPath } from '../source/format.js';
import type { Heuristic } from './significance.js';
import { compareKeyValues, type TermsCandidates, type TermsKind } from './terms-partial.js';
import { present } from '../reduce/present.js';

/** Partial result of significant_terms and significant_text. Arrays are parallel. */
export type SignificantPartial = {
  readonly t: TermsKind;
  readonly f: FormatSpec;
  readonly k: readonly (string | number | bigint)[];
  /** Documents with each term in the foreground. */
  readonly c: Float64Array;
  /** Documents with each term in the background. */
  readonly b: Float64Array;
  readonly s: readonly (readonly Value[])[] | null;
  /** Documents in the foreground. */
  readonly n: number;
  /** Documents in the background. */
  readonly m: number;
};

/** Sizes, limits and heuristic of significant terms. */
export interface SignificantRequest {
  readonly size: number;
  readonly shardSize: number;
  readonly minDocCount: number;
  readonly heuristic: Heuristic;
}

/** Makes the partial result of one bucket: its terms with the best scores on this shard. */
export function significantPartial(
  request: SignificantRequest,
  kind: TermsKind,
  format: FormatSpec,
  candidates: TermsCandidates,
  background: (id: number) => number,
  subsetSize: number,
  supersetSize: number,
  subs: SubAggregators,
  site: BuildSite,
): SignificantPartial {
  const scores = new Map<number, number>();
  for (const id of candidates.ids) {
    scores.set(
      id,
      request.heuristic({ subset: candidates.count(id), subsetSize, superset: background(id), supersetSize }),
    );
  }
  const least = site.context.isOnlyShard ? request.minDocCount : 1;
  const eligible = candidates.ids.filter((id) => candidates.count(id) >= least && scores.get(id)! > 0);
  const ids = selectTop(
    eligible,
    request.shardSize,
    (a, b) => scores.get(b)! - scores.get(a)! || candidates.compareKeys(a, b),
  );
  return {
    t: kind,
    f: format,
    k: Array.from(ids, (id) => candidates.key(id)),
    c: Float64Array.from(ids, (id) => candidates.count(id)),
    b: Float64Array.from(ids, background),
    s: subs.size > 0 ? Array.from(ids, (id) => subs.partials(id)) : null,
    n: subsetSize,
    m: supersetSize,
  };
}

interface Merged {
  readonly key: string | number | bigint;
  count: number;
  background: number;
  readonly subs: (readonly Value[])[];
}

function merge(partials: readonly SignificantPartial[]): Merged[] {
  const merged = new Map<string | number | bigint, Merged>();
  for (const { k, c, b, s } of partials) {
    k.forEach((key, i) => {
      let one = merged.get(key);
      if (!one) merged.set(key, (one = { key, count: 0, background: 0, subs: [] }));
      one.count += c[i]!;
      one.background += b[i]!;
      if (s) one.subs.push(s[i]!);
    });
  }
  return [...merged.values()];
}

/** Merges the terms of shards and scores them again with the summed counts. */
export function reduceSignificant(
  request: SignificantRequest,
  partials: readonly (SignificantPartial | null)[],
  site: ReduceSite,
): Reduced {
  const own = present(partials);
  const formatter = formatIn(own);
  const [subsetSize, supersetSize] = [own.reduce((sum, p) => sum + p.n, 0), own.reduce((sum, p) => sum + p.m, 0)];
  const scored = merge(own)
    .map((one) => ({
      ...one,
      score: request.heuristic({ subset: one.count, subsetSize, superset: one.background, supersetSize }),
    }))
    .filter((one) => one.score > 0 && one.count >= request.minDocCount)
    .sort((a, b) => b.score - a.score || compareKeyValues(a.key, b.key))
    .slice(0, request.size);
  site.addBuckets(scored.length);
  const buckets = scored.map((one): ReducedBucket => {
    const json = typeof one.key === 'string' ? termJson(formatter.spec, one.key) : one.key;
    const text = termKeyText(one.key, formatter);
    const bucket: ReducedBucket = {
      key: one.key,
      keyText: text ?? keyPath(json),
      docCount: one.count,
      subs: site.subs(one.subs),
      head: () => ({
        key: json,
        ...(text === null ? {} : { key_as_string: formatter.spec.k === 'boolean' ? text === 'true' : text }),
        doc_count: bucket.docCount,
        score: doubleNumber(one.score),
        bg_count: one.background,
      }),
    };
    return bucket;
  });
  const kind = own.find((p) => p.k.length > 0)?.t ?? own[0]?.t ?? 's';
  return {
    typedName: kind === 's' ? 'sigsterms' : 'siglterms',
    buckets,
    render(render) {
      return own.length === 0
        ? { buckets: [] }
        : { doc_count: subsetSize, bg_count: supersetSize, buckets: render.list(this.buckets!) };
    },
  };
}

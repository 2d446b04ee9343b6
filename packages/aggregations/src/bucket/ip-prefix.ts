import { globalOrdinals } from '@shoal/query';
import { type Value, compareTerms } from '@shoal/codec';
import { type ApiError, errors } from '@shoal/errors';
import { formatIp, ipNetwork } from '@shoal/values';
import type { Aggregator, AggregationType, BuildSite, ReduceSite } from '../aggregation-type.js';
import { bucketTable } from '../collect/bucket-table.js';
import { groupByOwner, type OwnedBuckets } from '../collect/owned-buckets.js';
import { addPair, type BucketCounts, flushPairs, pairs, resetPairs } from '../collect/pairs.js';
import { booleanField, type FieldReader, integerField, longField, readFields } from '../parse/body-fields.js';
import type { Reduced, ReducedBucket } from '../reduce/reduced.js';
import { docCounts } from '../source/doc-counts.js';
import { ordinalSource } from '../source/ordinal-source.js';
import { fieldSourceFields, fieldSourceOf, resolveField, type SourceRequest } from '../source/values-source.js';

interface PrefixRequest {
  readonly source: SourceRequest;
  readonly length: number;
  readonly isV6: boolean;
  readonly appendLength: boolean;
  readonly keyed: boolean;
  readonly minDocCount: number;
}

type PrefixPartial = {
  readonly k: readonly string[];
  readonly c: readonly number[];
  readonly s: readonly (readonly Value[])[] | null;
};

const IPV4_PREFIX = '\0'.repeat(10) + '\xff\xff';

/**
 * The network of an address. Without `is_ipv6` it is that of the last four bytes, of IPv6 addresses too, as in
 * Elasticsearch.
 */
function networkOfTerm({ isV6, length }: PrefixRequest, term: string): string {
  return isV6 ? ipNetwork(term, length) : ipNetwork(IPV4_PREFIX + term.slice(-4), length + 96);
}

const countAtLeastOne: FieldReader<number> = (value, site) => {
  const count = longField(value, site);
  if (count >= 1) return count;
  throw errors.illegalArgument(`[min_doc_count] must be in range [1, 2147483647] while value is [${count}]`);
};

const lengthError = (length: number, isV6: boolean): ApiError =>
  errors.illegalArgument(`[prefix_length] must be in range [0, ${isV6 ? 128 : 32}] while value is [${length}]`);

/** Reads `prefix_length`. One below 0 is refused here, one that is too long on shards, as in Elasticsearch. */
const lengthField =
  (isV6: boolean): FieldReader<number> =>
  (value, site) => {
    const length = integerField(value, site);
    if (length < 0) throw lengthError(length, isV6);
    return length;
  };

function collector(request: PrefixRequest, build: BuildSite): Aggregator<PrefixPartial> {
  const { isV6, length } = request;
  if (length < 0 || length > (isV6 ? 128 : 32)) throw lengthError(length, isV6);
  const field = resolveField(build.context, request.source.field, 'addresses', 'ip_prefix');
  const name = field?.type.name ?? '';
  const ordinals = globalOrdinals(build.context.searcher, name);
  const source = ordinalSource(name, build.context.scratch);
  const subs = build.subs();
  const table = bucketTable(build.context.charge, build.context.scratch);
  const state: BucketCounts = { counts: new Int32Array(0) };
  const list = pairs(build.context.scratch);
  const networks: string[] = [];
  const numbers = new Map<string, number>();
  /** For each ordinal the number of its network. Filled when an ordinal first occurs. */
  const networkOf = new Map<number, number>();
  let map: Int32Array | null = null;
  let weights: Int32Array | null = null;
  let owned: OwnedBuckets | null = null;
  const number = (ordinal: number): number => {
    const known = networkOf.get(ordinal);
    if (known !== undefined) return known;
    const network = networkOfTerm(request, ordinals.term(ordinal));
    let found = numbers.get(network) ?? -1;
    if (found < 0) numbers.set(network, (found = networks.push(network) - 1));
    networkOf.set(ordinal, found);
    return found;
  };
  return {
    segment(view) {
      source.segment(view);
      subs.segment(view);
      map = ordinals.map(view);
      weights = docCounts(view);
    },
    reserve() {},
    collect(docs, buckets, count, scores) {
      const { starts, values } = source.readAll(docs, count);
      resetPairs(list, starts[count]!);
      for (let i = 0; i < count; i++) {
        if (starts[i] === starts[i + 1]) continue;
        // Only the first address of a document counts, as in Elasticsearch.
        const first = values[starts[i]!]!;
        const network = number(map ? map[first]! : first);
        addPair(list, docs[i]!, table.add(buckets ? buckets[i]! : 0, network), scores ? scores[i]! : 0);
      }
      flushPairs(list, state, table.size, subs, scores !== null, weights);
    },
    partial(bucket) {
      owned ??= groupByOwner(table.owners, table.size);
      const ids = owned.of(bucket);
      return {
        k: Array.from(ids, (id) => networks[table.keys[id]!]!),
        c: Array.from(ids, (id) => state.counts[id]!),
        s: subs.size > 0 ? Array.from(ids, (id) => subs.partials(id)) : null,
      };
    },
  };
}

interface Merged {
  count: number;
  readonly subs: (readonly Value[])[];
}

function netmask(length: number): string {
  return formatIp(ipNetwork('\xff'.repeat(16), length + 96).replace(/^.{12}/s, IPV4_PREFIX));
}

function prefixBucket(request: PrefixRequest, network: string, merged: Merged, site: ReduceSite): ReducedBucket {
  const text = formatIp(network);
  const key = request.appendLength ? `${text}/${request.length}` : text;
  const bucket: ReducedBucket = {
    key,
    keyText: key,
    docCount: merged.count,
    subs: site.subs(merged.subs),
    head: () => ({
      ...(request.keyed ? {} : { key }),
      ...(request.isV6 ? {} : { netmask: netmask(request.length) }),
      doc_count: bucket.docCount,
      is_ipv6: request.isV6,
      prefix_length: request.length,
    }),
  };
  return bucket;
}

function reduce(request: PrefixRequest, partials: readonly (PrefixPartial | null)[], site: ReduceSite): Reduced {
  const merged = new Map<string, Merged>();
  for (const partial of partials) {
    partial?.k.forEach((key, i) => {
      let one = merged.get(key);
      if (!one) merged.set(key, (one = { count: 0, subs: [] }));
      one.count += partial.c[i]!;
      if (partial.s) one.subs.push(partial.s[i]!);
    });
  }
  const kept = [...merged]
    .filter(([, one]) => one.count >= request.minDocCount)
    .sort((a, b) => compareTerms(a[0], b[0]));
  site.addBuckets(kept.length);
  const buckets = kept.map(([network, one]) => prefixBucket(request, network, one, site));
  return {
    typedName: 'ip_prefix',
    buckets,
    render(render) {
      return { buckets: request.keyed ? render.keyed(this.buckets!) : render.list(this.buckets!) };
    },
  };
}

/** `ip_prefix`: buckets of networks by prefix length. */
export const ipPrefix: AggregationType<PrefixPartial> = {
  name: 'ip_prefix',
  valueKinds: ['ip'],
  parse(site) {
    const fields = readFields(site.body, site, {
      ...fieldSourceFields,
      prefix_length: lengthField(site.body['is_ipv6'] === true),
      is_ipv6: booleanField,
      append_prefix_length: booleanField,
      keyed: booleanField,
      min_doc_count: countAtLeastOne,
    });
    const isV6 = fields.is_ipv6 ?? false;
    const request: PrefixRequest = {
      source: fieldSourceOf(fields, site),
      length: fields.prefix_length ?? -1,
      isV6,
      appendLength: fields.append_prefix_length ?? false,
      keyed: fields.keyed ?? false,
      minDocCount: fields.min_doc_count ?? 1,
    };
    return {
      acceptsSubs: true,
      shape: 'multi',
      reads: [{ source: request.source, kind: 'addresses' }],
      collector: (build) => collector(request, build),
      reduce: (partials, reduceSite) => reduce(request, partials, reduceSite),
    };
  },
};

import { type Value, compareTerms } from '@shoal/codec';
import { growCounts } from '../collect/counts.js';
import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { globalOrdinals, parsingAt } from '@shoal/query';
import { formatIp, parseCidr, parseIp } from '@shoal/values';
import type { Aggregator, AggregationType, BuildSite, ReduceSite } from '../aggregation-type.js';
import { addPair, type BucketCounts, flushPairs, pairs, resetPairs } from '../collect/pairs.js';
import {
  atMost,
  booleanField,
  type FieldReader,
  type Item,
  itemsOf,
  readFields,
  tokenName,
  unsupported,
} from '../parse/body-fields.js';
import type { Reduced, ReducedBucket } from '../reduce/reduced.js';
import { docCounts } from '../source/doc-counts.js';
import { ordinalSource } from '../source/ordinal-source.js';
import { resolveField, sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';
import { RANGES_MAX, checkRanges } from './ranges.js';
import { present } from '../reduce/present.js';

/** A range of addresses from `from` (inclusive) to `to` (exclusive); null for an open end. */
interface AddressRange {
  readonly key: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

function address(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const term = parseIp(String(value));
  if (term === null) throw errors.illegalArgument(`'${String(value)}' is not an IP string literal.`);
  return term;
}

/** The address after `term`; null after the last one. */
function nextAddress(term: string): string | null {
  const bytes = Array.from(term, (char) => char.charCodeAt(0));
  let i = 15;
  while (i >= 0 && bytes[i] === 255) bytes[i--] = 0;
  if (i < 0) return null;
  bytes[i]!++;
  return String.fromCharCode(...bytes);
}

const LOWEST = '\0'.repeat(16);

/** A range of a request: addresses as texts, or a mask. */
interface RawRange {
  readonly key?: string | null;
  readonly from?: string;
  readonly to?: string;
  readonly mask?: string;
}

function maskFault(mask: string): string {
  const [base, length] = mask.split('/');
  if (parseIp(base!) === null || !/^\d+$/.test(length ?? '')) return `Expected [ip/prefix] but was [${mask}]`;
  return `Illegal prefix length [${length}] in [${mask}]. Must be 0-32 for IPv4 ranges, 0-128 for IPv6 ranges`;
}

function maskRange(mask: string, key: string | null): AddressRange {
  const block = parseCidr(mask);
  if (!block) throw errors.illegalArgument(maskFault(mask));
  return { key: key ?? mask, from: block.low === LOWEST ? null : block.low, to: nextAddress(block.high) };
}

function rangeOf({ key = null, from, to, mask }: RawRange): AddressRange {
  return mask === undefined ? { key, from: address(from), to: address(to) } : maskRange(mask, key);
}

/** The text of a bound, a key or a mask. */
function textOf(value: unknown, container: object, key: string): string {
  if (typeof value !== 'object') return String(value);
  throw errors.refusedState(`Can't get text on a ${tokenName(value)}`, {
    location: { container, key, isAppended: 'bare' },
  });
}

const PARAMETERS: readonly string[] = ['key', 'from', 'to', 'mask'];

function rawRange({ value, site }: Item): RawRange {
  if (!isPlainObject(value))
    throw errors.parsing(`[ranges] must contain objects, but hit a ${tokenName(value)}`, { location: site });
  const raw: Record<string, string> = {};
  for (const [key, given] of Object.entries(value)) {
    if (!PARAMETERS.includes(key))
      throw errors.parsing(`Unexpected ip range parameter: [${key}]`, { location: { container: value, key } });
    if (given !== null || key === 'key' || key === 'mask') raw[key] = textOf(given, value, key);
  }
  return raw;
}

const rangesField: FieldReader<readonly AddressRange[]> = (value, site) => {
  if (typeof value !== 'object' || value === null) throw unsupported(value, site);
  return itemsOf(value, site).map((item) => {
    const raw = rawRange(item);
    return parsingAt({ container: item.value as object, at: 'end' }, () => rangeOf(raw));
  });
};

const compareBounds = (a: string | null, b: string | null, open: number): number =>
  a === b ? 0 : a === null ? open : b === null ? -open : compareTerms(a, b);

function sorted(ranges: readonly AddressRange[]): AddressRange[] {
  return [...ranges].sort((a, b) => compareBounds(a.from, b.from, -1) || compareBounds(a.to, b.to, 1));
}

function holds(range: AddressRange, term: string): boolean {
  return (
    (range.from === null || compareTerms(term, range.from) >= 0) &&
    (range.to === null || compareTerms(term, range.to) < 0)
  );
}

function collector(
  build: BuildSite,
  source: SourceRequest,
  ranges: readonly AddressRange[],
): Aggregator<IpRangePartial> {
  checkRanges(ranges, build.node.name);
  const field = resolveField(build.context, source.field, 'addresses', 'ip_range');
  const name = field?.type.name ?? '';
  const ordinals = globalOrdinals(build.context.searcher, name);
  const reader = ordinalSource(name, build.context.scratch);
  const subs = build.subs();
  const state: BucketCounts = { counts: new Int32Array(0) };
  const list = pairs(build.context.scratch);
  const width = ranges.length;
  /** For each ordinal the indexes of the ranges that hold it. Filled when an ordinal first occurs. */
  const membership = new Map<number, readonly number[]>();
  const missing = address(source.missing);
  const ofMissing = missing === null ? [] : ranges.flatMap((range, i) => (holds(range, missing) ? [i] : []));
  let map: Int32Array | null = null;
  let weights: Int32Array | null = null;
  let reserved = 1;
  const rangesOf = (own: number): readonly number[] => {
    const ordinal = map ? map[own]! : own;
    let found = membership.get(ordinal);
    if (!found) {
      const term = ordinals.term(ordinal);
      membership.set(ordinal, (found = ranges.flatMap((range, i) => (holds(range, term) ? [i] : []))));
    }
    return found;
  };
  return {
    segment(view) {
      reader.segment(view);
      subs.segment(view);
      map = ordinals.map(view);
      weights = docCounts(view);
    },
    reserve(buckets) {
      reserved = Math.max(reserved, buckets);
    },
    collect(docs, buckets, count, scores) {
      const { starts, values } = reader.readAll(docs, count);
      resetPairs(list, count * width);
      for (let i = 0; i < count; i++) {
        const inside = new Set(starts[i] === starts[i + 1] ? ofMissing : []);
        for (let j = starts[i]!; j < starts[i + 1]!; j++) for (const range of rangesOf(values[j]!)) inside.add(range);
        for (const range of inside)
          addPair(list, docs[i]!, (buckets ? buckets[i]! : 0) * width + range, scores ? scores[i]! : 0);
      }
      if (list.count > 0) flushPairs(list, state, reserved * width, subs, scores !== null, weights);
    },
    partial(bucket) {
      state.counts = growCounts(state.counts, (bucket + 1) * width);
      const counts = ranges.map((_, i) => state.counts[bucket * width + i]!);
      return { c: counts, s: counts.map((_, i) => subs.partials(bucket * width + i)) };
    },
  };
}

type IpRangePartial = {
  readonly c: readonly number[];
  readonly s: readonly (readonly Value[])[];
};

const boundText = (term: string | null): string => (term === null ? '*' : formatIp(term));

function reduce(
  ranges: readonly AddressRange[],
  keyed: boolean,
  partials: readonly (IpRangePartial | null)[],
  site: ReduceSite,
): Reduced {
  const own = present(partials);
  site.addBuckets(ranges.length);
  const buckets = ranges.map((range, i): ReducedBucket => {
    const key = range.key ?? `${boundText(range.from)}-${boundText(range.to)}`;
    const bucket: ReducedBucket = {
      key,
      keyText: key,
      docCount: own.reduce((sum, p) => sum + p.c[i]!, 0),
      subs: site.subs(own.map((p) => p.s[i]!)),
      head: () => ({
        ...(keyed ? {} : { key }),
        ...(range.from === null ? {} : { from: formatIp(range.from) }),
        ...(range.to === null ? {} : { to: formatIp(range.to) }),
        doc_count: bucket.docCount,
      }),
    };
    return bucket;
  });
  return {
    typedName: 'ip_range',
    buckets,
    render(render) {
      return { buckets: keyed ? render.keyed(this.buckets!) : render.list(this.buckets!) };
    },
  };
}

/** Ranges of addresses, by bounds or by CIDR masks. */
export const ipRange: AggregationType<IpRangePartial> = {
  name: 'ip_range',
  valueKinds: ['ip'],
  parse(site) {
    const fields = readFields(site.body, site, {
      ...sourceFields,
      ranges: atMost(RANGES_MAX, rangesField),
      keyed: booleanField,
    });
    const source = sourceOf(fields, site, 'ip');
    const ranges = sorted(fields.ranges ?? []);
    const keyed = fields.keyed ?? false;
    return {
      acceptsSubs: true,
      shape: 'multi',
      overlapping: ranges.length,
      reads: [{ source, kind: 'addresses' }],
      collector: (build) => collector(build, source, ranges),
      reduce: (partials, reduceSite) => reduce(ranges, keyed, partials, reduceSite),
    };
  },
};

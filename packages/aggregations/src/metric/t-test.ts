import { errors } from '@shoal/errors';
import { fTail } from '@shoal/learning';
import { type ParsedQuery, parseQuery, parsingAt } from '@shoal/query';
import type { Aggregator, AggregationType, BuildSite, ParseSite } from '../aggregation-type.js';
import { type DocFilter, docFilter } from '../collect/doc-filter.js';
import { growDoubles } from '../collect/growable.js';
import {
  anyField,
  type FieldReader,
  integerField,
  nameOf,
  objectOf,
  readFields,
  stringField,
} from '../parse/body-fields.js';
import { present } from '../reduce/present.js';
import { numberResult } from '../reduce/reduced.js';
import { formatter, type FormatSpec } from '../source/format.js';
import type { NumberSource } from '../source/number-source.js';
import { sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';
import { compensatedSum } from './compensated-sum.js';
import { openNumbers } from './number-metric.js';

/** A population: a field or a script, and a query that its documents match; null for all. */
interface Population {
  readonly source: SourceRequest;
  readonly filter: ParsedQuery | null;
}

/** Number, sum and sum of squares of values. */
type Moments = readonly [count: number, sum: number, squares: number];

/** Moments of both populations, or of the differences of pairs. */
type TTestPartial = readonly Moments[];

/** Sums of the values of one population by bucket. */
class MomentSums {
  #counts = new Float64Array(0);
  #sums = new Float64Array(0);
  #squares = new Float64Array(0);

  reserve(buckets: number): void {
    this.#counts = growDoubles(this.#counts, buckets);
    this.#sums = growDoubles(this.#sums, buckets);
    this.#squares = growDoubles(this.#squares, buckets);
  }

  add(bucket: number, value: number): void {
    this.#counts[bucket]! += 1;
    this.#sums[bucket]! += value;
    this.#squares[bucket]! += value * value;
  }

  of(bucket: number): Moments {
    return [this.#counts[bucket] ?? 0, this.#sums[bucket] ?? 0, this.#squares[bucket] ?? 0];
  }
}

/** Whether document i of a window is kept by a filter, which has only ascending documents without repeats. */
function keptDocs(filter: DocFilter | null, docs: Int32Array, count: number): (doc: number) => boolean {
  if (filter === null) return () => true;
  const size = filter.filter(docs, count);
  const { kept } = filter;
  let at = 0;
  return (doc) => {
    while (at < size && kept[at]! < doc) at++;
    return at < size && kept[at] === doc;
  };
}

function unpaired(build: BuildSite, populations: readonly Population[]): Aggregator<TTestPartial> {
  const parts = populations.map(({ source, filter }) => ({
    values: openNumbers(build, { ...source, format: null }).source,
    filter: filter === null ? null : docFilter(build.context.weight(filter, build.nestedPath), build.context.scratch),
    sums: new MomentSums(),
  }));
  return {
    segment(view) {
      for (const { values, filter } of parts) {
        values.segment(view);
        filter?.segment(view);
      }
    },
    reserve: (buckets) => parts.forEach(({ sums }) => sums.reserve(buckets)),
    collect(docs, buckets, count) {
      for (const { values, filter, sums } of parts) {
        if (values.isEmpty) continue;
        const isKept = keptDocs(filter, docs, count);
        const { starts, values: all } = values.readAll(docs, count);
        for (let i = 0; i < count; i++) {
          if (starts[i] === starts[i + 1] || !isKept(docs[i]!)) continue;
          for (let j = starts[i]!; j < starts[i + 1]!; j++) sums.add(buckets ? buckets[i]! : 0, all[j]!);
        }
      }
    },
    partial: (bucket) => parts.map(({ sums }) => sums.of(bucket)),
  };
}

/** The one value of each document of a window, NaN for none. */
function singles(source: NumberSource, docs: Int32Array, count: number): Float64Array {
  const values = new Float64Array(count).fill(Number.NaN);
  if (source.isEmpty) return values;
  const { starts, values: all } = source.readAll(docs, count);
  for (let i = 0; i < count; i++) {
    if (starts[i + 1]! - starts[i]! > 1)
      throw errors.aggregationExecution(
        'Encountered more than one value for a single document. Use a script to combine multiple values per doc into ' +
          'a single value.',
      );
    if (starts[i + 1]! > starts[i]!) values[i] = all[starts[i]!]!;
  }
  return values;
}

function paired(build: BuildSite, populations: readonly Population[]): Aggregator<TTestPartial> {
  const [a, b] = populations.map(({ source }) => openNumbers(build, { ...source, format: null }).source);
  const sums = new MomentSums();
  return {
    segment(view) {
      a!.segment(view);
      b!.segment(view);
    },
    reserve: (buckets) => sums.reserve(buckets),
    collect(docs, buckets, count) {
      const [first, second] = [singles(a!, docs, count), singles(b!, docs, count)];
      for (let i = 0; i < count; i++) {
        const difference = first[i]! - second[i]!;
        if (!Number.isNaN(difference)) sums.add(buckets ? buckets[i]! : 0, difference);
      }
    },
    partial: (bucket) => [sums.of(bucket)],
  };
}

const mean = ([count, sum]: Moments): number => sum / count;
const variance = ([count, sum, squares]: Moments): number => Math.max(0, (squares - (sum * sum) / count) / (count - 1));

/** Probability of a value at least as far from 0 as `t`, on one side or on both, in Student's distribution. */
const tail = (t: number, freedom: number, tails: number): number => (fTail(t * t, 1, freedom) * tails) / 2;

type Kind = 'paired' | 'homoscedastic' | 'heteroscedastic';

/** The p-value of Student's t-test, or Welch's for unequal variances; NaN for too few values. */
function pValue(kind: Kind, moments: readonly Moments[], tails: number): number {
  if (moments.some(([count]) => count < 2)) return Number.NaN;
  const [a, b] = moments as [Moments, Moments];
  if (kind === 'paired') return tail(mean(a) / Math.sqrt(variance(a) / a[0]), a[0] - 1, tails);
  const [n, m, v, w] = [a[0], b[0], variance(a), variance(b)];
  const distance = mean(a) - mean(b);
  if (kind === 'homoscedastic') {
    const pooled = ((n - 1) * v + (m - 1) * w) / (n + m - 2);
    return tail(distance / Math.sqrt(pooled * (1 / n + 1 / m)), n + m - 2, tails);
  }
  const sum = v / n + w / m;
  const freedom = (sum * sum) / ((v * v) / (n * n * (n - 1)) + (w * w) / (m * m * (m - 1)));
  return tail(distance / Math.sqrt(sum), freedom, tails);
}

function merged(partials: readonly TTestPartial[], populations: number): Moments[] {
  return Array.from({ length: populations }, (_, i): Moments => {
    const of = (member: 0 | 1 | 2): number => compensatedSum(partials.map((all) => all[i]?.[member] ?? 0));
    return [of(0), of(1), of(2)];
  });
}

const populationField =
  (site: ParseSite): FieldReader<Population> =>
  (value, at) => {
    const { field, script, missing, value_type } = sourceFields;
    const given = objectOf({ field, script, missing, value_type, filter: anyField }, 'field_config')(value, at);
    return parsingAt({ container: at.container, key: at.key, at: 'end' }, () => {
      if (given.field === undefined && given.script === undefined)
        throw errors.illegalArgument('[field] and [script] cannot both be null.  Please specify one or the other.');
      const filter = given.filter === undefined ? null : parseQuery(given.filter, site.context);
      return { source: sourceOf(given, site, 'double'), filter };
    });
  };

const KINDS = ['paired', 'homoscedastic', 'heteroscedastic'] as const;
const kindField = nameOf(KINDS, (text) =>
  errors.illegalArgument(`No enum constant org.elasticsearch.xpack.analytics.ttest.TTestType.${text.toUpperCase()}`),
);
const tailsField: FieldReader<number> = (value, site) => {
  const tails = integerField(value, site);
  if (tails < 1 || tails > 2)
    throw errors.illegalArgument(`[tails] must be 1 or 2. Found [${tails}] in [${site.name}]`);
  return tails;
};

/** `t_test`: how likely the means of two populations differ that much by chance (Student's and Welch's tests). */
export const tTest: AggregationType<TTestPartial> = {
  name: 't_test',
  valueKinds: ['numeric'],
  parse(site) {
    const population = populationField(site);
    const fields = readFields(site.body, site, {
      a: population,
      b: population,
      type: kindField,
      tails: tailsField,
      format: stringField,
    });
    const { a, b, type: kind = 'heteroscedastic', tails = 2, format } = fields;
    const given = [a, b].filter((one) => one !== undefined);
    const spec: FormatSpec | null = format === undefined ? null : { k: 'decimal', p: format };
    return {
      acceptsSubs: false,
      shape: 'metric',
      numbers: 'value',
      reads: given.map(({ source }) => ({ source, kind: 'numbers', mustBeNumeric: true })),
      queries: given.flatMap(({ filter }) => filter ?? []),
      collector(build) {
        if (given.length < 2)
          throw errors.illegalArgument(`Could not find field name [${a ? 'b' : 'a'}] in multiValuesSource`);
        if (kind !== 'paired') return unpaired(build, given);
        if (given.some(({ filter }) => filter !== null))
          throw errors.illegalArgument("Paired t-test doesn't support filters");
        return paired(build, given);
      },
      reduce(partials) {
        const value = pValue(kind, merged(present(partials), kind === 'paired' ? 1 : 2), tails);
        if (Number.isNaN(value)) return numberResult('t_test', null);
        return numberResult('t_test', value, spec === null ? null : formatter(spec).shown(value));
      },
    };
  },
};

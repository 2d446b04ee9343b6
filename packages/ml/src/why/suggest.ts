import { type CallContext, OwnCalls } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { OPEN_ONLY, resolveIndices } from '@shoal/state';
import { timeText } from '../jobs/time-text.js';
import type { MlDoors } from '../ml-doors.js';

/** Fields whose values are looked at, of each kind. */
const FIELDS_MAX = 40;
/** Spans that are proposed, in seconds; the shortest one with enough documents a bucket. */
const SPANS_S = [60, 300, 900, 1800, 3600, 10_800, 86_400];
const DOCUMENTS_OF_BUCKET = 10;
/** Buckets that the documents should fill: a job learns nothing of fewer. */
const BUCKETS_WANTED = 200;
/** Values of a field that splits a job, that explains results, and of one that has members or rare values. */
const SPLIT_VALUES = [2, 50] as const;
const INFLUENCER_VALUES = [2, 5000] as const;
const MANY_VALUES = [20, 1_000_000] as const;
const METRICS_MAX = 3;
const INFLUENCERS_MAX = 3;

const TEXTS = new Set(['keyword', 'ip', 'constant_keyword', 'wildcard', 'boolean', 'version']);
const NUMBERS = new Set(['long', 'integer', 'short', 'byte', 'double', 'float', 'half_float', 'scaled_float']);
/** Names of numbers that count or name something, rather than measure it. */
const NAMES_A_THING = /(?:^|[._-])(?:id|port|pid|code|version|year|zip|offset|line)$|Id$/;

interface Field {
  readonly name: string;
  readonly type: string;
}

interface Found {
  readonly documents: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly spanS: number;
  /** Fields of texts with how many values they have. */
  readonly texts: readonly { readonly name: string; readonly values: number }[];
  /** Numbers that vary. */
  readonly numbers: readonly string[];
  /** Fields of lines of text. */
  readonly lines: readonly string[];
}

/**
 * Proposes jobs for indices by their fields, how many values these have and how dense the documents lie. Each proposal
 * is a body for `_preview`, and for a job with its datafeed.
 */
export async function suggestJobs(doors: MlDoors, body: JsonObject, call: CallContext): Promise<JsonObject> {
  const unknown = Object.keys(body).find((key) => !['index', 'time_field', 'query'].includes(key));
  if (unknown !== undefined) throw errors.xContentParse(`[suggest] unknown field [${unknown}]`);
  const indices = [body['index'] ?? []].flat().flatMap((name) => String(name).split(','));
  if (indices.length === 0) throw errors.illegalArgument('[index] must name the indices to look at');
  const query = (body['query'] ?? { match_all: {} }) as JsonObject;
  const fields = fieldsOf(doors, indices, call);
  const timeField = timeFieldOf(fields, body['time_field']);
  const calls = new OwnCalls(doors.coordinator, call.subject, call.signal);
  const found = await look(calls, indices, query, timeField, fields);
  const shown = { indices, time_field: timeField, documents: found.documents };
  if (found.documents === 0) return { ...shown, suggestions: [] };
  const suggestions = proposals(found).map(({ name, reason, analysis }) => ({
    ...{ name, reason },
    job: {
      analysis_config: { bucket_span: timeText(found.spanS * 1000), ...analysis },
      data_description: { time_field: timeField },
      datafeed_config: { indices, query },
    },
  }));
  return { ...shown, from: found.fromMs, to: found.toMs, suggestions };
}

function fieldsOf({ cluster, clock, coordinator }: MlDoors, indices: string[], { subject }: CallContext): Field[] {
  const access = subject.permissions.indexAccess('indices:data/read/search');
  const metas = resolveIndices(cluster.state(), indices, OPEN_ONLY, access, clock.now());
  if (metas.length === 0) throw errors.indexNotFound(`no such index [${indices.join(',')}]`);
  const types = new Map<string, Set<string>>();
  for (const meta of metas)
    for (const { name, typeName } of coordinator.mappingOf(meta).fields) {
      if (name.startsWith('_')) continue;
      const own = types.get(name) ?? new Set<string>();
      own.add(typeName);
      types.set(name, own);
    }
  return [...types].flatMap(([name, own]) => (own.size === 1 ? [{ name, type: [...own][0]! }] : []));
}

function timeFieldOf(fields: readonly Field[], given: unknown): string {
  const dates = fields.filter(({ type }) => type === 'date' || type === 'date_nanos').map(({ name }) => name);
  if (given !== undefined && given !== null) {
    if (dates.includes(String(given))) return String(given);
    throw errors.illegalArgument(`[time_field] [${String(given)}] is no field of dates of all indices`);
  }
  const usual = ['@timestamp', 'timestamp', 'time', 'date'].find((name) => dates.includes(name)) ?? dates[0];
  if (usual === undefined) throw errors.illegalArgument('the indices have no field of dates, which a job needs');
  return usual;
}

async function look(
  calls: OwnCalls,
  indices: readonly string[],
  query: JsonObject,
  timeField: string,
  fields: readonly Field[],
): Promise<Found> {
  const names = (test: (type: string) => boolean): string[] =>
    fields.filter(({ type }) => test(type)).map(({ name }) => name);
  const texts = names((type) => TEXTS.has(type)).slice(0, FIELDS_MAX);
  const numbers = names((type) => NUMBERS.has(type))
    .filter((name) => !NAMES_A_THING.test(name))
    .slice(0, FIELDS_MAX);
  const aggs: Record<string, JsonObject> = {
    from: { min: { field: timeField } },
    to: { max: { field: timeField } },
  };
  texts.forEach((field, i) => (aggs[`t${i}`] = { cardinality: { field } }));
  numbers.forEach((field, i) => (aggs[`n${i}`] = { extended_stats: { field } }));
  const answer = await calls.searchPlain(indices, { size: 0, track_total_hits: true, query, aggs });
  const documents = (answer['hits'] as { total: { value: number } }).total.value;
  const values = (answer['aggregations'] ?? {}) as Record<string, { value?: number; std_deviation?: number | null }>;
  const [fromMs, toMs] = [values['from']?.value ?? 0, values['to']?.value ?? 0];
  const rangeS = Math.max(1, (toMs - fromMs) / 1000);
  return {
    ...{ documents, fromMs, toMs },
    spanS: spanOf(documents / rangeS, rangeS),
    texts: texts.map((name, i) => ({ name, values: values[`t${i}`]?.value ?? 0 })),
    numbers: numbers.filter((_, i) => (values[`n${i}`]?.std_deviation ?? 0) > 0),
    lines: names((type) => type === 'text' || type === 'match_only_text').filter(
      (name) => !fields.some((field) => field.name === `${name}.keyword`) || name === 'message',
    ),
  };
}

/** The shortest span with enough documents a bucket, but none that leaves too few buckets. */
function spanOf(documentsOfSecond: number, rangeS: number): number {
  const enough = SPANS_S.find((spanS) => spanS * documentsOfSecond >= DOCUMENTS_OF_BUCKET) ?? SPANS_S.at(-1)!;
  const longest = SPANS_S.findLast((spanS) => rangeS / spanS >= BUCKETS_WANTED) ?? SPANS_S[0]!;
  return Math.min(enough, longest);
}

interface Proposal {
  readonly name: string;
  readonly reason: string;
  readonly analysis: JsonObject;
}

function proposals({ texts, numbers, lines, spanS }: Found): Proposal[] {
  const within = ([least, most]: readonly [number, number]): typeof texts =>
    texts.filter(({ values }) => values >= least && values <= most).toSorted((a, b) => a.values - b.values);
  const split = within(SPLIT_VALUES).at(-1) ?? null;
  const many = within(MANY_VALUES).at(-1) ?? null;
  const influencers = within(INFLUENCER_VALUES)
    .slice(0, INFLUENCERS_MAX)
    .map(({ name }) => name);
  const partition = split === null ? {} : { partition_field_name: split.name };
  const of = split === null ? '' : ` of each ${split.name} (${split.values} values)`;
  const span = timeText(spanS * 1000);
  const made: Proposal[] = [
    {
      name: 'rate',
      reason: `the number of documents${of} in ${span}: outages and floods`,
      analysis: { detectors: [{ function: 'count', ...partition }], influencers },
    },
  ];
  if (numbers.length > 0)
    made.push({
      name: 'metrics',
      reason: `the mean of ${numbers.slice(0, METRICS_MAX).join(', ')}${of} in ${span}`,
      analysis: {
        detectors: numbers
          .slice(0, METRICS_MAX)
          .map((field) => ({ function: 'mean', field_name: field, ...partition })),
        influencers,
      },
    });
  if (many !== null) {
    made.push({
      name: 'population',
      reason: `values of ${many.name} (about ${many.values}) that do far more than the others`,
      analysis: { detectors: [{ function: 'high_count', over_field_name: many.name }], influencers: [many.name] },
    });
    made.push({
      name: 'rare',
      reason: `values of ${many.name} that hardly ever came before`,
      analysis: { detectors: [{ function: 'rare', by_field_name: many.name }], influencers: [many.name] },
    });
  }
  if (lines.length > 0)
    made.push({
      name: 'messages',
      reason: `kinds of lines of ${lines[0]!} that come more often, less often or for the first time`,
      analysis: {
        categorization_field_name: lines[0]!,
        detectors: [{ function: 'count', by_field_name: 'mlcategory' }],
        influencers: [...influencers, 'mlcategory'],
      },
    });
  return made;
}

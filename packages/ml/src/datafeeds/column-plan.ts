import type { Coordinator } from '@shoal/coordinator';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { CATEGORY_FIELD, type DetectorSpec } from '@shoal/learning';
import type { JobConfig } from '../jobs/job-config.js';
import type { DatafeedConfig } from './datafeed-config.js';

type Mapping = ReturnType<Coordinator['mappingOf']>;

/** Which fields of a job are read from columns, added up by bucket. */
export interface ColumnPlan {
  /** Fields whose values tell rows apart: splits, influencers, values that are counted once. */
  readonly keys: readonly string[];
  /** Fields whose values are added up, and those of them whose squares are needed. */
  readonly amounts: readonly string[];
  readonly squares: ReadonlySet<string>;
}

/** A plan, or why documents must be read one by one. */
export type ColumnChoice = { readonly plan: ColumnPlan } | { readonly why: string };

/** Measures that are functions of counts, sums, extremes and distinct values. */
const OF_AMOUNTS = new Set(['mean', 'sum', 'nonNullSum', 'min', 'max', 'varp']);
const OF_KEYS = new Set(['count', 'nonZeroCount', 'distinctCount', 'rare', 'freqRare']);

/** Types whose columns hold what the source says, digit for digit. */
const KEY_TYPES = new Set(['keyword', 'ip', 'long', 'integer', 'short', 'byte']);
const AMOUNT_TYPES = new Set(['long', 'integer', 'short', 'byte', 'double']);
/** Parameters of fields that leave their columns equal to their sources. */
const PLAIN_PARAMETERS = new Set(['type', 'index', 'store', 'doc_values', 'fields', 'meta', 'coerce', 'ignore_above']);
/** Sources of a composite aggregation. */
const KEYS_MAX = 12;

/** Decides whether a job can be given the documents of a datafeed as sums of columns. */
export function chooseColumns(job: JobConfig, feed: DatafeedConfig, mappings: readonly Mapping[]): ColumnChoice {
  const why = obstacleOf(job, feed);
  if (why !== null) return { why };
  const keys = new Set<string>(job.influencers);
  const amounts = new Set<string>();
  const squares = new Set<string>();
  for (const { spec } of job.detectors) {
    for (const split of [spec.partition, spec.by, spec.over]) if (split !== null) keys.add(split);
    if (spec.field === null) continue;
    if (!OF_AMOUNTS.has(spec.function.measure)) keys.add(spec.field);
    else amounts.add(spec.field);
    if (spec.function.measure === 'varp') squares.add(spec.field);
  }
  if (keys.size >= KEYS_MAX) return { why: `more than [${KEYS_MAX - 1}] fields tell its documents apart` };
  // A row has one value of a field: the key, or what its values add up to.
  const both = [...amounts].find((field) => keys.has(field));
  if (both !== undefined) return { why: `the field [${both}] both tells documents apart and is added up` };
  const wrong = wrongField(mappings, job.timeField, keys, amounts);
  return wrong === null ? { plan: { keys: [...keys], amounts: [...amounts], squares } } : { why: wrong };
}

const isOther = ({ function: { measure } }: DetectorSpec): boolean => !OF_AMOUNTS.has(measure) && !OF_KEYS.has(measure);

function obstacleOf(
  { detectors, categorization, summaryCount, latencyS }: JobConfig,
  feed: DatafeedConfig,
): string | null {
  if (feed.aggregations !== null) return 'the datafeed has aggregations of its own';
  if (feed.scriptFields !== null) return 'the datafeed has script fields';
  if (feed.runtime !== null && Object.keys(feed.runtime).length > 0) return 'the datafeed has runtime fields';
  if (categorization !== null) return `the job needs [${CATEGORY_FIELD}]`;
  if (summaryCount !== null) return 'the job has a summary count field';
  if (latencyS > 0) return 'the job has a latency';
  const other = detectors.find(({ spec }) => isOther(spec));
  return other === undefined ? null : `the function [${other.spec.function.name}] needs single values`;
}

function wrongField(
  mappings: readonly Mapping[],
  time: string,
  keys: ReadonlySet<string>,
  amounts: ReadonlySet<string>,
): string | null {
  if (mappings.length === 0) return 'there is no index';
  for (const mapping of mappings) {
    const body = mapping.toJson() as JsonObject;
    const check = (field: string, types: ReadonlySet<string>): string | null => {
      const found = mapping.field(field);
      const isColumn = found !== null && types.has(found.typeName) && found.isAggregatable;
      // A field that others are copied to has values that it has not in the source.
      if (isColumn && isPlain(body, field) && mapping.sourcePaths(field).length === 1) return null;
      return `the values of the field [${field}] are not in a column as they are in the source`;
    };
    const wrong =
      check(time, new Set(['date'])) ??
      firstOf([...keys], (field) => check(field, KEY_TYPES)) ??
      firstOf([...amounts], (field) => check(field, AMOUNT_TYPES));
    if (wrong !== null) return wrong;
  }
  return null;
}

function firstOf(fields: readonly string[], check: (field: string) => string | null): string | null {
  for (const field of fields) {
    const found = check(field);
    if (found !== null) return found;
  }
  return null;
}

/** Whether the definition of a field, which no nested object holds, has parameters that change no value. */
function isPlain(mapping: JsonObject, path: string): boolean {
  let level = mapping['properties'];
  let rest = path;
  while (isPlainObject(level)) {
    const own = longestKey(level, rest);
    const body = own === null ? undefined : level[own];
    if (own === null || !isPlainObject(body)) return false;
    if (own.length === rest.length) {
      const isDate = body['type'] === 'date';
      return Object.keys(body).every((key) => PLAIN_PARAMETERS.has(key) || (isDate && key === 'format'));
    }
    if (body['type'] === 'nested') return false;
    rest = rest.slice(own.length + 1);
    level = isPlainObject(body['properties']) ? body['properties'] : body['fields'];
  }
  return false;
}

/** The longest member of a level that a path begins with: names may have dots. */
function longestKey(level: JsonObject, path: string): string | null {
  const parts = path.split('.');
  for (let n = parts.length; n > 0; n--) {
    const key = parts.slice(0, n).join('.');
    if (Object.hasOwn(level, key)) return key;
  }
  return null;
}

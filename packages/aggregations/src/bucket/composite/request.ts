import { type ApiError, type ErrorLocation, errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { parsingAt, type ScriptedType } from '@shoal/query';
import type { ParseSite } from '../../aggregation-type.js';
import {
  anyField,
  booleanField,
  type FieldReader,
  type FieldReaders,
  integerFrom,
  type Item,
  atMost,
  itemsOf,
  nameOf,
  numberField,
  objectField,
  readFields,
  tokenName,
  unsupported,
} from '../../parse/body-fields.js';
import { geotilePrecision } from '../geo-grid.js';
import { sourceFields, sourceOf } from '../../source/values-source.js';
import { calendarField, fixedField, offsetField, roundingOf, zoneField } from '../date-histogram.js';
import type { CompositeSource } from './source.js';

/** Parsed request of a composite aggregation. */
export interface CompositeRequest {
  readonly sources: readonly CompositeSource[];
  readonly size: number;
  readonly after: Readonly<Record<string, unknown>> | null;
}

const common = {
  field: sourceFields.field,
  script: sourceFields.script,
  value_type: sourceFields.value_type,
  order: nameOf(['asc', 'desc'], (text) => errors.illegalArgument(`Unknown sort order: ${text}`)),
  missing_bucket: booleanField,
  missing_order: nameOf(['first', 'last', 'default'], (text) =>
    errors.illegalArgument(`Unknown missingOrder [${text}]`),
  ),
} satisfies FieldReaders;

const intervalField: FieldReader<number> = (value, site) => {
  const interval = numberField(value, site);
  if (interval > 0) return interval;
  throw errors.illegalArgument('[interval] must be greater than 0 for [histogram] source');
};

const OWN: Readonly<Record<CompositeSource['type'], FieldReaders>> = {
  terms: {},
  histogram: { interval: intervalField },
  date_histogram: {
    format: sourceFields.format,
    calendar_interval: calendarField,
    fixed_interval: fixedField,
    time_zone: zoneField,
    offset: offsetField,
  },
  geotile_grid: { precision: geotilePrecision, bounds: anyField },
};

/** Types of what scripts of the sources return. */
const SCRIPT_TYPES: Readonly<Record<CompositeSource['type'], ScriptedType | null>> = {
  terms: 'keyword',
  histogram: 'double',
  date_histogram: 'date',
  geotile_grid: null,
};

function parseSource(
  site: ParseSite,
  name: string,
  type: CompositeSource['type'],
  body: Readonly<Record<string, unknown>>,
): CompositeSource {
  const fields = readFields(body, { type, name }, { ...common, ...OWN[type] } as typeof common &
    Record<string, typeof anyField>) as Record<string, unknown>;
  const zone = (fields['time_zone'] as string | undefined) ?? null;
  const rounding =
    type === 'date_histogram'
      ? roundingOf(
          fields['calendar_interval'] as never,
          fields['fixed_interval'] as never,
          zone ?? 'UTC',
          (fields['offset'] as number | undefined) ?? 0,
        )
      : null;
  const interval = (fields['interval'] as number | undefined) ?? 0;
  if (type === 'histogram' && interval === 0)
    throw errors.illegalArgument('[interval] must be greater than 0 for [histogram] source');
  const ascending = fields['order'] !== 'desc';
  const missingOrder = (fields['missing_order'] as string | undefined) ?? 'default';
  return {
    name,
    type,
    request: sourceOf(fields as Parameters<typeof sourceOf>[0], site, SCRIPT_TYPES[type], zone),
    ascending,
    missingBucket: (fields['missing_bucket'] as boolean | undefined) ?? false,
    missingFirst: missingOrder === 'default' ? ascending : missingOrder === 'first',
    interval,
    rounding,
    precision: (fields['precision'] as number | undefined) ?? 7,
  };
}

/** Returns the first key of an object, whose value is an object too, and the keys after it. */
function first(
  container: object,
  place: string | number,
): readonly [key: string, inner: Body, others: readonly string[]] {
  const value = (container as Record<string | number, unknown>)[place];
  if (!isPlainObject(value)) throw unexpectedToken('START_OBJECT', tokenName(value), { container, key: place });
  const [key, ...others] = Object.keys(value);
  if (key === undefined) throw unexpectedToken('FIELD_NAME', 'END_OBJECT', { container, key: place, at: 'end' });
  const inner = value[key];
  if (!isPlainObject(inner)) throw unexpectedToken('START_OBJECT', tokenName(inner), { container: value, key });
  return [key, inner, others];
}

type Body = Readonly<Record<string, unknown>>;

const unexpectedToken = (wanted: string, found: string, location: ErrorLocation): ApiError =>
  errors.parsing(`Failed to parse object: expecting token of type [${wanted}] but found [${found}]`, { location });

/** Sources of one aggregation at most: each keeps values of a window of documents while it is collected. */
const SOURCES_MAX = 100;

/** Reads `sources`: a list, or one source. Errors that concern all of them are found when the list ends. */
function sourcesField(site: ParseSite): FieldReader<readonly CompositeSource[]> {
  return (value, at) => {
    if (typeof value !== 'object' || value === null) throw unsupported(value, at);
    const sources = itemsOf(value, at).map((item) => parseItem(site, item));
    return parsingAt({ container: at.container, key: at.key, at: 'end' }, () => checked(sources));
  };
}

function parseItem(site: ParseSite, { site: { container, key } }: Item): CompositeSource {
  const [name, outer, otherNames] = first(container, key);
  const item = (container as Record<string | number, Body>)[key]!;
  const [type, body, otherTypes] = first(item, name);
  if (!Object.hasOwn(OWN, type))
    throw errors.parsing(`invalid source type: ${type}`, { location: { container: outer, key: type } });
  const source = parseSource(site, name, type as CompositeSource['type'], body);
  // 8.12 does not look at what follows a source in its object, and takes it for the next item of the list.
  if (otherTypes.length > 0) throw notAnItem(outer, otherTypes[0]!);
  const [next] = otherNames;
  if (next === undefined) return source;
  first(item, next);
  throw errors.parsing(`[${site.name}] has two sources in one object: [${name}] and [${next}]`, {
    location: { container: item, key: next },
  });
}

function notAnItem(outer: Body, key: string): ApiError {
  const isObject = isPlainObject(outer[key]);
  const error = errors.refusedState(`expected value but got [${isObject ? 'FIELD_NAME' : 'END_OBJECT'}]`);
  error.parserAt = isObject ? { container: outer, key, at: 'next' } : { container: outer, at: 'end' };
  return error;
}

const notBuilt = (reason: string): ApiError =>
  errors.xContentParse('Failed to build [composite] after last required field arrived', {
    cause: errors.illegalArgument(reason),
  });

/** Refuses no sources, and sources of equal names. */
function checked(sources: readonly CompositeSource[]): readonly CompositeSource[] {
  if (sources.length === 0) throw notBuilt('Composite [sources] cannot be null or empty');
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { name } of sources) (seen.has(name) ? twice : seen).add(name);
  if (twice.size === 0) return sources;
  throw notBuilt(`Composite source names must be unique, found duplicates: [${[...twice].join(', ')}]`);
}

/** Reads the body of a composite aggregation. */
export function parseComposite(site: ParseSite): CompositeRequest {
  const fields = readFields(site.body, site, {
    sources: atMost(SOURCES_MAX, sourcesField(site)),
    size: integerFrom(1, 'size'),
    after: objectField,
  });
  const { sources, size = 10, after = null } = fields;
  if (sources === undefined) throw errors.illegalArgument('Required [sources]');
  return { sources, size, after };
}

import { type ApiError, errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { ParseSite } from '../../aggregation-type.js';
import {
  anyField,
  booleanField,
  type FieldReaders,
  integerField,
  integerFrom,
  nameOf,
  numberField,
  objectField,
  readFields,
} from '../../parse/body-fields.js';
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
  ...sourceFields,
  order: nameOf(['asc', 'desc'], (text) => errors.illegalArgument(`Unknown sort order: ${text}`)),
  missing_bucket: booleanField,
  missing_order: nameOf(['first', 'last', 'default'], (text) =>
    errors.illegalArgument(`Unknown missingOrder [${text}]`),
  ),
} satisfies FieldReaders;

const OWN: Readonly<Record<CompositeSource['type'], FieldReaders>> = {
  terms: {},
  histogram: { interval: numberField },
  date_histogram: {
    calendar_interval: calendarField,
    fixed_interval: fixedField,
    time_zone: zoneField,
    offset: offsetField,
  },
  geotile_grid: { precision: integerField, bounds: anyField },
};

const wrapped = (site: ParseSite, cause: ApiError): ApiError =>
  errors.xContentParse(`[composite] failed to parse field [sources]`, {
    cause,
    location: { container: site.body, key: 'sources' },
  });

function parseSource(
  name: string,
  type: CompositeSource['type'],
  body: Readonly<Record<string, unknown>>,
): CompositeSource {
  const fields = readFields(body, { type, name }, { ...common, ...OWN[type] } as typeof common &
    Record<string, typeof anyField>) as Record<string, unknown>;
  const zone = (fields['time_zone'] as string | undefined) ?? 'UTC';
  const rounding =
    type === 'date_histogram'
      ? roundingOf(
          fields['calendar_interval'] as never,
          fields['fixed_interval'] as never,
          zone,
          (fields['offset'] as number | undefined) ?? 0,
        )
      : null;
  if (type === 'date_histogram' && !rounding)
    throw errors.illegalArgument('Invalid interval specified, must be non-null and non-empty');
  const interval = (fields['interval'] as number | undefined) ?? 0;
  if (type === 'histogram' && !(interval > 0))
    throw errors.illegalArgument('[interval] must be greater than 0 for [histogram] source');
  const ascending = fields['order'] !== 'desc';
  const missingOrder = (fields['missing_order'] as string | undefined) ?? 'default';
  return {
    name,
    type,
    request: sourceOf(fields as Parameters<typeof sourceOf>[0], zone),
    ascending,
    missingBucket: (fields['missing_bucket'] as boolean | undefined) ?? false,
    missingFirst: missingOrder === 'default' ? ascending : missingOrder === 'first',
    interval,
    rounding,
    precision: (fields['precision'] as number | undefined) ?? 7,
  };
}

function single(value: unknown, what: string): readonly [string, Readonly<Record<string, unknown>>] {
  const entries = isPlainObject(value) ? Object.entries(value) : [];
  if (entries.length !== 1 || !isPlainObject(entries[0]![1])) throw errors.parsing(`Invalid composite ${what}`);
  return [entries[0]![0], entries[0]![1]];
}

function parseSources(site: ParseSite): CompositeSource[] {
  const list = site.body['sources'];
  if (list === undefined) throw errors.illegalArgument('Required [sources]');
  if (!Array.isArray(list) || list.length === 0) {
    const cause = errors.xContentParse('Failed to build [composite] after last required field arrived', {
      cause: errors.illegalArgument('Composite [sources] cannot be null or empty'),
    });
    throw wrapped(site, cause);
  }
  return list.map((item) => {
    const [name, outer] = single(item, 'source');
    const [type, body] = single(outer, 'source type');
    if (!Object.hasOwn(OWN, type))
      throw wrapped(
        site,
        errors.parsing(`invalid source type: ${type}`, { location: { container: outer, key: type } }),
      );
    return parseSource(name, type as CompositeSource['type'], body);
  });
}

function checkUnique(sources: readonly CompositeSource[], site: ParseSite): void {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { name } of sources) (seen.has(name) ? twice : seen).add(name);
  if (twice.size === 0) return;
  const cause = errors.xContentParse('Failed to build [composite] after last required field arrived', {
    cause: errors.illegalArgument(
      `Composite source names must be unique, found duplicates: [${[...twice].join(', ')}]`,
    ),
  });
  throw wrapped(site, cause);
}

/** Reads the body of a composite aggregation. */
export function parseComposite(site: ParseSite): CompositeRequest {
  const fields = readFields(site.body, site, { sources: anyField, size: integerFrom(1, 'size'), after: objectField });
  const sources = parseSources(site);
  checkUnique(sources, site);
  return { sources, size: fields.size ?? 10, after: fields.after ?? null };
}

import { type Field, timeFieldOf } from '../../explore/fields.js';
import { type QueryContext, timeBuckets, wholeQuery } from '../../explore/search-body.js';
import { type ChartStep, type TimeSpan, intervalOf } from '../../explore/time-range.js';
import type { Query } from '../../kql/kql-query.js';
import type { Dashboard, Measure, Panel } from './panel.js';

/** What requests of panels are made with. */
export interface PanelContext extends QueryContext {
  readonly fields: readonly Field[];
  readonly timeZone: string;
}

/** Values of a field that a panel shows, and series of a chart. */
const SIZES = { terms: 10, pie: 4, table: 100, heat_map: 10, split: 4 } as const;
/** Columns of a heat map at most. */
const HEAT_COLUMNS = 24;
/** Cells of a map, and the level of its grid: 32 × 32 cells for the world. */
const MAP = { cells: 1_000, precision: 5 } as const;

/** The field of time of a panel's indices: that of a date histogram itself, else the one that fits. */
export const panelTimeField = ({ kind, field }: Panel, fields: readonly Field[]): string | null =>
  timeFieldOf(fields, kind === 'date_histogram' && field !== '' ? field : null);

/** The query of a panel: that of the dashboard within its span. Throws KqlError. */
export const panelQuery = (
  dashboard: Pick<Dashboard, 'text' | 'language' | 'filters'>,
  context: PanelContext,
  timeField: string | null,
  span: TimeSpan | null,
): Query => wholeQuery(dashboard, context, timeField === null || span === null ? null : { field: timeField, span });

const measured = ({ op, field }: Measure): object => (op === 'count' ? {} : { aggs: { m: { [op]: { field } } } });

/** Buckets by the values of a field, those with the greatest measure first. */
const termsOf = (field: string, size: number, measure: Measure): object => ({
  terms: { field, size, ...(measure.op === 'count' ? {} : { order: { m: 'desc' } }) },
  ...measured(measure),
});

/** Whether the request has to know the ends of the time. */
export const needsSpan = ({ kind }: Panel): boolean => kind === 'date_histogram' || kind === 'heat_map';

/** Body of the request of a panel of a kind that has one. `span`: the range, or the ends of the time. */
export function panelBody(
  { kind, field, split, measure }: Panel,
  query: Query,
  { timeZone }: PanelContext,
  timeField: string | null,
  span: TimeSpan | null,
): object {
  const body = { size: 0, track_total_hits: true, query };
  const inTime = timeField === null || span === null ? null : { timeField, span };
  switch (kind) {
    case 'date_histogram':
      if (inTime === null) return body;
      return {
        ...body,
        aggs: {
          time: {
            ...timeBuckets(inTime.timeField, inTime.span, timeZone),
            ...measured(measure),
            ...(split === ''
              ? {}
              : { aggs: { split: termsOf(split, SIZES.split, measure), ...measuredAggs(measure) } }),
          },
          ...(split === '' ? {} : { series: { terms: { field: split, size: SIZES.split } } }),
        },
      };
    case 'terms':
    case 'table':
      return { ...body, aggs: { values: termsOf(field, SIZES[kind], measure) } };
    case 'pie':
      return { ...body, aggs: { values: termsOf(field, SIZES.pie, measure), ...wholeOf(field, measure) } };
    case 'metric':
    case 'gauge':
      return measure.op === 'count' ? body : { ...body, ...measured(measure) };
    case 'heat_map':
      return {
        ...body,
        aggs: { values: { ...termsOf(field, SIZES.heat_map, measure), aggs: heatAggs(measure, inTime, timeZone) } },
      };
    default:
      return {
        ...body,
        aggs: {
          cells: { geotile_grid: { field, precision: MAP.precision, size: MAP.cells }, ...measured(measure) },
        },
      };
  }
}

/** The measure of all documents that have a value: counts of buckets tell it themselves. */
const wholeOf = (field: string, measure: Measure): object =>
  measure.op === 'count' ? {} : { whole: { filter: { exists: { field } }, ...measured(measure) } };

const measuredAggs = ({ op, field }: Measure): object => (op === 'count' ? {} : { m: { [op]: { field } } });

function heatAggs(
  measure: Measure,
  inTime: { readonly timeField: string; readonly span: TimeSpan } | null,
  timeZone: string,
): object {
  if (inTime === null) return measuredAggs(measure);
  const time = timeBuckets(inTime.timeField, inTime.span, timeZone, HEAT_COLUMNS);
  return { ...measuredAggs(measure), time: { ...time, ...measured(measure) } };
}

/** The steps of a panel's time. */
export const panelStep = ({ kind }: Panel, span: TimeSpan): ChartStep =>
  intervalOf(span, kind === 'heat_map' ? HEAT_COLUMNS : undefined);

/** The span just before, of the same length: what a metric is compared with. */
export const spanBefore = ({ from, to }: TimeSpan): TimeSpan => ({ from: from - (to - from) - 1, to: from - 1 });

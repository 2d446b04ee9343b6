import { csvCell, csvHead, csvLine, type ExactJson, parseExact } from '@shoal/values';
import type { Filter } from '../../explore/filters.js';
import { bucketEnd, type ChartStep, isoText, type TimeRange, type TimeSpan } from '../../explore/time-range.js';
import { at, keyText, listAt, numberAt } from '../../request/exact-answer.js';
import { formatDateTime } from '../../state/format.js';
import { measureName, type Panel } from './panel.js';

/** A line of what a panel shows. */
export interface PanelRow {
  readonly name: string;
  /** Numbers of its columns; null where there is none. */
  readonly values: readonly (number | null)[];
  /** Condition that its documents meet; null if they are not told apart by one. */
  readonly filter: Filter | null;
  readonly range: TimeRange | null;
  /** Middle of the cell of a map, in degrees; null for others. */
  readonly point: readonly [lon: number, lat: number] | null;
}

/** What a panel shows: a table, which pictures are made of. */
export interface PanelData {
  /** Names of the columns; the first one names the lines. */
  readonly columns: readonly string[];
  readonly rows: readonly PanelRow[];
  /** Ranges of the columns of a heat map; empty for others. */
  readonly ranges: readonly TimeRange[];
  readonly total: number;
}

/** The measure of a bucket. */
const measureAt = (bucket: ExactJson, { measure }: Panel): number | null =>
  measure.op === 'count' ? numberAt(bucket, 'doc_count') : numberAt(bucket, 'm', 'value');

/** Reads an answer to `panelBody`. `step`: its steps of time, null without. Throws SyntaxError for what is no JSON. */
export function readPanel(panel: Panel, text: string, step: ChartStep | null): PanelData {
  const answer = parseExact(text);
  const total = numberAt(answer, 'hits', 'total', 'value') ?? 0;
  const aggs = at(answer, 'aggregations');
  const made = READERS[panel.kind]?.(panel, aggs, { total, step }) ?? { columns: [], rows: [] };
  return { ranges: [], total, ...made };
}

/** What a click on a part of a picture chooses. */
export type Choose = (filter: Filter | null, range: TimeRange | null) => void;

type Reader = (
  panel: Panel,
  aggs: ExactJson | undefined,
  more: { readonly total: number; readonly step: ChartStep | null },
) => Pick<PanelData, 'columns' | 'rows'> & { readonly ranges?: readonly TimeRange[] };

const NO_PLACE = { filter: null, range: null, point: null } as const;

const rangeAt = (from: number, next: number | undefined, step: ChartStep | null): TimeRange => ({
  from: isoText(from),
  to: isoText(Math.max(from, (next ?? (step === null ? from + 1 : bucketEnd(from, step))) - 1)),
});

const READERS: Readonly<Record<string, Reader>> = {
  date_histogram: readTime,
  terms: readTerms,
  pie: readPie,
  table: readTerms,
  heat_map: readHeat,
  metric: readMetric,
  gauge: readMetric,
  map: readMap,
};

function readMetric({ measure }: Panel, aggs: ExactJson | undefined, { total }: { readonly total: number }) {
  const value = measure.op === 'count' ? total : numberAt(aggs, 'm', 'value');
  return { columns: ['', measureName(measure)], rows: [{ ...NO_PLACE, name: 'Now', values: [value] }] };
}

function readTime(panel: Panel, aggs: ExactJson | undefined, { step }: { readonly step: ChartStep | null }) {
  const buckets = listAt(aggs, 'time', 'buckets');
  const series = panel.split === '' ? null : listAt(aggs, 'series', 'buckets').map(keyText);
  const starts = buckets.map((bucket) => numberAt(bucket, 'key') ?? 0);
  const rows = buckets.map((bucket, i): PanelRow => {
    const parts = new Map(listAt(bucket, 'split', 'buckets').map((part) => [keyText(part), measureAt(part, panel)]));
    return {
      name: formatDateTime(starts[i]!),
      values: series === null ? [measureAt(bucket, panel)] : series.map((name) => parts.get(name) ?? null),
      filter: null,
      range: rangeAt(starts[i]!, starts[i + 1], step),
      point: null,
    };
  });
  return { columns: ['Time', ...(series ?? [measureName(panel.measure)])], rows };
}

function readTerms(panel: Panel, aggs: ExactJson | undefined) {
  const isTable = panel.kind === 'table' && panel.measure.op !== 'count';
  const rows = listAt(aggs, 'values', 'buckets').map((bucket): PanelRow => {
    const name = keyText(bucket);
    const measured = measureAt(bucket, panel);
    return {
      name,
      values: isTable ? [numberAt(bucket, 'doc_count'), measured] : [measured],
      filter: { field: panel.field, op: 'is', value: name },
      range: null,
      point: null,
    };
  });
  const measure = measureName(panel.measure);
  return { columns: [panel.field, ...(isTable ? ['Count', measure] : [measure])], rows };
}

/** Reads the most frequent values, and the others as one part: what the whole has besides. */
function readPie(panel: Panel, aggs: ExactJson | undefined) {
  const { columns, rows } = readTerms(panel, aggs);
  const shown = rows.reduce((sum, { values }) => sum + (values[0] ?? 0), 0);
  const others =
    panel.measure.op === 'count'
      ? (numberAt(aggs, 'values', 'sum_other_doc_count') ?? 0)
      : (numberAt(aggs, 'whole', 'm', 'value') ?? 0) - shown;
  const hasOthers = others > 0 && (numberAt(aggs, 'values', 'sum_other_doc_count') ?? 0) > 0;
  return { columns, rows: hasOthers ? [...rows, { ...NO_PLACE, name: 'Others', values: [others] }] : rows };
}

function readHeat(panel: Panel, aggs: ExactJson | undefined, { step }: { readonly step: ChartStep | null }) {
  const buckets = listAt(aggs, 'values', 'buckets');
  const times = new Set(
    buckets.flatMap((bucket) => listAt(bucket, 'time', 'buckets').map((part) => numberAt(part, 'key') ?? 0)),
  );
  const starts = [...times].toSorted((a, b) => a - b);
  const rows = buckets.map((bucket): PanelRow => {
    const parts = new Map(
      listAt(bucket, 'time', 'buckets').map((part) => [numberAt(part, 'key') ?? 0, measureAt(part, panel)]),
    );
    const name = keyText(bucket);
    return {
      name,
      values: starts.length === 0 ? [measureAt(bucket, panel)] : starts.map((start) => parts.get(start) ?? null),
      filter: { field: panel.field, op: 'is', value: name },
      range: null,
      point: null,
    };
  });
  const columns = starts.length === 0 ? [measureName(panel.measure)] : starts.map(formatDateTime);
  return {
    columns: [panel.field, ...columns],
    rows,
    ranges: starts.map((start, i) => rangeAt(start, starts[i + 1], step)),
  };
}

/** Middle of a tile `zoom/x/y`, in degrees. */
export function tileMiddle(tile: string): readonly [lon: number, lat: number] | null {
  const [zoom, x, y] = tile.split('/').map(Number);
  if (zoom === undefined || x === undefined || y === undefined || ![zoom, x, y].every(Number.isInteger)) return null;
  const count = 2 ** zoom;
  const lon = ((x + 0.5) / count) * 360 - 180;
  const lat = (Math.atan(Math.sinh(Math.PI * (1 - (2 * (y + 0.5)) / count))) * 180) / Math.PI;
  return [lon, lat];
}

const degrees = (value: number, plus: string, minus: string): string =>
  `${Math.abs(value).toFixed(1)}° ${value < 0 ? minus : plus}`;

function readMap(panel: Panel, aggs: ExactJson | undefined) {
  const rows = listAt(aggs, 'cells', 'buckets').flatMap((bucket): readonly PanelRow[] => {
    const point = tileMiddle(keyText(bucket));
    if (point === null) return [];
    const [lon, lat] = point;
    const name = `${degrees(lat, 'N', 'S')}, ${degrees(lon, 'E', 'W')}`;
    return [{ name, values: [measureAt(bucket, panel)], filter: null, range: null, point }];
  });
  return { columns: ['Around', measureName(panel.measure)], rows };
}

/** The data as a file. */
export const panelCsv = ({ columns, rows }: PanelData): string =>
  csvHead(columns, true) +
  rows
    .map(({ name, values }) => csvLine([csvCell([name], true), ...values.map((one) => csvCell([one], true))]))
    .join('');

/** The ends of the time of an answer to `countBody`; null if there is no document. */
export function endsOf(text: string): TimeSpan | null {
  const aggs = at(parseExact(text), 'aggregations');
  const [from, to] = [numberAt(aggs, 'from', 'value'), numberAt(aggs, 'to', 'value')];
  return from === null || to === null ? null : { from, to };
}

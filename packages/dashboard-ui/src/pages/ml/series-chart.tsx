import { useState } from 'preact/hooks';
import { type ChartLine, LineChart } from '../../charts/line-chart.js';
import { formatDateTime } from '../../state/format.js';
import { type Column, DataTable } from '../../widgets/data-table.js';
import type { BandPoint } from './bands.js';
import type { SeriesPoint } from './job-body.js';
import type { AnomalyRecord } from './ml-answers.js';
import { type SeriesRow, seriesRows } from './series-rows.js';

/** Props of the chart. */
interface SeriesChartProps {
  readonly title: string;
  readonly points: readonly SeriesPoint[];
  /** Anomalies within; their values are marked. */
  readonly records: readonly AnomalyRecord[];
  /** What the model took for usual, with bounds. */
  readonly plot?: readonly BandPoint[];
  /** What the model said that will come, with bounds. */
  readonly forecast?: readonly BandPoint[];
}

const numberText = (value: number | null): string =>
  value === null ? '–' : new Intl.NumberFormat('en', { maximumSignificantDigits: 6 }).format(value);

/** A series as a line, with what was expected and what will come; the numbers are a table beside. */
export function SeriesChart({ title, points, records, plot = [], forecast = [] }: SeriesChartProps) {
  const [isTable, setTable] = useState(false);
  const rows = seriesRows(points, records, plot, forecast);
  if (rows.length === 0) return <p>There are no documents in this time.</p>;
  const hasBands = plot.length > 0 || forecast.length > 0;
  const isUsual = plot.length === 0 && records.length > 0;
  return (
    <figure aria-label={title}>
      <LineChart lines={linesOf(rows, { hasBands, isUsual, hasForecast: forecast.length > 0 })} />
      <figcaption>
        {title}: {formatDateTime(rows[0]!.at)} to {formatDateTime(rows.at(-1)!.at)}{' '}
        {isUsual && <span class="key key-2">what was usual where it was not met</span>}{' '}
        {forecast.length > 0 && <span class="key key-2">forecast</span>}{' '}
        {hasBands && <span class="key key-3">bounds of what the model expects</span>}
      </figcaption>
      <button type="button" aria-expanded={isTable} onClick={() => setTable(!isTable)}>
        Show as table
      </button>
      {isTable && (
        <DataTable
          caption={title}
          rows={rows}
          keyOf={({ at }) => String(at)}
          empty=""
          columns={[...COLUMNS, ...(hasBands ? BAND_COLUMNS : [])]}
        />
      )}
    </figure>
  );
}

const number = (name: string, of: (row: SeriesRow) => number | null): Column<SeriesRow> => ({
  name,
  show: (row) => numberText(of(row)),
  sort: (row) => of(row) ?? Number.NEGATIVE_INFINITY,
  isNumber: true,
});

const COLUMNS: readonly Column<SeriesRow>[] = [
  { name: 'Time', show: ({ at }) => formatDateTime(at), sort: ({ at }) => at },
  number('Value', ({ value }) => value),
  number('Usual', ({ typical }) => typical),
  number('Score', ({ score }) => score),
];
const BAND_COLUMNS: readonly Column<SeriesRow>[] = [
  number('Forecast', ({ forecast }) => forecast),
  number('Lower bound', ({ lower }) => lower),
  number('Upper bound', ({ upper }) => upper),
];

/** Which lines a chart has besides that of the values. */
interface ShownLines {
  readonly hasBands: boolean;
  readonly isUsual: boolean;
  readonly hasForecast: boolean;
}

function linesOf(rows: readonly SeriesRow[], { hasBands, isUsual, hasForecast }: ShownLines): readonly ChartLine[] {
  const line = (name: string, className: string, of: (row: SeriesRow) => number | null): ChartLine => ({
    ...{ name, className },
    values: rows.map(of),
  });
  const usual = line('usual', 'line-2', ({ typical }) => typical);
  return [
    ...(hasBands ? [line('lower', 'line-3', ({ lower }) => lower), line('upper', 'line-3', ({ upper }) => upper)] : []),
    line('value', 'line-1', ({ value }) => value),
    ...(isUsual ? [{ ...usual, values: withNeighbours(usual.values) }] : []),
    ...(hasForecast ? [line('forecast', 'line-2', ({ forecast }) => forecast)] : []),
  ];
}

/** A value that stands alone is drawn to the next place, so that it can be seen. */
const withNeighbours = (values: readonly (number | null)[]): readonly (number | null)[] =>
  values.map((value, i) => value ?? values[i - 1] ?? null);

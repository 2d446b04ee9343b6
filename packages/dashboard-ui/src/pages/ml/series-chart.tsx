import { useState } from 'preact/hooks';
import { LineChart } from '../../charts/line-chart.js';
import { formatDateTime } from '../../state/format.js';
import { DataTable } from '../../widgets/data-table.js';
import type { SeriesPoint } from './job-body.js';
import type { AnomalyRecord } from './ml-answers.js';

/** Props of the chart. */
interface SeriesChartProps {
  readonly title: string;
  readonly points: readonly SeriesPoint[];
  /** Anomalies within; their values are marked. */
  readonly records: readonly AnomalyRecord[];
}

const numberText = (value: number | null | undefined): string =>
  value === null || value === undefined
    ? '–'
    : new Intl.NumberFormat('en', { maximumSignificantDigits: 6 }).format(value);

/** A series as a line, with what was expected where it was not usual; the numbers are a table beside. */
export function SeriesChart({ title, points, records }: SeriesChartProps) {
  const [isTable, setTable] = useState(false);
  if (points.length === 0) return <p>There are no documents in this time.</p>;
  const found = points.map(({ at, value }, i) => {
    const end = points[i + 1]?.at ?? Number.POSITIVE_INFINITY;
    const record = records
      .filter(({ timestamp }) => timestamp >= at && timestamp < end)
      .toSorted((a, b) => b.record_score - a.record_score)[0];
    return { at, value, typical: record?.typical?.[0] ?? null, score: record?.record_score ?? null };
  });
  const lines = [
    { name: 'value', values: points.map(({ value }) => value), className: 'line-1' },
    ...(records.length === 0
      ? []
      : [{ name: 'usual', values: withNeighbours(found.map(({ typical }) => typical)), className: 'line-2' }]),
  ];
  return (
    <figure aria-label={title}>
      <LineChart lines={lines} />
      <figcaption>
        {title}: {formatDateTime(points[0]!.at)} to {formatDateTime(points.at(-1)!.at)}{' '}
        {records.length > 0 && <span class="key key-2">what was usual where it was not met</span>}
      </figcaption>
      <button type="button" aria-expanded={isTable} onClick={() => setTable(!isTable)}>
        Show as table
      </button>
      {isTable && (
        <DataTable
          caption={title}
          rows={found}
          keyOf={({ at }) => String(at)}
          empty=""
          columns={[
            { name: 'Time', show: ({ at }) => formatDateTime(at), sort: ({ at }) => at },
            { name: 'Value', show: ({ value }) => numberText(value), sort: ({ value }) => value ?? 0, isNumber: true },
            { name: 'Usual', show: ({ typical }) => numberText(typical), isNumber: true },
            { name: 'Score', show: ({ score }) => numberText(score), sort: ({ score }) => score ?? -1, isNumber: true },
          ]}
        />
      )}
    </figure>
  );
}

/** A value that stands alone is drawn to the next place, so that it can be seen. */
const withNeighbours = (values: readonly (number | null)[]): readonly (number | null)[] =>
  values.map((value, i) => value ?? values[i - 1] ?? null);

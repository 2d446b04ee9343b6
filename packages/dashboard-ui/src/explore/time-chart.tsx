import { useState } from 'preact/hooks';
import { BarChart } from '../charts/bar-chart.js';
import { formatAmount, formatCount, formatDateTime } from '../state/format.js';
import { shownZone } from '../state/shown-zone.js';
import { ComboBox } from '../widgets/combo-box.js';
import { bucketEnd, isoText, type TimeRange } from './time-range.js';
import type { TimeChart } from './use-search.js';

/** Props of the chart. */
interface TimeChartProps {
  readonly chart: TimeChart;
  /** Field that breaks the chart down, and those that could. */
  readonly breakdown: string | null;
  readonly fields: readonly string[];
  readonly onRange: (range: TimeRange) => void;
  readonly onBreakdown: (field: string | null) => void;
}

/** Documents over time, as bars and as a table; a bar becomes the range. */
export function TimeChartFigure({ chart, breakdown, fields, onRange, onBreakdown }: TimeChartProps) {
  const { buckets, span, step, series } = chart;
  const [isTable, setTable] = useState(false);
  const choose = (at: number): void => {
    const from = buckets[at]!.at;
    const to = (buckets[at + 1]?.at ?? bucketEnd(from, step)) - 1;
    onRange({ from: isoText(from), to: isoText(to) });
  };
  const most = buckets.reduce((a, b) => (b.count > a.count ? b : a), { at: 0, count: 0 });
  return (
    <figure aria-label="Documents over time">
      <div class="row chart-choices">
        <ComboBox
          label="Break down by"
          value={breakdown ?? ''}
          options={fields}
          onTake={(taken) => onBreakdown(taken.trim() || null)}
        />
        {series !== null && <SeriesKeys names={series.names} />}
      </div>
      <BarChart
        bars={buckets.map(({ at, count }, i) => ({ key: String(at), values: series?.parts[i] ?? [count] }))}
        onChoose={choose}
      />
      <figcaption>
        {formatDateTime(span.from)} to {formatDateTime(span.to)}, in steps of {step.name}, {shownZone.value}.{' '}
        {most.count > 0 &&
          `Most: ${formatAmount(most.count, 'document', 'documents')} from ${formatDateTime(most.at)}.`}{' '}
        <button type="button" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          Show as table
        </button>
      </figcaption>
      {isTable && <ChartTable chart={chart} onChoose={choose} />}
    </figure>
  );
}

/** What the colours of the parts mean. */
function SeriesKeys({ names }: { readonly names: readonly string[] }) {
  return (
    <p class="series-keys">
      {names.map((name, i) => (
        <span key={name} class={`bar-key bar-key-${i + 1}`}>
          {name === '' ? '(empty)' : name}
        </span>
      ))}
    </p>
  );
}

/** The chart as a table; its first column has buttons for the ranges. */
function ChartTable({
  chart: { buckets, series },
  onChoose,
}: Pick<TimeChartProps, 'chart'> & { readonly onChoose: (at: number) => void }) {
  const names = ['Documents', ...(series?.names ?? [])];
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Documents over time, scrolls">
      <table>
        <caption>Documents over time</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            {names.map((name, i) => (
              <th key={i} scope="col" class="number">
                {name === '' ? '(empty)' : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets.map(({ at, count }, i) => (
            <tr key={at}>
              <th scope="row">
                <button type="button" class="plain" onClick={() => onChoose(i)}>
                  {formatDateTime(at)}
                </button>
              </th>
              {[count, ...(series?.parts[i] ?? [])].map((number, j) => (
                <td key={j} class="number">
                  {formatCount(number)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

import { useState } from 'preact/hooks';
import { BarChart } from '../charts/bar-chart.js';
import { formatAmount, formatCount, formatDateTime } from '../state/format.js';
import { shownZone } from '../state/shown-zone.js';
import { bucketEnd, isoText, type TimeRange } from './time-range.js';
import type { TimeChart } from './use-search.js';

/** Props of the chart. */
interface TimeChartProps {
  readonly chart: TimeChart;
  readonly onRange: (range: TimeRange) => void;
}

/** Documents over time, as bars and as a table; a bar becomes the range. */
export function TimeChartFigure({ chart: { buckets, span, step }, onRange }: TimeChartProps) {
  const [isTable, setTable] = useState(false);
  const choose = (at: number): void => {
    const from = buckets[at]!.at;
    const to = (buckets[at + 1]?.at ?? bucketEnd(from, step)) - 1;
    onRange({ from: isoText(from), to: isoText(to) });
  };
  const most = buckets.reduce((a, b) => (b.count > a.count ? b : a), { at: 0, count: 0 });
  return (
    <figure aria-label="Documents over time">
      <BarChart bars={buckets.map(({ at, count }) => ({ key: String(at), values: [count] }))} onChoose={choose} />
      <figcaption>
        {formatDateTime(span.from)} to {formatDateTime(span.to)}, in steps of {step.name}, {shownZone.value}.{' '}
        {most.count > 0 &&
          `Most: ${formatAmount(most.count, 'document', 'documents')} from ${formatDateTime(most.at)}.`}{' '}
        <button type="button" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          Show as table
        </button>
      </figcaption>
      {isTable && (
        <div class="scroll" tabIndex={0} role="group" aria-label="Documents over time, scrolls">
          <table>
            <caption>Documents over time</caption>
            <thead>
              <tr>
                <th scope="col">From</th>
                <th scope="col" class="number">
                  Documents
                </th>
              </tr>
            </thead>
            <tbody>
              {buckets.map(({ at, count }, i) => (
                <tr key={at}>
                  <th scope="row">
                    <button type="button" class="plain" onClick={() => choose(i)}>
                      {formatDateTime(at)}
                    </button>
                  </th>
                  <td class="number">{formatCount(count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </figure>
  );
}

import { GaugeChart, gaugeShare } from '../../charts/gauge-chart.js';
import { formatNumber } from '../../state/format.js';
import type { PanelData } from './panel-data.js';

/** A number and how near it is to where the gauge is full. */
export function GaugePicture({ data, goal }: { readonly data: PanelData; readonly goal: number }) {
  const value = data.rows[0]?.values[0] ?? null;
  return (
    <>
      <GaugeChart share={value === null ? 0 : gaugeShare(value, goal)} />
      <p class="metric">{value === null ? '–' : formatNumber(value)}</p>
      <p class="evidence">
        {data.columns[1]}, of {formatNumber(goal)}
        {value !== null && `: ${formatNumber((100 * value) / goal)} %`}
      </p>
    </>
  );
}

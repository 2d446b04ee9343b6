import { useState } from 'preact/hooks';
import { BarChart } from '../../charts/bar-chart.js';
import { formatAmount, formatCount, formatNumber } from '../../state/format.js';
import { GaugePicture } from './gauge-picture.js';
import type { Panel } from './panel.js';
import type { Choose, PanelData, PanelRow } from './panel-data.js';
import { PiePicture } from './pie-picture.js';
import { WorldMap } from './world-map.js';

/** Props of the picture of a panel. */
interface PictureProps {
  readonly panel: Panel;
  readonly data: PanelData;
  readonly before: PanelData | null;
  readonly onChoose: Choose;
}

const numberText = (value: number | null): string => (value === null ? '–' : formatNumber(value));

/** A panel's data as a picture; those that are tables already are texts and pictures in one. */
export function PanelPicture({ panel, data, before, onChoose }: PictureProps) {
  if (panel.kind === 'metric') return <Metric data={data} before={before} />;
  if (panel.kind === 'gauge') return <GaugePicture data={data} goal={panel.goal} />;
  if (data.rows.length === 0) return <p>No document matches.</p>;
  if (panel.kind === 'date_histogram') return <TimeBars data={data} onChoose={onChoose} />;
  if (panel.kind === 'pie') return <PiePicture data={data} onChoose={onChoose} />;
  if (panel.kind === 'map') return <WorldMap name={panel.title} data={data} />;
  return (
    <PanelTable
      name={panel.title}
      data={data}
      hasBars={panel.kind !== 'table'}
      onChoose={onChoose}
      isHeat={panel.kind === 'heat_map'}
    />
  );
}

function Metric({ data, before }: Pick<PictureProps, 'data' | 'before'>) {
  const [now, then] = [data.rows[0]?.values[0] ?? null, before?.rows[0]?.values[0] ?? null];
  const change = now === null || then === null || then === 0 ? null : (100 * (now - then)) / Math.abs(then);
  return (
    <>
      <p class="metric">{numberText(now)}</p>
      <p class="evidence">{data.columns[1]}</p>
      {before !== null && (
        <p>
          {then === null ? 'Nothing' : numberText(then)} in the time before
          {change !== null && `: ${change >= 0 ? '▲' : '▼'} ${numberText(Math.abs(change))} %`}
        </p>
      )}
    </>
  );
}

function TimeBars({ data: { columns, rows }, onChoose }: Pick<PictureProps, 'data' | 'onChoose'>) {
  const series = columns.slice(1);
  return (
    <figure>
      <BarChart
        bars={rows.map(({ name, values }) => ({ key: name, values: values.map((value) => value ?? 0) }))}
        onChoose={(at) => onChoose(null, rows[at]!.range)}
      />
      <figcaption>
        {rows[0]!.name} to {rows.at(-1)!.name}
        {series.map((name, i) => (
          <span key={name} class={`bar-key bar-key-${Math.min(i, 4) + 1}`}>
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** Lines shown at once. */
const ROWS_SHOWN = 150;

/** Props of a table. */
interface PanelTableProps {
  readonly name: string;
  readonly data: PanelData;
  readonly onChoose: Choose;
  /** Whether the first number is drawn as a bar, too. */
  readonly hasBars?: boolean;
  /** Whether cells are shaded by their number. */
  readonly isHeat?: boolean;
}

/** A panel's data as a table whose lines are buttons that filter. */
export function PanelTable({ name, data, onChoose, hasBars = false, isHeat = false }: PanelTableProps) {
  const [count, setCount] = useState(ROWS_SHOWN);
  const { columns, rows, ranges } = data;
  const most = rows.reduce((a, { values }) => values.reduce<number>((b, value) => Math.max(b, value ?? 0), a), 0);
  const left = rows.length - count;
  return (
    <div class="table-box scroll" tabIndex={0} role="group" aria-label={`${name}, scrolls`}>
      <table>
        <caption class="visually-hidden">{name}</caption>
        <thead>
          <tr>
            {columns.map((column, i) => (
              <th key={`${i} ${column}`} scope="col" class={i === 0 ? undefined : 'number'}>
                {ranges[i - 1] === undefined ? (
                  column
                ) : (
                  <button type="button" class="plain" onClick={() => onChoose(null, ranges[i - 1]!)}>
                    {column}
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, count).map((row, i) => (
            <tr key={`${i} ${row.name}`}>
              <th scope="row">
                <RowName row={row} onChoose={onChoose} />
                {hasBars && !isHeat && <span class="share" style={{ width: share(row.values[0] ?? 0, most) }} />}
              </th>
              {row.values.map((value, j) => (
                <td key={j} class={isHeat ? `number heat-${shade(value ?? 0, most)}` : 'number'}>
                  {numberText(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <p>
          {formatAmount(left, 'row', 'rows')} not shown.{' '}
          <button type="button" onClick={() => setCount(count + ROWS_SHOWN)}>
            Show {formatCount(Math.min(left, ROWS_SHOWN))} more
          </button>
        </p>
      )}
    </div>
  );
}

const share = (value: number, most: number): string => `${most <= 0 ? 0 : Math.max(0, (100 * value) / most)}%`;

/** Step of a shade, 0 to 4. */
const shade = (value: number, most: number): number => (value <= 0 || most <= 0 ? 0 : Math.ceil((4 * value) / most));

function RowName({ row: { name, filter, range }, onChoose }: { readonly row: PanelRow; readonly onChoose: Choose }) {
  const text = name === '' ? '(empty)' : name;
  if (filter === null && range === null) return <>{text}</>;
  return (
    <button type="button" class="plain" onClick={() => onChoose(filter, range)}>
      {text}
    </button>
  );
}

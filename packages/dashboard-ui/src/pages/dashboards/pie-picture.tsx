import { RingChart } from '../../charts/ring-chart.js';
import { formatNumber } from '../../state/format.js';
import type { Choose, PanelData } from './panel-data.js';

/** Props of a pie. */
interface PiePictureProps {
  readonly data: PanelData;
  readonly onChoose: Choose;
}

/** Parts of a whole as a ring, with a list of their names, numbers and shares; a part filters. */
export function PiePicture({ data: { rows }, onChoose }: PiePictureProps) {
  const values = rows.map((row) => row.values[0] ?? 0);
  const whole = values.reduce((sum, value) => sum + Math.max(0, value), 0);
  const choose = (at: number): void => {
    const { filter } = rows[at]!;
    if (filter !== null) onChoose(filter, null);
  };
  return (
    <div class="pie">
      <RingChart values={values} onChoose={choose} />
      <ul>
        {rows.map(({ name, filter }, i) => (
          <li key={`${i} ${name}`} class={`bar-key bar-key-${Math.min(i, 4) + 1}`}>
            {filter === null ? (
              name
            ) : (
              <button type="button" class="plain" onClick={() => choose(i)}>
                {name === '' ? '(empty)' : name}
              </button>
            )}{' '}
            {formatNumber(values[i]!)}
            {whole > 0 && ` (${formatNumber((100 * Math.max(0, values[i]!)) / whole)} %)`}
          </li>
        ))}
      </ul>
    </div>
  );
}

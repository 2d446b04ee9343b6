/** A bar: parts of it stand on each other. */
export interface Bar {
  readonly key: string;
  readonly values: readonly number[];
}

/** Props of a bar chart. */
interface BarChartProps {
  readonly bars: readonly Bar[];
  /** What a click on a bar does; the table beside has buttons for the same. */
  readonly onChoose?: (at: number) => void;
}

const WIDTH = 1_000;
const HEIGHT = 120;
/** Colours of parts; further ones share the last. */
const COLOURS = 5;

/** A part of a bar in a box of 1,000 × 120. */
export interface BarPart {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly part: number;
  readonly bar: number;
}

/** Places the parts of bars, the highest bar at the top. A value above 0 is at least a pixel high. */
export function barParts(bars: readonly Bar[]): readonly BarPart[] {
  const sums = bars.map(({ values }) => values.reduce((sum, value) => sum + Math.max(0, value), 0));
  const most = sums.reduce((a, b) => Math.max(a, b), 0);
  const step = WIDTH / Math.max(1, bars.length);
  const width = Math.max(step * 0.85, 0.5);
  return bars.flatMap(({ values }, bar) => {
    let y = HEIGHT;
    return values.flatMap((value, part) => {
      if (value <= 0) return [];
      const height = Math.max(1, (value / most) * HEIGHT);
      y = Math.max(0, y - height);
      return [{ x: bar * step + (step - width) / 2, y, width, height, part, bar }];
    });
  });
}

/** Bars without axes: the numbers are in the sentence and the table beside. Hidden from screen readers. */
export function BarChart({ bars, onChoose }: BarChartProps) {
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {barParts(bars).map(({ x, y, width, height, part, bar }) => (
        <rect
          key={`${bar}-${part}`}
          class={`bar-${Math.min(part, COLOURS - 1) + 1}`}
          x={x.toFixed(2)}
          y={y.toFixed(2)}
          width={width.toFixed(2)}
          height={height.toFixed(2)}
          onClick={onChoose === undefined ? undefined : () => onChoose(bar)}
        />
      ))}
    </svg>
  );
}

/** One line of a chart; null values leave a gap. */
export interface ChartLine {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** Class that gives the colour and the dash. */
  readonly className: string;
}

const WIDTH = 600;
const HEIGHT = 120;

/** Path of a line in a box of 600 × 120, the greatest value at the top: `M0 120 L10 60`, anew after each gap. */
export function linePath(values: readonly (number | null)[], most: number): string {
  let isDown = false;
  return values
    .flatMap((value, i) => {
      if (value === null) {
        isDown = false;
        return [];
      }
      const x = values.length < 2 ? 0 : (i * WIDTH) / (values.length - 1);
      const y = HEIGHT - (most === 0 ? 0 : (value / most) * HEIGHT);
      const step = `${isDown ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
      isDown = true;
      return [step];
    })
    .join(' ');
}

/** Lines without axes: the numbers are in the sentence and the table beside. Hidden from screen readers. */
export function LineChart({ lines }: { readonly lines: readonly ChartLine[] }) {
  const most = Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {lines.map(({ name, values, className }) => (
        <path key={name} class={className} d={linePath(values, most)} fill="none" vector-effect="non-scaling-stroke" />
      ))}
    </svg>
  );
}

/** Props of a ring. */
interface RingChartProps {
  readonly values: readonly number[];
  /** What a click on a part does; the list beside has buttons for the same. */
  readonly onChoose?: (at: number) => void;
}

/** Colours of parts; further ones share the last. */
const COLOURS = 5;
/** Space between parts, in hundredths of the ring. */
const GAP = 0.6;

/** A part of a ring: where it begins and how long it is, in hundredths. */
export interface RingPart {
  readonly at: number;
  readonly start: number;
  readonly length: number;
}

/** Places values on a ring, clockwise. Those that are not above 0 have no part of a whole. */
export function ringParts(values: readonly number[]): readonly RingPart[] {
  const whole = values.reduce((sum, value) => sum + Math.max(0, value), 0);
  let start = 0;
  return values.flatMap((value, at) => {
    if (value <= 0) return [];
    const length = (100 * value) / whole;
    start += length;
    return [{ at, start: start - length, length }];
  });
}

/** A ring whose parts are as long as their values. Numbers are in the list beside; hidden from screen readers. */
export function RingChart({ values, onChoose }: RingChartProps) {
  const parts = ringParts(values);
  return (
    <svg class="ring-chart" viewBox="0 0 100 100" aria-hidden="true">
      {parts.map(({ at, start, length }) => {
        const drawn = parts.length === 1 ? length : Math.max(length - GAP, GAP / 2);
        return (
          <circle
            key={at}
            class={`ring ring-${Math.min(at, COLOURS - 1) + 1}`}
            cx="50"
            cy="50"
            r="38"
            pathLength="100"
            transform="rotate(-90 50 50)"
            stroke-dasharray={`${drawn.toFixed(2)} ${(100 - drawn).toFixed(2)}`}
            stroke-dashoffset={(-start).toFixed(2)}
            onClick={onChoose === undefined ? undefined : () => onChoose(at)}
          />
        );
      })}
    </svg>
  );
}

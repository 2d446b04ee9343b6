const UNITS: readonly (readonly [ms: number, unit: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
];

/** A duration in its largest unit that needs no fraction, as configurations hold it: 90 seconds are `90s`. */
export function timeText(ms: number): string {
  const unit = ms === 0 ? undefined : UNITS.find(([size]) => ms % size === 0);
  return unit === undefined ? `${ms}ms` : `${ms / unit[0]}${unit[1]}`;
}

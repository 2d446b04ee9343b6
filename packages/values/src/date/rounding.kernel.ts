/** Floors the first `count` values in place to `origin` plus a multiple of `interval`. NaN stays NaN. */
export function floorFixed(values: Float64Array, count: number, interval: number, origin: number): void {
  for (let i = 0; i < count; i++) {
    values[i] = Math.floor((values[i]! - origin) / interval) * interval + origin;
  }
}

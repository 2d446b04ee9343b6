/** Floors each of `count` values to a multiple of `interval` counted from `origin`, in place. */
export function floorFixed(values: Float64Array, count: number, interval: number, origin: number): void {
  for (let i = 0; i < count; i++) {
    values[i] = Math.floor((values[i]! - origin) / interval) * interval + origin;
  }
}

/** The ports of a range `9300-9399` or of one number, in order. */
export function portsOf(port: number | string): number[] {
  const [first, last] = String(port).split('-').map(Number) as [number, number | undefined];
  return Array.from({ length: (last ?? first) - first + 1 }, (_, i) => first + i);
}

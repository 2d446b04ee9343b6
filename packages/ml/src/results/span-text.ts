const UNITS = [
  [604_800, 'w'],
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'm'],
  [1, 's'],
] as const;

/** A duration in seconds for people, in its two largest units: `1d 12h`. */
export function spanText(seconds: number): string {
  let rest = Math.round(seconds);
  const parts: string[] = [];
  for (const [size, name] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count}${name}`);
  }
  return parts.slice(0, 2).join(' ') || '0s';
}

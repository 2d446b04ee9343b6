import { errors } from '@shoal/errors';

const SUFFIXES: readonly (readonly [suffix: string, bytes: number])[] = [
  ['kb', 2 ** 10],
  ['mb', 2 ** 20],
  ['gb', 2 ** 30],
  ['tb', 2 ** 40],
  ['pb', 2 ** 50],
  ['k', 2 ** 10],
  ['m', 2 ** 20],
  ['g', 2 ** 30],
  ['t', 2 ** 40],
  ['p', 2 ** 50],
  ['b', 1],
];

/**
 * Parses a size such as `10mb`, `1.5gb`, `0` or `-1` to bytes, rounded down. `setting` is named in errors. Throws
 * parse_exception, or illegal_argument_exception for a size below -1.
 */
export function parseByteSize(text: string, setting: string): number {
  const lower = text.trim().toLowerCase();
  if (lower === '-1') return -1;
  if (lower === '0') return 0;
  const unit = SUFFIXES.find(([suffix]) => lower.endsWith(suffix));
  if (!unit) {
    throw errors.parse(
      `failed to parse setting [${setting}] with value [${text}] as a size in bytes: unit is missing or unrecognized`,
    );
  }
  const digits = lower.slice(0, lower.length - unit[0].length).trim();
  if (!/^-?(\d+(\.\d*)?|\.\d+)$/.test(digits))
    throw errors.parse(`failed to parse setting [${setting}] with value [${text}]`, {
      cause: errors.numberFormat(`For input string: "${digits}"`),
    });
  const bytes = Math.floor(Number(digits) * unit[1]);
  if (bytes < -1) throw errors.illegalArgument(`Values less than -1 bytes are not supported: ${digits}${unit[0]}`);
  return bytes;
}

/**
 * Formats bytes as Elasticsearch does: the largest 1024-based unit and at most one decimal, such as `22.5kb`, `249b`.
 */
export function formatByteSize(bytes: number): string {
  const units: readonly [string, number][] = [
    ['pb', 2 ** 50],
    ['tb', 2 ** 40],
    ['gb', 2 ** 30],
    ['mb', 2 ** 20],
    ['kb', 2 ** 10],
  ];
  for (const [suffix, size] of units) {
    if (bytes < size) continue;
    const cut = Math.floor((bytes / size) * 10) / 10;
    return `${Number.isInteger(cut) ? cut : cut.toFixed(1)}${suffix}`;
  }
  return `${bytes}b`;
}

import { errors } from '@shoal/errors';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Unit suffixes; a suffix stands before the shorter ones that it ends with. Case matters for `m` only. */
const UNITS: readonly (readonly [suffix: string, ms: number])[] = [
  ['nanos', 1e-6],
  ['micros', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', MINUTE_MS],
  ['h', HOUR_MS],
  ['d', DAY_MS],
];

function amount(text: string, suffix: string): number {
  const digits = text.slice(0, text.length - suffix.length).trim();
  if (/^[+-]?\d+$/.test(digits)) return Number(digits);
  if (/^[+-]?(\d+\.\d*|\.\d+)$/.test(digits))
    throw errors.illegalArgument(`failed to parse [${text}], fractional time values are not supported`);
  throw errors.illegalArgument(`failed to parse [${text}]`, {
    cause: errors.numberFormat(`For input string: "${digits}"`),
  });
}

/**
 * Parses a time value such as `30s`, `5m`, `0` or `-1` to milliseconds; units below a millisecond give fractions.
 * `setting` is named in errors. Throws illegal_argument_exception.
 */
export function parseTimeValue(text: string, setting: string): number {
  const trimmed = text.trim();
  const lower = trimmed.toLowerCase();
  if (lower === '-1') return -1;
  if (/^0+$/.test(lower)) return 0;
  const unit = UNITS.find(([suffix]) => (suffix === 'm' ? trimmed.endsWith('m') : lower.endsWith(suffix)));
  if (!unit) {
    throw errors.illegalArgument(
      `failed to parse setting [${setting}] with value [${text}] as a time value: unit is missing or unrecognized`,
    );
  }
  const value = amount(trimmed, unit[0]);
  if (value < -1) {
    throw errors.illegalArgument(
      `failed to parse setting [${setting}] with value [${text}] as a time value: negative durations are not supported`,
    );
  }
  return value * unit[1];
}

const withOneDecimal = (value: number): string => {
  const cut = Math.floor(value * 10) / 10;
  return Number.isInteger(cut) ? String(cut) : cut.toFixed(1);
};

/** Formats milliseconds with the largest unit and at most one decimal: `1.5m`, `230ms`, `4.3d`. */
export function formatTimeValue(ms: number): string {
  if (ms < 0) return String(ms);
  if (ms === 0) return '0s';
  if (ms >= DAY_MS) return `${withOneDecimal(ms / DAY_MS)}d`;
  if (ms >= HOUR_MS) return `${withOneDecimal(ms / HOUR_MS)}h`;
  if (ms >= MINUTE_MS) return `${withOneDecimal(ms / MINUTE_MS)}m`;
  if (ms >= 1000) return `${withOneDecimal(ms / 1000)}s`;
  if (ms >= 1) return `${withOneDecimal(ms)}ms`;
  return ms >= 1e-3 ? `${withOneDecimal(ms * 1e3)}micros` : `${Math.round(ms * 1e6)}nanos`;
}

import { shownZone } from './shown-zone.js';
import { wallClock } from './zone-calendar.js';

/** Whole numbers with separators of the browser's language: `12,345`. */
export const formatCount = (value: number): string => new Intl.NumberFormat('en').format(value);

/** Numbers with two decimals at most. */
export const formatNumber = (value: number): string =>
  new Intl.NumberFormat('en', { maximumFractionDigits: 2 }).format(value);

/** A rate with one decimal below ten. */
export const formatRate = (value: number | null): string =>
  value === null ? '–' : new Intl.NumberFormat('en', { maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

const timeText = (wall: Date): string =>
  `${pad(wall.getUTCHours())}:${pad(wall.getUTCMinutes())}:${pad(wall.getUTCSeconds())}`;

/** Time of day of milliseconds since 1970, in the shown zone: `16:05:00`. */
export const formatTime = (at: number): string => timeText(wallClock(at, shownZone.value));

/** `1 document`, `2 documents`. */
export function formatAmount(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${new Intl.PluralRules('en').select(count) === 'one' ? one : many}`;
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Bytes with one decimal: `1.2 KB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${new Intl.NumberFormat('en', { maximumFractionDigits: unit === 0 ? 0 : 1 }).format(value)} ${UNITS[unit]}`;
}

/** Date and time of day of milliseconds since 1970 in the shown zone, with milliseconds where there are any. */
export function formatDateTime(at: number): string {
  const wall = wallClock(at, shownZone.value);
  const millis = wall.getUTCMilliseconds();
  const day = `${pad(wall.getUTCFullYear(), 4)}-${pad(wall.getUTCMonth() + 1)}-${pad(wall.getUTCDate())}`;
  return `${day} ${timeText(wall)}${millis === 0 ? '' : `.${pad(millis, 3)}`}`;
}

import { dateFormat, UTC } from '@shoal/values';

/** Whole seconds since 1970. */
export function epochSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}

/** `08:53:32`. */
export function timeOfDay(ms: number): string {
  return dateFormat('HH:mm:ss').print(ms, UTC);
}

/** `2026-11-21T08:53:32.123Z`. */
export function isoTime(ms: number): string {
  return dateFormat('strict_date_time').print(ms, UTC);
}

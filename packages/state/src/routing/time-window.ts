import { dateFormat } from '@shoal/values';
import type { FlatSettings } from '../settings/flat-settings.js';

/** Times of the documents of an index of time series, UTC milliseconds: `startMs` inclusive, `endMs` exclusive. */
export interface TimeWindow {
  readonly startMs: number;
  readonly endMs: number;
}

const FORMAT = dateFormat('strict_date_optional_time||epoch_millis');
const FIRST_MS = 0;
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Returns the window of an index: `index.time_series.start_time` and `end_time`. Throws for a text that is no time. */
export function timeWindow(settings: FlatSettings): TimeWindow {
  const read = (name: string, byDefault: number): number => {
    const value = settings[`index.time_series.${name}`];
    return typeof value === 'string' ? FORMAT.parse(value) : byDefault;
  };
  return { startMs: read('start_time', FIRST_MS), endMs: read('end_time', LAST_MS) };
}

/** A time as settings and messages of indices of time series show it: ISO 8601, without milliseconds if they are 0. */
export const windowText = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

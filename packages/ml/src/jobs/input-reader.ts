import { dateFormat } from '@shoal/values';
import type { JobConfig } from './job-config.js';

/** Reads the time of a document in seconds; NaN for none. */
export type TimeReader = (value: unknown) => number;

/**
 * Largest time in seconds: the end of the year 9999. Later ones are milliseconds that are read as seconds, or nonsense;
 * a job that took one would take no document after it.
 */
const TIME_MOST_S = 253_402_300_799;

const within = (seconds: number): number => (Math.abs(seconds) <= TIME_MOST_S ? seconds : Number.NaN);

/** Makes the reader of times in the format of a job: `epoch`, `epoch_ms` or a pattern of dates. */
export function timeReader({ timeFormat }: Pick<JobConfig, 'timeFormat'>, nowMs: number): TimeReader {
  if (timeFormat === 'epoch' || timeFormat === 'epoch_ms') {
    const unit = timeFormat === 'epoch' ? 1 : 1000;
    return (value) => {
      if (typeof value === 'number') return within(value / unit);
      return typeof value === 'string' && value.trim() !== '' ? within(Number(value) / unit) : Number.NaN;
    };
  }
  const format = dateFormat(timeFormat);
  return (value) => {
    if (typeof value !== 'string' && typeof value !== 'number') return Number.NaN;
    try {
      return within(format.parseRounded(String(value), { roundUp: false, now: () => nowMs }) / 1000);
    } catch {
      return Number.NaN;
    }
  };
}

/** Returns the value of a field of a document: by its whole name, else along the dots of its name. */
export function fieldValue(document: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(document, name)) return document[name];
  let value: unknown = document;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

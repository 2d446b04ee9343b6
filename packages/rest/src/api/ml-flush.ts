import { errors } from '@shoal/errors';
import type { FlushOptions } from '@shoal/ml';
import type { JsonObject } from '@shoal/json';

/** Numbers of up to so many digits are seconds, as in 8.12; longer ones are milliseconds. */
const SECONDS_DIGITS = 10;

/** Largest time that a job may be told to go to: the end of the year 9999. After it no document would be in time. */
const TIME_MOST_MS = 253_402_300_799_999;

type TimeParser = (name: string, value: unknown) => number | null;

/** Parameters of `_flush`, with the checks of 8.12; `time` parses other times than numbers of seconds. */
export function flushOptions(options: JsonObject, time: TimeParser): FlushOptions {
  const timeOf = (name: string): number | null => {
    const text = String(options[name] ?? '');
    const isSeconds = /^\d+$/.test(text) && text.length <= SECONDS_DIGITS;
    return isSeconds ? Number(text) * 1000 : time(name, options[name]);
  };
  const calcInterim = flag('calc_interim', options['calc_interim']);
  const [fromMs, toMs] = [timeOf('start'), timeOf('end')];
  if (!calcInterim && (fromMs !== null || toMs !== null)) {
    const name = fromMs === null ? 'end' : 'start';
    throw errors.status(`Invalid flush parameters: unexpected '${name}'.`);
  }
  if (fromMs === null && toMs !== null)
    throw errors.status("Invalid flush parameters: 'start' has not been specified.");
  if (fromMs !== null && toMs !== null && toMs < fromMs) {
    const [start, end] = [fromMs, toMs].map(shownTime);
    throw errors.status(`Invalid time range: end time '${end}' is earlier than start time '${start}'.`);
  }
  const [advanceToMs, skipToMs] = [timeOf('advance_time'), timeOf('skip_time')];
  for (const [name, ms] of Object.entries({ advance_time: advanceToMs, skip_time: skipToMs }))
    if (ms !== null && ms > TIME_MOST_MS)
      throw errors.status(
        `${name} [${String(options[name])}] is after the year 9999: check that it is in milliseconds`,
      );
  if (advanceToMs !== null && skipToMs !== null && advanceToMs <= skipToMs) {
    const [advance, skip] = [String(options['advance_time']), String(options['skip_time'])];
    throw errors.status(`advance_time [${advance}] must be later than skip_time [${skip}]`);
  }
  return { calcInterim, advanceToMs, skipToMs, interimFromMs: fromMs, interimToMs: toMs };
}

/** Times that no date has are shown as numbers. */
const shownTime = (ms: number) => (Number.isNaN(new Date(ms).getTime()) ? String(ms) : new Date(ms).toISOString());

function flag(name: string, value: unknown): boolean {
  if (value === undefined || value === false || value === 'false') return false;
  if (value === true || value === 'true' || value === '') return true;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  throw errors.illegalArgument(`Failed to parse value [${text}] for [${name}] as only [true] or [false] are allowed.`);
}

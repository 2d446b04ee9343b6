const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Formatters of offsets by zone: each takes a tenth of a millisecond to make. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset', year: 'numeric' });
    formats.set(zone, format);
  }
  return format;
}

/** The name of a zone as the time zone database spells it; null if the browser knows none. */
export function zoneNamed(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** How many milliseconds the clocks of a zone are ahead of UTC at an instant, in milliseconds since 1970. */
export function zoneOffset(at: number, zone: string): number {
  if (zone === 'UTC') return 0;
  const name = formatOf(zone)
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')!.value;
  const found = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name);
  if (found === null) return 0;
  const [, sign, hours, minutes, seconds] = found;
  const ms = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds ?? 0)) * 1_000;
  return sign === '-' ? -ms : ms;
}

/** What calendar and clock of a zone show at an instant, as the UTC fields of a date. */
export const wallClock = (at: number, zone: string): Date => new Date(at + zoneOffset(at, zone));

/**
 * The instant at which calendar and clock of a zone show what the UTC fields of a date say. As in JavaScript's own
 * zone, the first of two, and where clocks skip the time, the one after it by as much.
 */
export function instantAtWall(wall: Date, zone: string): number {
  const guess = wall.getTime();
  const [before, after] = [zoneOffset(guess - DAY, zone), zoneOffset(guess + DAY, zone)];
  if (zoneOffset(guess - before, zone) === before) return guess - before;
  return zoneOffset(guess - after, zone) === after ? guess - after : guess - before;
}

/** An offset as ISO 8601 writes it: `Z`, `+01:00`. */
export function offsetText(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.abs(Math.round(offset / 60_000));
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * A date as the cluster takes it, in the clock of a zone with its offset: `2024-01-31T13:00:00.123456789+01:00`. Parts
 * of a second stay as they are written. A text that is no date of this form is returned as it is.
 */
export function isoInZone(text: string, zone: string): string {
  const found = INSTANT.exec(text);
  if (found === null) return text;
  const fraction = found[7];
  const offset = found[8] ?? 'Z';
  const time = found[4] === undefined ? 'T00:00:00' : `T${found[4]}:${found[5]}:${found[6] ?? '00'}`;
  const at = Date.parse(
    `${text.slice(0, 10)}${time}${offset === 'Z' ? 'Z' : offset.replace(/(\d\d):?(\d\d)$/, '$1:$2')}`,
  );
  if (Number.isNaN(at)) return text;
  const shift = zoneOffset(at, zone);
  const wall = new Date(at + shift);
  if (wall.getUTCFullYear() < 0 || wall.getUTCFullYear() > 9_999) return text;
  const shown = wall.toISOString().slice(0, 19);
  return `${shown}${fraction === undefined ? '' : `.${fraction}`}${offsetText(shift)}`;
}

import type { FieldValues } from '../runtime/field-values.js';
import { GeoPointValue } from '../runtime/geo-point.js';
import { numberIn } from '../runtime/boxes.js';
import { UtcDate } from '../runtime/utc-date.js';
import type { VariablePart } from './variable.js';

/** Returns a number of a field of the document at which the host stands. */
export type FieldNumber = (values: FieldValues) => number;

/** A variable that does not fit its field; `isSyntax` if the name itself is wrong. */
export class LinkFault extends Error {
  readonly isSyntax: boolean;

  constructor(told: string, isSyntax: boolean) {
    super(told);
    this.isSyntax = isSyntax;
  }
}

function numberAt(values: FieldValues, index: number): number {
  const value = values.at(index);
  if (value instanceof UtcDate) return value.ms;
  return typeof value === 'boolean' ? Number(value) : Number(numberIn(value));
}

const sum: FieldNumber = (values) => {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += numberAt(values, i);
  return total;
};

const median: FieldNumber = (values) => {
  const middle = (values.length - 1) / 2;
  return (numberAt(values, Math.floor(middle)) + numberAt(values, Math.ceil(middle))) / 2;
};

/** A number of documents that have the field; 0 for others. */
const present =
  (number: FieldNumber): FieldNumber =>
  (values) =>
    values.length === 0 ? 0 : number(values);

const first = present((values) => numberAt(values, 0));
const count: FieldNumber = (values) => values.length;
const isEmpty: FieldNumber = (values) => (values.length === 0 ? 1 : 0);

const MEMBERS: ReadonlyMap<string, FieldNumber> = new Map([
  ['value', first],
  ['empty', isEmpty],
  ['length', count],
]);
const METHODS: ReadonlyMap<string, FieldNumber> = new Map([
  ['getValue', first],
  ['isEmpty', isEmpty],
  ['size', count],
  ['min', first],
  ['max', present((values) => numberAt(values, values.length - 1))],
  ['avg', present((values) => sum(values) / values.length)],
  ['median', present(median)],
  ['sum', sum],
  ['count', count],
]);

const DAY_MS = 86_400_000;
/** A part of the smallest date of a document, in UTC. */
const datePart = (part: (date: Date) => number): FieldNumber =>
  present((values) => part(new Date(numberAt(values, 0))));

const DATE_METHODS: ReadonlyMap<string, FieldNumber> = new Map([
  ...METHODS,
  ['getYear', datePart((date) => date.getUTCFullYear())],
  // From 0, as Java's Calendar counts.
  ['getMonth', datePart((date) => date.getUTCMonth())],
  ['getDayOfMonth', datePart((date) => date.getUTCDate())],
  ['getHourOfDay', datePart((date) => date.getUTCHours())],
  ['getMinutes', datePart((date) => date.getUTCMinutes())],
  ['getSeconds', datePart((date) => date.getUTCSeconds())],
]);

const dayMs = (date: Date): number => ((date.getTime() % DAY_MS) + DAY_MS) % DAY_MS;
const isoDay = (date: Date): number => date.getUTCDay() || 7;
/** The Thursday of the week, whose year is that of the week (ISO 8601). */
const thursday = (date: Date): Date => new Date(date.getTime() + (4 - isoDay(date)) * DAY_MS);
const dayOfYear = (date: Date): number =>
  Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS) + 1;

/** Members of `doc['f'].date`; each has a method of its name too: `getYear()`. */
const DATE_PARTS: ReadonlyMap<string, FieldNumber> = new Map(
  Object.entries({
    centuryOfEra: (date: Date) => Math.floor(date.getUTCFullYear() / 100),
    dayOfMonth: (date: Date) => date.getUTCDate(),
    dayOfWeek: isoDay,
    dayOfYear,
    era: (date: Date) => (date.getUTCFullYear() > 0 ? 1 : 0),
    hourOfDay: (date: Date) => date.getUTCHours(),
    millisOfDay: dayMs,
    millisOfSecond: (date: Date) => date.getUTCMilliseconds(),
    minuteOfDay: (date: Date) => Math.floor(dayMs(date) / 60_000),
    minuteOfHour: (date: Date) => date.getUTCMinutes(),
    monthOfYear: (date: Date) => date.getUTCMonth() + 1,
    secondOfDay: (date: Date) => Math.floor(dayMs(date) / 1000),
    secondOfMinute: (date: Date) => date.getUTCSeconds(),
    weekOfWeekyear: (date: Date) => Math.ceil(dayOfYear(thursday(date)) / 7),
    weekyear: (date: Date) => thursday(date).getUTCFullYear(),
    year: (date: Date) => date.getUTCFullYear(),
    yearOfCentury: (date: Date) => date.getUTCFullYear() % 100,
    yearOfEra: (date: Date) => Math.abs(date.getUTCFullYear()),
  }).map(([name, part]) => [name, datePart(part)]),
);

const pointPart = (part: (point: GeoPointValue) => number): FieldNumber =>
  present((values) => part(values.at(0) as GeoPointValue));
const GEO_MEMBERS: ReadonlyMap<string, FieldNumber> = new Map([
  ['empty', isEmpty],
  ['lat', pointPart(({ lat }) => lat)],
  ['lon', pointPart(({ lon }) => lon)],
]);
const GEO_METHODS: ReadonlyMap<string, FieldNumber> = new Map([
  ['isEmpty', isEmpty],
  ['getLat', pointPart(({ lat }) => lat)],
  ['getLon', pointPart(({ lon }) => lon)],
]);

/** Members and methods of one kind of field, and what errors call it. */
interface Accessors {
  readonly members: ReadonlyMap<string, FieldNumber>;
  readonly methods: ReadonlyMap<string, FieldNumber>;
  readonly shown: string;
}

function accessorsOf(values: FieldValues, name: string): Accessors {
  switch (values.source.kind) {
    case 'date':
      return { members: MEMBERS, methods: DATE_METHODS, shown: `date field [${name}]` };
    case 'geo':
      return { members: GEO_MEMBERS, methods: GEO_METHODS, shown: `geo field [${name}]` };
    case 'keyword':
    case 'ip':
    case 'binary':
      throw new LinkFault(`Field [${name}] must be numeric, date, or geopoint`, true);
    default:
      return { members: MEMBERS, methods: METHODS, shown: `numeric field [${name}]` };
  }
}

const capitalized = (name: string): string => `get${name[0]!.toUpperCase()}${name.slice(1)}`;
const DATE_OBJECT_METHODS: ReadonlyMap<string, FieldNumber> = new Map(
  [...DATE_PARTS].map(([name, number]) => [capitalized(name), number]),
);

/** Returns what `path`, the parts behind `doc['name']`, asks of a field. Throws LinkFault. */
export function fieldNumber(
  values: FieldValues,
  name: string,
  path: readonly VariablePart[],
  text: string,
): FieldNumber {
  let of = accessorsOf(values, name);
  let [last] = path;
  if (path.length > 1) {
    const [object, part] = path;
    const isDate = values.source.kind === 'date' && (object!.text === 'date' || object!.text === 'getDate');
    if (!isDate || path.length > 2)
      throw new LinkFault(
        `Variable [${text}] does not follow an allowed format of either doc['field'] or doc['field'].method()`,
        false,
      );
    of = { members: DATE_PARTS, methods: DATE_OBJECT_METHODS, shown: `date object on field [${name}]` };
    last = part;
  }
  if (last !== undefined && last.kind !== 'member' && last.kind !== 'method')
    throw new LinkFault(
      'Only member variables or member methods may be accessed on a field when not accessing the field directly',
      false,
    );
  const { kind, text: asked } = last ?? { kind: 'member', text: 'value' };
  const found = (kind === 'method' ? of.methods : of.members).get(asked);
  if (found) return found;
  throw new LinkFault(
    `Member ${kind === 'method' ? 'method' : 'variable'} [${asked}] does not exist for ${of.shown}.`,
    false,
  );
}

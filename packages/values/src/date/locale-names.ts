import type { Element } from './pattern.js';

type TextElement = Extract<Element, { kind: 'text' }>;

/** A day of each month, and of each day of the week from Monday on. */
const MONTHS = Array.from({ length: 12 }, (_, month) => Date.UTC(2024, month, 15));
const WEEKDAYS = Array.from({ length: 7 }, (_, day) => Date.UTC(2024, 0, 1 + day));

/** Letters of the longest abbreviation of English names, which the patterns begin with. */
const SHORT = 3;

function namesBy(locale: string, options: Intl.DateTimeFormatOptions, part: 'month' | 'weekday'): string[] {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  const dates = part === 'month' ? MONTHS : WEEKDAYS;
  return dates.map((date) => format.formatToParts(date).find(({ type }) => type === part)?.value ?? '');
}

const capitalized = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);

/** Ways in which names are abbreviated: as they are, without dots, by their first letters. */
const abbreviated = (names: readonly string[]): string[] => [
  ...names,
  ...names.map((name) => name.replaceAll('.', '')),
  ...names.map((name) => name.slice(0, SHORT)),
];

/** Names of months or days, the printed ones first; behind them other ways to write them, in the same order. */
function localNames(locale: string, part: 'month' | 'weekday', isShort: boolean): readonly string[] {
  const width = isShort ? 'short' : 'long';
  const alone = namesBy(locale, { [part]: width }, part);
  // Beside a day many languages put the month in another case: `1 stycznia`.
  const inDate = part === 'month' ? namesBy(locale, { month: width, day: 'numeric' }, part) : alone;
  const names = isShort ? [...abbreviated(alone), ...abbreviated(inDate)] : [...inDate, ...alone];
  return [...names, ...names.map(capitalized)];
}

function localElement(element: TextElement, locale: string): Element {
  const count = element.names.length;
  const width = element.names[0]!.length;
  if ((count !== MONTHS.length && count !== WEEKDAYS.length) || width < SHORT) return element;
  const part = count === MONTHS.length ? 'month' : 'weekday';
  return { ...element, names: localNames(locale, part, width === SHORT), count };
}

/**
 * Returns a pattern with the names of months and days of a language (a tag of BCP 47) in place of the English ones. A
 * text may abbreviate them with dots or without.
 */
export function withLocalNames(elements: readonly Element[], locale: string): readonly Element[] {
  return elements.map((element) => {
    if (element.kind === 'optional') return { ...element, elements: withLocalNames(element.elements, locale) };
    if (element.kind === 'pad') return { ...element, element: withLocalNames([element.element], locale)[0]! };
    return element.kind === 'text' ? localElement(element, locale) : element;
  });
}

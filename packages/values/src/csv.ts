import { type ExactJson, exactText, ExactNumber } from './exact-json.js';

/** A spreadsheet takes a text that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A cell as RFC 4180 has it: in quotes if it must be. */
const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A text that no spreadsheet runs: what looks like a formula begins with an apostrophe. */
const guarded = (text: string, isGuarded: boolean): string => (isGuarded && FORMULA.test(text) ? `'${text}` : text);

const cellText = (value: ExactJson): string => {
  if (value === null) return '';
  return typeof value === 'string' ? value : exactText(value);
};

/** Values of a field as a cell: several are joined by commas. A number is never a formula. */
export function csvCell(values: readonly ExactJson[], isGuarded: boolean): string {
  const text = values.map(cellText).join(', ');
  const [first] = values;
  const isNumber = values.length === 1 && (typeof first === 'number' || first instanceof ExactNumber);
  return quoted(isNumber ? text : guarded(text, isGuarded));
}

/** A line of cells that are ready. */
export const csvLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

/** A name such as `@timestamp`: a spreadsheet finds no function of the name, and runs nothing. */
const PLAIN_NAME = /^@[\w.]+$/;

/** The line of names at the top. */
export const csvHead = (names: readonly string[], isGuarded: boolean): string =>
  csvLine(names.map((name) => quoted(guarded(name, isGuarded && !PLAIN_NAME.test(name)))));

import { errors } from '@shoal/errors';
import type { ProcessorType } from '../processor-type.js';

interface Format {
  readonly separator: string;
  readonly quote: string;
  readonly trims: boolean;
}

/** Reads one column; returns its text, whether it was quoted, and where the next one begins. */
function readColumn(line: string, from: number, { separator, quote, trims }: Format): [text: string, next: number] {
  let at = from;
  if (trims) while (line[at] === ' ' || line[at] === '\t') at++;
  if (line[at] !== quote) {
    const end = line.indexOf(separator, at);
    const text = end < 0 ? line.slice(at) : line.slice(at, end);
    if (text.includes(quote))
      throw errors.illegalArgument('Illegal character inside unquoted field at ' + (at + text.indexOf(quote)));
    // As in Elasticsearch, the last column keeps the blanks behind it.
    return [trims && end >= 0 ? text.trim() : text, end < 0 ? -1 : end + 1];
  }
  let text = '';
  for (let i = at + 1; ; i++) {
    const end = line.indexOf(quote, i);
    if (end < 0) throw errors.illegalArgument('Unmatched quote');
    text += line.slice(i, end);
    if (line[end + 1] !== quote) return [text, behindQuote(line, end + 1, separator, trims)];
    text += quote;
    i = end + 1;
  }
}

function behindQuote(line: string, from: number, separator: string, trims: boolean): number {
  let at = from;
  if (trims) while (line[at] === ' ' || line[at] === '\t') at++;
  if (at >= line.length) return -1;
  if (line[at] === separator) return at + 1;
  throw errors.illegalArgument(`character '${line[at]}' after quoted field at ${at}`);
}

/** Returns the columns of a line. Source: RFC 4180. */
function columnsOf(line: string, format: Format, max: number): string[] {
  if (line === '') return [];
  const columns: string[] = [];
  for (let at = 0; at >= 0 && columns.length < max; ) {
    const [text, next] = readColumn(line, at, format);
    columns.push(text);
    at = next;
  }
  return columns;
}

/** Splits a line of CSV into fields. */
export const csv: ProcessorType = {
  name: 'csv',
  parse(config) {
    const field = config.string('field');
    const targets = config.strings('target_fields');
    const separator = config.stringOr('separator', ',');
    const quote = config.stringOr('quote', '"');
    const trims = config.boolean('trim', false);
    const ignoreMissing = config.boolean('ignore_missing', false);
    const emptyValue = config.optional('empty_value');
    if (separator.length !== 1) throw config.error('separator', 'separator has to be single character like , or ;');
    if (quote.length !== 1) throw config.error('quote', 'quote has to be a single character, like ["] or [\']');
    if (targets.length === 0) throw config.error('target_fields', "target fields list can't be empty");
    return (document) => {
      const line = document.text(field, ignoreMissing);
      if (line === null) {
        if (ignoreMissing) return;
        throw errors.illegalArgument(`field [${field}] is null, cannot process it.`);
      }
      document.charge(line.length);
      columnsOf(line, { separator, quote, trims }, targets.length).forEach((text, i) => {
        if (text !== '') document.set(targets[i]!, text);
        else if (emptyValue !== null) document.set(targets[i]!, emptyValue);
      });
    };
  },
};

import { errors } from '@shoal/errors';
import type { ProcessorType } from '../processor-type.js';
import { resultInTurns } from '../steps-in-turns.js';

interface Format {
  readonly separator: string;
  readonly quote: string;
  readonly trims: boolean;
}

/**
 * Reads the columns of a line one after another, by the rules of CsvParser of Elasticsearch 8.12: blanks before and
 * behind quotes are skipped; a column that has no more than blanks is empty, and none at the end of the line.
 */
class Columns {
  readonly texts: string[] = [];
  readonly #line: string;
  readonly #format: Format;
  readonly #max: number;
  /** Where the next column, or the rest of a quoted one, is looked for; -1 behind the last. */
  #at = 0;
  /** Where the text of the next column begins. Without `trim` blanks and what follows them stay behind `#at`. */
  #from = 0;
  /** What was read of a quoted column; null outside of one. */
  #quoted: string | null = null;

  constructor(line: string, format: Format, max: number) {
    this.#line = line;
    this.#format = format;
    this.#max = max;
    if (line === '') this.#at = -1;
  }

  /** Reads a column, or a part of a quoted one up to its next quote. Returns false at the end. */
  readonly step = (): boolean => {
    if (this.#quoted !== null) this.#readQuoted(this.#quoted);
    else if (this.#at >= 0 && this.texts.length < this.#max) this.#begin();
    else return false;
    return true;
  };

  #begin(): void {
    const { separator, quote, trims } = this.#format;
    const line = this.#line;
    const at = this.#behindBlanks(this.#at);
    if (trims) this.#from = at;
    if (at >= line.length) this.#at = -1;
    else if (line[at] === quote) {
      this.#quoted = '';
      this.#at = at + 1;
    } else if (line[at] === separator) {
      this.#from++;
      this.texts.push(line.slice(this.#from, at));
      this.#at = at + 1;
    } else this.#readPlain(at);
  }

  #readPlain(at: number): void {
    const { separator, quote, trims } = this.#format;
    const line = this.#line;
    const end = line.indexOf(separator, at + 1);
    const text = end < 0 ? line.slice(this.#from) : line.slice(this.#from, end);
    const second = at + 1 - this.#from;
    const wrong = [quote, '\n', '\r'].map((one) => text.indexOf(one, second)).filter((place) => place >= 0);
    if (wrong.length > 0)
      throw errors.illegalArgument(`Illegal character inside unquoted field at ${this.#from + Math.min(...wrong)}`);
    // As in Elasticsearch, the last column keeps the blanks behind it.
    this.texts.push(trims && end >= 0 ? text.replace(/[ \t]+$/, '') : text);
    this.#next(end);
  }

  /** Goes on behind a separator; -1 for none. */
  #next(separatorAt: number): void {
    this.#at = separatorAt < 0 ? -1 : separatorAt + 1;
    this.#from = this.#at;
  }

  #readQuoted(before: string): void {
    const { quote } = this.#format;
    const end = this.#line.indexOf(quote, this.#at);
    if (end < 0) throw errors.illegalArgument('Unmatched quote');
    const text = before + this.#line.slice(this.#at, end);
    if (this.#line[end + 1] === quote) {
      this.#quoted = text + quote;
      this.#at = end + 2;
      return;
    }
    this.#quoted = null;
    this.texts.push(text);
    this.#next(this.#separatorBehindQuote(end + 1));
  }

  #separatorBehindQuote(from: number): number {
    const at = this.#behindBlanks(from);
    if (at >= this.#line.length) return -1;
    if (this.#line[at] === this.#format.separator) return at;
    throw errors.illegalArgument(`character '${this.#line[at]}' after quoted field at ${at}`);
  }

  #behindBlanks(from: number): number {
    let at = from;
    while (this.#line[at] === ' ' || this.#line[at] === '\t') at++;
    return at;
  }
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
    if (quote.length !== 1) throw config.error('quote', `quote has to be single character like " or '`);
    if (targets.length === 0) throw config.error('target_fields', "target fields list can't be empty");
    return (document, { pause }) => {
      const line = document.text(field, ignoreMissing);
      if (line === null) {
        if (ignoreMissing) return;
        throw errors.illegalArgument(`field [${field}] is null, cannot process it.`);
      }
      document.charge(line.length);
      const columns = new Columns(line, { separator, quote, trims }, targets.length);
      const take = (): void =>
        columns.texts.forEach((text, i) => {
          if (text !== '') document.set(targets[i]!, text);
          else if (emptyValue !== null) document.set(targets[i]!, emptyValue);
        });
      return resultInTurns(columns.step, pause, take);
    };
  },
};

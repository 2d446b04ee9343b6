import { ScriptObject } from './script-object.js';

/** Characters by which Java knows separators that Unicode's data has in a newer form. */
const OLDER: Readonly<Record<string, string>> = { '\u202f': '\u00a0', '\u2019': "'" };

/** Shows all separators: some languages group from five digits on. */
const SHOWN = -1_234_567.5;

/** java.text.DecimalFormatSymbols: the characters of numbers in a language. */
export class DecimalFormatSymbols extends ScriptObject {
  readonly javaClass = 'java.text.DecimalFormatSymbols';
  decimal = '.';
  grouping = ',';
  minus = '-';
  percent = '%';
  perMill = '\u2030';
  zero = '0';
  digit = '#';
  patternSeparator = ';';
  exponent = 'E';
  infinity = '\u221e';
  nan = 'NaN';

  /** Returns those of a language, a tag of BCP 47; null for the root's. */
  static of(tag: string | null): DecimalFormatSymbols {
    const symbols = new DecimalFormatSymbols();
    if (tag === null) return symbols;
    const parts = new Intl.NumberFormat(tag, { numberingSystem: 'latn' }).formatToParts(SHOWN);
    const text = (type: string, fallback: string): string => {
      const found = parts.find((part) => part.type === type)?.value ?? fallback;
      return OLDER[found] ?? found;
    };
    symbols.decimal = text('decimal', '.');
    symbols.grouping = text('group', ',');
    return symbols;
  }

  copy(): DecimalFormatSymbols {
    return Object.assign(new DecimalFormatSymbols(), this);
  }

  /** Writes the digits of a number, made with `.` and `,`, with these characters. */
  written(digits: string): string {
    if (this.decimal === '.' && this.grouping === ',' && this.zero === '0') return digits;
    const shift = this.zero.charCodeAt(0) - 48;
    return digits.replace(/[\d.,]/g, (one) => {
      if (one === '.') return this.decimal;
      return one === ',' ? this.grouping : String.fromCharCode(one.charCodeAt(0) + shift);
    });
  }

  /** Reads a text back to digits with `.` and `,`. */
  read(text: string): string {
    if (this.decimal === '.' && this.grouping === ',' && this.zero === '0') return text;
    const shift = this.zero.charCodeAt(0) - 48;
    return [...text].map((one) => this.#readOne(one, shift)).join('');
  }

  #readOne(one: string, shift: number): string {
    if (one === this.decimal) return '.';
    if (one === this.grouping) return ',';
    const code = one.charCodeAt(0) - shift;
    return code >= 48 && code <= 57 ? String.fromCharCode(code) : one === '.' || one === ',' ? ' ' : one;
  }
}

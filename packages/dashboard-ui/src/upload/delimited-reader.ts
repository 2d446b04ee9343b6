/** Longest record, in characters: a quote that is not closed must not take the whole file. */
const RECORD_CHARACTERS_MAX = 1_000_000;

/**
 * Splits delimited text into records of cells, piece by piece (RFC 4180): cells may be in double quotes, a doubled
 * quote is one, and a cell in quotes may hold delimiters and lines.
 */
export class DelimitedReader {
  readonly #delimiter: string;
  #record: string[] = [];
  #cell = '';
  #size = 0;
  #isQuoted = false;
  /** Whether the last character was a quote within a quoted cell: its end, or half of a doubled one. */
  #isAfterQuote = false;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** Records that end in this piece. Throws if a record is longer than 1,000,000 characters. */
  push(text: string): readonly (readonly string[])[] {
    const records: (readonly string[])[] = [];
    for (const char of text) {
      if (++this.#size > RECORD_CHARACTERS_MAX)
        throw new Error(`A row has more than ${RECORD_CHARACTERS_MAX} characters: is a quote not closed?`);
      if (this.#isAfterQuote) {
        this.#isAfterQuote = false;
        if (char === '"') {
          this.#cell += '"';
          continue;
        }
        this.#isQuoted = false;
      }
      if (this.#isQuoted) {
        if (char === '"') this.#isAfterQuote = true;
        else this.#cell += char;
      } else if (char === '"' && this.#cell === '') this.#isQuoted = true;
      else if (char === this.#delimiter) this.#endCell();
      else if (char === '\n') this.#endRecord(records);
      else this.#cell += char;
    }
    return records;
  }

  /** The record at the end of the file, if it has no line end. */
  finish(): readonly (readonly string[])[] {
    const records: (readonly string[])[] = [];
    this.#isAfterQuote = this.#isQuoted = false;
    if (this.#cell !== '' || this.#record.length > 0) this.#endRecord(records);
    return records;
  }

  #endCell(): void {
    this.#record.push(this.#cell);
    this.#cell = '';
  }

  #endRecord(records: (readonly string[])[]): void {
    if (this.#cell.endsWith('\r')) this.#cell = this.#cell.slice(0, -1);
    this.#endCell();
    if (this.#record.length > 1 || this.#record[0] !== '') records.push(this.#record);
    this.#record = [];
    this.#size = 0;
  }
}

const DELIMITERS = [',', '\t', ';', '|'] as const;

/** The delimiter that the first lines of a file use alike, most often. */
export function delimiterOf(sample: string): string {
  const lines = sample.split('\n', 20).filter((line) => line.trim() !== '');
  const count = (line: string, delimiter: string): number => line.replace(/"[^"]*"/g, '').split(delimiter).length - 1;
  const score = (delimiter: string): number => {
    const first = count(lines[0] ?? '', delimiter);
    const same = lines.filter((line) => count(line, delimiter) === first).length;
    return first * (same / Math.max(1, lines.length));
  };
  return DELIMITERS.reduce((best, one) => (score(one) > score(best) ? one : best));
}

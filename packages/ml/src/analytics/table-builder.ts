import { errors } from '@shoal/errors';
import type { FeatureColumn } from '@shoal/learning';
import type { AnalyzedField } from './field-selection.js';

/** Texts of a field that are told apart; longer ones are cut. */
const TEXT_CHARS_MAX = 512;
const ROWS_FIRST = 1024;

/** Gathers the values of documents, a column a field. A field without one value is missing in its document. */
export class TableBuilder {
  readonly #fields: readonly AnalyzedField[];
  readonly #columns: (Float64Array | Int32Array)[];
  readonly #codes: Map<string, number>[];
  rows = 0;

  constructor(fields: readonly AnalyzedField[]) {
    this.#fields = fields;
    this.#columns = fields.map(({ kind }) =>
      kind === 'category' ? new Int32Array(ROWS_FIRST) : new Float64Array(ROWS_FIRST),
    );
    this.#codes = fields.map(() => new Map<string, number>());
  }

  /** Adds a document: a value for each field, null for none. */
  add(values: readonly unknown[]): void {
    if (this.rows === this.#columns[0]!.length) this.#grow();
    this.#fields.forEach(({ kind }, f) => {
      this.#columns[f]![this.rows] = kind === 'category' ? this.#codeOf(f, values[f]) : numberOf(values[f]);
    });
    this.rows++;
  }

  #grow(): void {
    this.#columns.forEach((column, f) => {
      const larger = column instanceof Int32Array ? new Int32Array(2 * this.rows) : new Float64Array(2 * this.rows);
      larger.set(column);
      this.#columns[f] = larger;
    });
  }

  #codeOf(f: number, value: unknown): number {
    if (value === null || value === undefined || typeof value === 'object') return -1;
    const text = String(value).slice(0, TEXT_CHARS_MAX);
    const codes = this.#codes[f]!;
    const known = codes.get(text);
    if (known !== undefined) return known;
    codes.set(text, codes.size);
    return codes.size - 1;
  }

  /** Bytes of the columns and of the texts that they name. */
  get bytes(): number {
    const texts = this.#codes.reduce((sum, codes) => sum + codes.size * 96, 0);
    return texts + this.#columns.reduce((sum, column) => sum + column.byteLength, 0);
  }

  column(f: number): FeatureColumn {
    const { name, kind } = this.#fields[f]!;
    const column = this.#columns[f]!.subarray(0, this.rows);
    if (kind !== 'category') return { name, kind: 'number', values: column as Float64Array };
    return { name, kind, codes: column as Int32Array, texts: [...this.#codes[f]!.keys()] };
  }

  columns(count: number): readonly FeatureColumn[] {
    return Array.from({ length: count }, (_, f) => this.column(f));
  }

  /** Values of a numeric field. Throws illegal_argument_exception for one of texts. */
  numbers(f: number): Float64Array {
    const column = this.column(f);
    if (column.kind !== 'number') throw errors.illegalArgument(`field [${column.name}] is not numeric`);
    return column.values;
  }
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) ? value : Number.NaN;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
    ? Number(value)
    : Number.NaN;
}

import { UtcDate } from './utc-date.js';
import { Thrown } from './thrown.js';

/** Kinds of columns whose first value a script can read unboxed. */
export type CellKind = 'double' | 'long' | 'boolean' | 'date';

const NO_VALUES = new Float64Array(0);

/**
 * Where the host puts the first values of a field of the documents of a window, and the place of the one at which a
 * script stands, so that `doc['f'].value` costs one read. A value that is NaN: the document has none.
 */
export class Cell {
  readonly field: string;
  readonly kind: CellKind;
  values: Float64Array = NO_VALUES;
  at = 0;

  constructor(field: string, kind: CellKind) {
    this.field = field;
    this.kind = kind;
  }
}

/** The error of reading the value of a field that a document lacks. */
export function missingValue(): Thrown {
  return new Thrown(
    'java.lang.IllegalStateException',
    "A document doesn't have a value for a field! Use doc[<field>].size()==0 to check if a document is missing a " +
      'field!',
  );
}

/** Reads a number. */
export function cellNumber(cell: Cell): number {
  const value = cell.values[cell.at]!;
  if (Number.isNaN(value)) throw missingValue();
  return value;
}

export function cellDate(cell: Cell): UtcDate {
  return new UtcDate(cellNumber(cell));
}

export function cellBoolean(cell: Cell): boolean {
  return cellNumber(cell) !== 0;
}

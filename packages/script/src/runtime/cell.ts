import { UtcDate } from './utc-date.js';
import { Thrown } from './thrown.js';

/** Kinds of columns whose first value a script can read unboxed. */
export type CellKind = 'double' | 'long' | 'boolean' | 'date';

/**
 * Where the host puts the first value of a field of the document at which a script stands, so that `doc['f'].value`
 * costs one read. NaN: the document has none.
 */
export class Cell {
  readonly field: string;
  readonly kind: CellKind;
  value = Number.NaN;

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
  const { value } = cell;
  if (Number.isNaN(value)) throw missingValue();
  return value;
}

export function cellDate(cell: Cell): UtcDate {
  return new UtcDate(cellNumber(cell));
}

export function cellBoolean(cell: Cell): boolean {
  return cellNumber(cell) !== 0;
}

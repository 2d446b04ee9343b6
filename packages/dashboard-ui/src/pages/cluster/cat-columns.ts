/** Names of columns of a `_cat` table, and what is written above each. */
export type CatHeads = Readonly<Record<string, string>>;

/** A row of a `_cat` table: all values are texts. */
export type CatRow = Readonly<Record<string, string | null>>;

/** A column as it is shown. */
export interface CatColumn {
  readonly key: string;
  readonly head: string;
  /** Whether every value is a number, so that 9 comes before 100. */
  readonly isNumber: boolean;
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** The columns of rows in the order of their heads; those that no row has are left out. */
export function catColumns(rows: readonly CatRow[], heads: CatHeads): readonly CatColumn[] {
  return Object.entries(heads)
    .filter(([key]) => rows.some((row) => row[key] !== undefined))
    .map(([key, head]) => {
      const values = rows.map((row) => row[key]).filter((value) => typeof value === 'string');
      return { key, head, isNumber: values.length > 0 && values.every((value) => NUMBER.test(value)) };
    });
}

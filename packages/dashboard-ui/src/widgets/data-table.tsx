import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatAmount, formatCount } from '../state/format.js';

/** A column of a table of rows `T`. */
export interface Column<T> {
  readonly name: string;
  readonly show: (row: T) => ComponentChildren;
  /** Value to sort by; a column without one is not sorted. */
  readonly sort?: (row: T) => string | number;
  /** Numbers are written flush. */
  readonly isNumber?: boolean;
}

/** Props of a table. */
interface DataTableProps<T> {
  /** Name of the table. */
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** Sentence in place of rows. */
  readonly empty: string;
  /** Column that names the row; the first one if absent. */
  readonly heads?: number;
}

/** Rows in the page at once; a button shows as many more. */
const ROWS_SHOWN = 150;

/** Rows by the value of a column; equal ones stay in their order. */
export function sortedRows<T>(rows: readonly T[], value: (row: T) => string | number, isDown: boolean): readonly T[] {
  const sign = isDown ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [x, y] = [value(a), value(b)];
    return x === y ? 0 : x < y ? -sign : sign;
  });
}

/** A table that is sorted by the buttons of its heads; a column, the first as a rule, names the row. */
export function DataTable<T>({ caption, columns, rows, keyOf, empty, heads = 0 }: DataTableProps<T>) {
  const [order, setOrder] = useState<{ readonly column: number; readonly isDown: boolean } | null>(null);
  const [count, setCount] = useState(ROWS_SHOWN);
  if (rows.length === 0) return <p>{empty}</p>;
  const value = order === null ? undefined : columns[order.column]!.sort;
  const sorted = value === undefined ? rows : sortedRows(rows, value, order!.isDown);
  const left = rows.length - count;
  return (
    <div class="table-box" tabIndex={0} role="group" aria-label={`${caption}, scrolls`}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, sort, isNumber }, i) => (
              <th
                key={name}
                scope="col"
                class={isNumber ? 'number' : undefined}
                aria-sort={order?.column !== i ? undefined : order.isDown ? 'descending' : 'ascending'}
              >
                {sort === undefined ? (
                  name
                ) : (
                  <button
                    type="button"
                    class="plain"
                    onClick={() => setOrder({ column: i, isDown: order?.column === i && !order.isDown })}
                  >
                    {name}
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, count).map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, show, isNumber }, i) =>
                i === heads ? (
                  <th key={name} scope="row">
                    {show(row)}
                  </th>
                ) : (
                  <td key={name} class={isNumber ? 'number' : undefined}>
                    {show(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <p>
          {formatAmount(left, 'row', 'rows')} not shown.{' '}
          <button type="button" onClick={() => setCount(count + ROWS_SHOWN)}>
            Show {formatCount(Math.min(left, ROWS_SHOWN))} more
          </button>
        </p>
      )}
    </div>
  );
}

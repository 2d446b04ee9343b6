import type { Cell, CellKind } from '@shoal/script';
import type { Searcher, SegmentView } from '../searcher.js';

/** Returns how a segment keeps the first values of a field, if scripts can read them unboxed; null otherwise. */
export function cellKind(searcher: Searcher, segment: SegmentView, field: string): CellKind | null {
  const type = searcher.mapping.field(field);
  if (type === null || type.runtime !== undefined || type.layout === null || !type.isAggregatable) return null;
  const { column } = type.layout;
  if (column !== 'long' && column !== 'double') return null;
  const { valueKind } = type;
  if (valueKind === 'double' || valueKind === 'boolean') return valueKind;
  if (valueKind === 'date' && type.nanosField === undefined) return 'date';
  if (valueKind !== 'long') return null;
  return segment.reader.numbers(type.name)?.isExact === false ? null : 'long';
}

/** Reads the first values of a field for a window of documents, and moves the cell of a script from one to the next. */
export class CellReader {
  readonly #cell: Cell;
  readonly #column: ReturnType<SegmentView['reader']['numbers']>;
  #values = new Float64Array(0);

  constructor(cell: Cell, searcher: Searcher, segment: SegmentView) {
    this.#cell = cell;
    this.#column = segment.reader.numbers(searcher.mapping.field(cell.field)?.name ?? cell.field);
  }

  read(docs: Int32Array, count: number): void {
    if (this.#values.length < count) this.#values = new Float64Array(count);
    if (this.#column) this.#column.read(docs, count, this.#values);
    else this.#values.fill(Number.NaN, 0, count);
  }

  /** Gives the cell the values of this window: other segments use the same script. */
  fill(): void {
    this.#cell.values = this.#values;
  }

  moveTo(at: number): void {
    this.#cell.at = at;
  }
}

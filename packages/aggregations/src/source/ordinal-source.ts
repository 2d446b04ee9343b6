import type { MultiOrdinals, OrdinalColumn } from '@shoal/segments';
import type { Scratch, SegmentView } from '@shoal/query';
import { roomForInts } from '../collect/growable.js';
import { isContiguous } from './read.kernel.js';

/**
 * Reads the ordinals of one field, segment by segment. Returned arrays belong to the source and are valid until the
 * next call.
 */
export interface OrdinalSource {
  segment(view: SegmentView): void;
  readonly column: OrdinalColumn | null;
  readonly isSingle: boolean;
  /** First ordinal of each document, that of its smallest term; -1 for none. */
  read(docs: Int32Array, count: number): Int32Array;
  readAll(docs: Int32Array, count: number): MultiOrdinals;
}

class ColumnOrdinals implements OrdinalSource {
  readonly #field: string;
  readonly #scratch: Scratch | undefined;
  readonly #multi: MultiOrdinals = { starts: new Int32Array(1), values: NO_ORDINALS };
  #single: Int32Array<ArrayBuffer> = NO_ORDINALS;
  column: OrdinalColumn | null = null;

  constructor(field: string, scratch: Scratch | undefined) {
    this.#field = field;
    this.#scratch = scratch;
  }

  segment(view: SegmentView): void {
    this.column = view.reader.ordinals(this.#field);
  }

  get isSingle(): boolean {
    return this.column === null || this.column.isSingleValued;
  }

  read(docs: Int32Array, count: number): Int32Array {
    const { column } = this;
    const single = (this.#single = roomForInts(this.#single, count, this.#scratch));
    if (!column) single.fill(-1, 0, count);
    else if (isContiguous(docs, count)) column.readRange(docs[0]!, docs[0]! + count, single);
    else column.read(docs, count, single);
    return single;
  }

  readAll(docs: Int32Array, count: number): MultiOrdinals {
    if (this.column) this.column.readAll(docs, count, this.#multi);
    else this.#multi.starts = new Int32Array(count + 1);
    return this.#multi;
  }
}

const NO_ORDINALS = new Int32Array(0);

/** Makes the source of `field`; its arrays are borrowed from `scratch` if given. */
export function ordinalSource(field: string, scratch: Scratch | undefined): OrdinalSource {
  return new ColumnOrdinals(field, scratch);
}

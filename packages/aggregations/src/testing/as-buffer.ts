import type { Searcher, SegmentView } from '@shoal/query';
import type { OrdinalColumn } from '@shoal/segments';

/** Returns the column with ordinals in reverse term order, and with the `ranks` that a write buffer has. */
function unordered(column: OrdinalColumn): OrdinalColumn {
  const last = column.ordinalCount - 1;
  const turned = (ordinal: number): number => (ordinal < 0 ? ordinal : last - ordinal);
  const turn = (values: Int32Array, count: number): void => {
    for (let i = 0; i < count; i++) values[i] = turned(values[i]!);
  };
  return {
    isSingleValued: column.isSingleValued,
    docsWithField: column.docsWithField,
    valueCount: column.valueCount,
    ordinalCount: column.ordinalCount,
    nextDocWithField: (target) => column.nextDocWithField(target),
    read: (docs, count, out) => {
      column.read(docs, count, out);
      turn(out, count);
    },
    readRange: (from, to, out) => {
      column.readRange(from, to, out);
      turn(out, to - from);
    },
    readAll: (docs, count, out) => {
      column.readAll(docs, count, out);
      turn(out.values, out.starts[count]!);
    },
    term: (ordinal) => column.term(turned(ordinal)),
    lookup: (term) => turned(column.lookup(term)),
    ranks: () => Int32Array.from({ length: column.ordinalCount }, (_, ordinal) => turned(ordinal)),
  };
}

function buffered(view: SegmentView): SegmentView {
  const sealed = view.reader;
  const ordinals = (field: string): OrdinalColumn | null => {
    const column = sealed.ordinals(field);
    return column && unordered(column);
  };
  const reader = new Proxy(sealed, {
    get(target, key) {
      if (key === 'ordinals') return ordinals;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { ...view, reader };
}

/**
 * Returns the searcher with its last segment shown as a write buffer: ordinals are not in term order, and `ranks` sorts
 * them.
 */
export function asBuffer(searcher: Searcher): Searcher {
  return {
    ...searcher,
    segments: searcher.segments.map((view, i, all) => (i === all.length - 1 ? buffered(view) : view)),
  };
}

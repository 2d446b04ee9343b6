import { csvCell, csvHead, csvLine, type Hit, hitValues, readHit } from '@shoal/values';

/** Writes documents as text of a file. */
export interface RowWriter {
  readonly contentType: string;
  /** Text before the first document. */
  readonly head: string;
  row(hit: Hit): string;
}

/** A line for each document: what the index keeps, as it was written. */
export const NDJSON: RowWriter = {
  contentType: 'application/x-ndjson; charset=utf-8',
  head: '',
  // Line ends are white space between tokens: within strings JSON has them escaped.
  row: ({ source, fields }) => `${(source ?? fields ?? '{}').replace(/[\r\n]+[ \t]*/g, '')}\n`,
};

/** A line of cells for each document. `_id` and `_index` may be columns. */
export function csvRows(columns: readonly string[], isGuarded: boolean): RowWriter {
  return {
    contentType: 'text/csv; charset=utf-8',
    head: csvHead(columns, isGuarded),
    row(hit) {
      const read = readHit(hit);
      const own: Readonly<Record<string, string>> = { _id: hit.id, _index: hit.index };
      return csvLine(
        columns.map((name) => csvCell(Object.hasOwn(own, name) ? [own[name]!] : hitValues(read, name), isGuarded)),
      );
    },
  };
}

interface FieldCaps {
  readonly fields?: Readonly<Record<string, Readonly<Record<string, { readonly metadata_field?: boolean }>>>>;
}

/** Names of the fields that documents have, of the text of an answer of `_field_caps`. */
export function leafFields(text: string): readonly string[] {
  const { fields = {} } = JSON.parse(text) as FieldCaps;
  const isLeaf = (name: string): boolean => {
    const types = Object.hasOwn(fields, name) ? fields[name]! : null;
    return types !== null && !('object' in types) && !('nested' in types);
  };
  return Object.entries(fields)
    .filter(([, types]) => Object.values(types).every((type) => type.metadata_field !== true))
    .map(([name]) => name)
    .filter((name) => isLeaf(name) && !isLeaf(name.slice(0, Math.max(0, name.lastIndexOf('.')))))
    .toSorted();
}

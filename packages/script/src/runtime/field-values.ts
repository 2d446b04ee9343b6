import { missingValue } from './cell.js';
import { HostList, type Value } from './values.js';

/** Kinds of the values of a field, by which scripts see them. */
export type FieldKind =
  | 'long'
  | 'unsigned'
  | 'double'
  | 'date'
  | 'boolean'
  | 'keyword'
  | 'ip'
  | 'geo'
  | 'binary'
  | 'vector';

const NAMES: Readonly<Record<FieldKind, string>> = {
  long: 'Longs',
  unsigned: 'Longs',
  double: 'Doubles',
  date: 'Dates',
  boolean: 'Booleans',
  keyword: 'Strings',
  ip: 'Strings',
  geo: 'GeoPoints',
  binary: 'BytesRefs',
  vector: 'DenseVectors',
};

/** Values of one field of the document at which the host stands, ascending. */
export interface FieldSource {
  readonly kind: FieldKind;
  readonly count: number;
  /** A boxed value. */
  value(index: number): Value;
}

/** `doc['f']`: what scripts see of a field. */
export class FieldValues extends HostList {
  readonly javaClass: string;
  readonly source: FieldSource;
  /** Type of the field in the mapping. */
  readonly typeName: string;

  constructor(source: FieldSource, typeName: string) {
    super();
    this.source = source;
    this.typeName = typeName;
    this.javaClass = `org.elasticsearch.index.fielddata.ScriptDocValues.${NAMES[source.kind]}`;
  }

  get length(): number {
    return this.source.count;
  }

  at(index: number): Value {
    return this.source.value(index);
  }

  /** The smallest value; a document without one is an error. */
  first(): Value {
    if (this.source.count > 0) return this.source.value(0);
    throw missingValue();
  }
}

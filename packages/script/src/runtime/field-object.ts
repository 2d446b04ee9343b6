import type { FieldKind, FieldValues } from './field-values.js';
import { numberIn } from './boxes.js';
import { HostList, type Value } from './values.js';

const PACKAGE = 'org.elasticsearch.script.field';

/** Classes of fields by the type of their mapping. */
const BY_TYPE: Readonly<Record<string, string>> = {
  byte: 'Byte',
  short: 'Short',
  integer: 'Integer',
  token_count: 'Integer',
  unsigned_long: 'UnsignedLong',
  float: 'Float',
  half_float: 'HalfFloat',
  scaled_float: 'ScaledFloat',
  date_nanos: 'DateNanos',
  constant_keyword: 'ConstantKeyword',
  text: 'Text',
  version: 'Version',
  wildcard: 'Wildcard',
};

/** Classes of all other fields. */
const BY_KIND: Readonly<Record<FieldKind, string>> = {
  long: 'Long',
  unsigned: 'UnsignedLong',
  double: 'Double',
  date: 'DateMillis',
  boolean: 'Boolean',
  keyword: 'Keyword',
  ip: 'Ip',
  geo: 'GeoPoint',
  binary: 'Binary',
  vector: 'DenseVector',
};

/** Class of all fields in Java. */
export const FIELD_CLASS = `${PACKAGE}.Field`;

/** Class of fields that the mapping lacks. */
export const EMPTY_FIELD_CLASS = `${PACKAGE}.EmptyField`;

/** Class of fields of a type in Java. `name` is the part in front of `DocValuesField`. */
export const fieldClass = (name: string): string => `${PACKAGE}.${name}DocValuesField`;

/**
 * `field('f')`: the values of a field of the document at which the host stands; of no field there are none. Its class
 * is that of the field's type, so that an integer calculates as int.
 */
export class FieldObject extends HostList {
  readonly javaClass: string;
  readonly name: string;
  readonly #values: FieldValues | null;
  readonly #isInt: boolean;

  constructor(name: string, values: FieldValues | null) {
    super();
    this.name = name;
    this.#values = values;
    const type = values?.typeName ?? '';
    this.javaClass = values ? fieldClass(BY_TYPE[type] ?? BY_KIND[values.source.kind]) : EMPTY_FIELD_CLASS;
    this.#isInt = type === 'integer' || type === 'token_count';
  }

  get length(): number {
    return this.#values?.length ?? 0;
  }

  at(index: number): Value {
    const value = this.#values!.at(index);
    return this.#isInt ? numberIn(value) : value;
  }

  /** Returns a value as `read` makes it of the boxed one, or `fallback` where there is none. */
  get(index: number, fallback: unknown, read: (value: Value) => unknown): unknown {
    return index >= 0 && index < this.length ? read(this.at(index)) : fallback;
  }
}

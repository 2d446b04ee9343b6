import { boxDouble, numberIn } from '../../runtime/boxes.js';
import { EMPTY_FIELD_CLASS, FIELD_CLASS, type FieldObject, fieldClass } from '../../runtime/field-object.js';
import type { Value } from '../../runtime/values.js';
import type { AllowTable, ClassRow, Implementation } from './class-row.js';

type Read = (value: Value) => unknown;

const asIs: Read = (value) => value;
const asNumber: Read = numberIn;

/** Getters of a field: of its first value and of the one at a place, else the default that the script names. */
function getters(name: string, type: string, read: Read): Readonly<Record<string, Implementation>> {
  return {
    [`${type} ${name}(${type})`]: (field: FieldObject, fallback: unknown) => field.get(0, fallback, read),
    [`${type} ${name}(int,${type})`]: (field: FieldObject, index: number, fallback: unknown) =>
      field.get(index, fallback, read),
  };
}

const row = (name: string, methods: ClassRow['methods'] = {}): ClassRow => ({
  name,
  isUnimported: true,
  parents: [FIELD_CLASS],
  methods,
});

const plainRow = (name: string, type: string, read: Read): ClassRow =>
  row(fieldClass(name), getters('get', type, read));

/** Of floats, which scripts may read as doubles too. */
const floatRow = (name: string): ClassRow =>
  row(fieldClass(name), {
    ...getters('get', 'float', asNumber),
    ...getters('asDouble', 'double', asNumber),
    'List asDoubles()': (field: FieldObject) => [...field].map((value) => boxDouble(Number(numberIn(value)))),
  });

/** Of fields whose values are printed for scripts. */
const printedRow = (name: string): ClassRow =>
  row(fieldClass(name), {
    ...getters('get', 'def', asIs),
    ...getters('asString', 'String', asIs),
    'List asStrings()': (field: FieldObject) => [...field],
  });

/** What `field('f')` gives, by the type of the field. */
export const FIELD_OBJECTS: AllowTable = [
  {
    name: FIELD_CLASS,
    parents: ['java.lang.Iterable'],
    methods: {
      'String getName()': (field: FieldObject) => field.name,
      'boolean isEmpty()': (field: FieldObject) => field.length === 0,
      'int size()': (field: FieldObject) => field.length,
      ...getters('get', 'def', asIs),
    },
  },
  row(EMPTY_FIELD_CLASS),
  plainRow('Boolean', 'boolean', asIs),
  plainRow('Byte', 'byte', asNumber),
  plainRow('Short', 'short', asNumber),
  plainRow('Integer', 'int', asNumber),
  plainRow('Long', 'long', asNumber),
  row(fieldClass('UnsignedLong'), {
    ...getters('get', 'long', asNumber),
    ...getters('getValue', 'long', asNumber),
    'List getValues()': (field: FieldObject) => [...field],
  }),
  floatRow('Float'),
  floatRow('HalfFloat'),
  plainRow('ScaledFloat', 'double', asNumber),
  plainRow('Double', 'double', asNumber),
  plainRow('DateMillis', 'ZonedDateTime', asIs),
  plainRow('DateNanos', 'ZonedDateTime', asIs),
  ...['Keyword', 'ConstantKeyword', 'Text', 'Wildcard'].map((name) => plainRow(name, 'String', asIs)),
  printedRow('Ip'),
  printedRow('Version'),
  plainRow('Binary', 'def', asIs),
  plainRow('GeoPoint', 'GeoPoint', asIs),
];

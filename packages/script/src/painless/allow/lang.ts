import { compareValues } from '../../runtime/comparison.js';
import { scriptEnvironment } from '../../runtime/environment.js';
import { equalValues, hashOf } from '../../runtime/equality.js';
import { textOf } from '../../runtime/java-text.js';
import { ExceptionValue, Explained, Thrown } from '../../runtime/thrown.js';
import type { AllowTable, ClassRow } from './class-row.js';

const EXCEPTIONS: Readonly<Record<string, string>> = {
  'java.lang.ArithmeticException': 'java.lang.RuntimeException',
  'java.lang.ArrayIndexOutOfBoundsException': 'java.lang.IndexOutOfBoundsException',
  'java.lang.ArrayStoreException': 'java.lang.RuntimeException',
  'java.lang.ClassCastException': 'java.lang.RuntimeException',
  'java.lang.IllegalArgumentException': 'java.lang.RuntimeException',
  'java.lang.IllegalStateException': 'java.lang.RuntimeException',
  'java.lang.IndexOutOfBoundsException': 'java.lang.RuntimeException',
  'java.lang.NegativeArraySizeException': 'java.lang.RuntimeException',
  'java.lang.NullPointerException': 'java.lang.RuntimeException',
  'java.lang.NumberFormatException': 'java.lang.IllegalArgumentException',
  'java.lang.RuntimeException': 'java.lang.Exception',
  'java.lang.StringIndexOutOfBoundsException': 'java.lang.IndexOutOfBoundsException',
  'java.lang.UnsupportedOperationException': 'java.lang.RuntimeException',
  'java.time.DateTimeException': 'java.lang.RuntimeException',
  'java.time.format.DateTimeParseException': 'java.time.DateTimeException',
  'java.time.temporal.UnsupportedTemporalTypeException': 'java.time.DateTimeException',
  'java.time.zone.ZoneRulesException': 'java.time.DateTimeException',
  'java.text.ParseException': 'java.lang.Exception',
  'java.util.IllegalFormatException': 'java.lang.IllegalArgumentException',
  'java.util.IllegalFormatConversionException': 'java.util.IllegalFormatException',
  'java.util.IllegalFormatWidthException': 'java.util.IllegalFormatException',
  'java.util.MissingFormatArgumentException': 'java.util.IllegalFormatException',
  'java.util.UnknownFormatConversionException': 'java.util.IllegalFormatException',
  'java.util.ConcurrentModificationException': 'java.lang.RuntimeException',
  'java.util.EmptyStackException': 'java.lang.RuntimeException',
  'java.util.NoSuchElementException': 'java.lang.RuntimeException',
  'java.util.IllegalFormatCodePointException': 'java.util.IllegalFormatException',
  'java.util.IllformedLocaleException': 'java.lang.RuntimeException',
  'java.util.TooManyListenersException': 'java.lang.Exception',
  'java.lang.ReflectiveOperationException': 'java.lang.Exception',
  'java.lang.ClassNotFoundException': 'java.lang.ReflectiveOperationException',
  'java.lang.IllegalAccessException': 'java.lang.ReflectiveOperationException',
  'java.lang.InstantiationException': 'java.lang.ReflectiveOperationException',
  'java.lang.NoSuchFieldException': 'java.lang.ReflectiveOperationException',
  'java.lang.NoSuchMethodException': 'java.lang.ReflectiveOperationException',
};

function exceptionRow(name: string, parent: string | null): ClassRow {
  return {
    name,
    parents: parent === null ? [] : [parent],
    constructors: {
      '()': () => new ExceptionValue(name, null),
      '(String)': (told: string | null) => new ExceptionValue(name, told),
    },
    ...(parent === null
      ? {
          methods: {
            'String getMessage()': (error: ExceptionValue) => error.told,
            'String getLocalizedMessage()': (error: ExceptionValue) => error.told,
          },
        }
      : {}),
  };
}

const objectRow: ClassRow = {
  name: 'java.lang.Object',
  methods: {
    'boolean equals(Object)': equalValues,
    'int hashCode()': hashOf,
    'String toString()': textOf,
  },
};

const comparableRow: ClassRow = {
  name: 'java.lang.Comparable',
  methods: { 'int compareTo(def)': compareValues },
};

const debugRow: ClassRow = {
  name: 'org.elasticsearch.painless.api.Debug',
  statics: {
    'void explain(Object)': (value: unknown) => {
      throw new Explained(value);
    },
  },
};

const systemRow: ClassRow = {
  name: 'java.lang.System',
  statics: {
    'long currentTimeMillis()': () => Math.floor(scriptEnvironment().wallMs()),
    'long nanoTime()': () => Math.round(scriptEnvironment().nowMs() * 1e6),
    'void arraycopy(Object,int,Object,int,int)': (
      from: { values: unknown[] },
      fromAt: number,
      to: { values: unknown[] },
      toAt: number,
      length: number,
    ) => {
      if (!from?.values || !to?.values) throw new Thrown('java.lang.ArrayStoreException', 'arraycopy: not an array');
      const isInside =
        fromAt >= 0 &&
        toAt >= 0 &&
        length >= 0 &&
        fromAt + length <= from.values.length &&
        toAt + length <= to.values.length;
      if (!isInside)
        throw new Thrown('java.lang.ArrayIndexOutOfBoundsException', 'arraycopy: last index out of bounds');
      const part = from.values.slice(fromAt, fromAt + length);
      for (let i = 0; i < length; i++) to.values[toAt + i] = part[i];
    },
  },
};

/** A constant of an enumeration. */
interface EnumConstant {
  readonly name: string;
  readonly ordinal: number;
}

/** java.lang without its texts and numbers: objects, exceptions, the clock. */
export const LANG: AllowTable = [
  objectRow,
  comparableRow,
  debugRow,
  systemRow,
  exceptionRow('java.lang.Exception', null),
  ...Object.entries(EXCEPTIONS).map(([name, parent]) => exceptionRow(name, parent)),
  {
    name: 'java.lang.Enum',
    parents: ['java.lang.Comparable'],
    methods: {
      'String name()': ({ name }: EnumConstant) => name,
      'int ordinal()': ({ ordinal }: EnumConstant) => ordinal,
    },
  },
  { name: 'java.io.Serializable', isUnimported: true },
];

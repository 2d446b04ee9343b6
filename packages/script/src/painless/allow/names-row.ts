import { illegalArgument } from '../../runtime/thrown.js';
import { ScriptObject } from '../../runtime/script-object.js';
import { JavaArray } from '../../runtime/values.js';
import type { ClassRow } from './class-row.js';

/** A constant of an enumeration that is nothing but its name. */
export class NamedConstant extends ScriptObject {
  readonly javaClass: string;
  readonly name: string;
  readonly ordinal: number;

  constructor(javaClass: string, name: string, ordinal: number) {
    super();
    this.javaClass = javaClass;
    this.name = name;
    this.ordinal = ordinal;
  }

  toText(): string {
    return this.name;
  }

  compare(other: unknown): number {
    return this.ordinal - (other as NamedConstant).ordinal;
  }

  equalTo(other: unknown): boolean {
    return this === other;
  }

  hash(): number {
    return this.ordinal;
  }

  get identity(): string {
    return this.name;
  }
}

/** The row of an enumeration, by its class and the names of its constants in their order. */
export function namesRow(javaClass: string, names: string): ClassRow & { readonly values: readonly NamedConstant[] } {
  const values = names.split(' ').map((name, i) => new NamedConstant(javaClass, name, i));
  return {
    name: javaClass,
    values,
    parents: ['java.lang.Enum'],
    constants: Object.fromEntries(values.map((value) => [`${javaClass} ${value.name}`, value])),
    statics: {
      [`${javaClass} valueOf(String)`]: (name: string) => {
        const value = values.find((one) => one.name === name);
        if (!value) throw illegalArgument(`No enum constant ${javaClass}.${name}`);
        return value;
      },
      [`${javaClass}[] values()`]: () => new JavaArray(javaClass, [...values]),
    },
    methods: {
      'String name()': (value: NamedConstant) => value.name,
      'int ordinal()': (value: NamedConstant) => value.ordinal,
    },
  };
}

import { Thrown } from './thrown.js';
import { equalValues, hashOf } from './equality.js';
import { textOf } from './java-text.js';
import { ScriptObject, type Value } from './values.js';

/** A value that may be missing: `Optional`, `OptionalInt` and their kin. */
export class Optional extends ScriptObject {
  readonly javaClass: string;
  readonly value: Value;

  constructor(value: Value, kind: '' | 'Int' | 'Long' | 'Double' = '') {
    super();
    this.value = value;
    this.javaClass = `java.util.Optional${kind}`;
  }

  get isPresent(): boolean {
    return this.value !== null && this.value !== undefined;
  }

  get(): Value {
    if (this.isPresent) return this.value;
    throw new Thrown('java.util.NoSuchElementException', 'No value present');
  }

  toText(): string {
    const name = this.javaClass.slice('java.util.'.length);
    return this.isPresent ? `${name}[${textOf(this.value)}]` : `${name}.empty`;
  }

  equalTo(other: unknown): boolean {
    return other instanceof Optional && equalValues(this.value, other.value);
  }

  hash(): number {
    return this.isPresent ? hashOf(this.value) : 0;
  }
}

import { equalValues } from './equality.js';
import { JavaSet } from './java-set.js';
import { entriesOf, keysOf, mapRemove } from './maps.js';
import { unsupported } from './thrown.js';
import { HostList, type Value } from './values.js';

/** The keys or the entries of a map: what is taken out of them is taken out of the map. */
export class MapView extends JavaSet {
  readonly #source: object;
  readonly #keyOf: (value: Value) => Value;

  /** `keyOf` returns the key of the map that a value of the view stands for. */
  constructor(source: object, values: Iterable<Value>, keyOf: (value: Value) => Value = (key) => key) {
    super('linked');
    for (const value of values) this.map.put(value, true);
    this.#source = source;
    this.#keyOf = keyOf;
  }

  override add(): boolean {
    throw unsupported();
  }

  override delete(value: Value): boolean {
    if (!super.delete(value)) return false;
    mapRemove(this.#source, this.#keyOf(value));
    return true;
  }

  override clear(): void {
    for (const value of this.values()) this.delete(value);
  }
}

export const keysView = (map: object): MapView => new MapView(map, keysOf(map));

/** The values of a map: what is taken out of them is taken out of the map. */
export class MapValues extends HostList {
  readonly javaClass = 'java.util.Collection';
  readonly #source: object;
  #entries: [Value, Value][];

  constructor(source: object) {
    super();
    this.#source = source;
    this.#entries = entriesOf(source);
  }

  get length(): number {
    return this.#entries.length;
  }

  at(index: number): Value {
    return this.#entries[index]?.[1] ?? null;
  }

  /** Keeps the values for which a test says so; tells whether any went. */
  keep(test: (value: Value) => boolean): boolean {
    const before = this.length;
    this.#entries = this.#entries.filter(([key, value]) => {
      const isKept = test(value);
      if (!isKept) mapRemove(this.#source, key);
      return isKept;
    });
    return this.length !== before;
  }

  /** Takes the first equal value out. */
  delete(value: Value): boolean {
    let isDone = false;
    return this.keep((one) => isDone || !(isDone = equalValues(one, value)));
  }
}

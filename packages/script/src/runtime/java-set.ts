import { hashOf } from './equality.js';
import { type Comparator, JavaMap, type MapOrder } from './java-map.js';
import { ScriptObject, type Value } from './values.js';

const CLASSES: Readonly<Record<MapOrder, string>> = {
  hash: 'java.util.HashSet',
  linked: 'java.util.LinkedHashSet',
  tree: 'java.util.TreeSet',
};

/** A set that a script made: the keys of a map. */
export class JavaSet extends ScriptObject {
  readonly map: JavaMap;

  constructor(order: MapOrder | JavaMap, comparator: Comparator | null = null) {
    super();
    this.map = order instanceof JavaMap ? order : new JavaMap(order, comparator);
  }

  /** The keys of a map as a set. */
  static over(map: JavaMap): JavaSet {
    return new JavaSet(map);
  }

  get javaClass(): string {
    return CLASSES[this.map.order];
  }

  get size(): number {
    return this.map.size;
  }

  add(value: Value): boolean {
    if (this.map.has(value)) return false;
    this.map.put(value, true);
    return true;
  }

  has(value: Value): boolean {
    return this.map.has(value);
  }

  delete(value: Value): boolean {
    if (!this.map.has(value)) return false;
    this.map.remove(value);
    return true;
  }

  clear(): void {
    this.map.clear();
  }

  values(): Value[] {
    return this.map.keys();
  }

  [Symbol.iterator](): Iterator<Value> {
    return this.values()[Symbol.iterator]();
  }

  equalTo(other: Value): boolean {
    return other instanceof JavaSet && other.size === this.size && this.values().every((value) => other.has(value));
  }

  hash(): number {
    return this.values().reduce((hash: number, value) => (hash + hashOf(value)) | 0, 0);
  }

  get identity(): string {
    return this.values()
      .map((value) => String(hashOf(value)))
      .sort()
      .join();
  }
}

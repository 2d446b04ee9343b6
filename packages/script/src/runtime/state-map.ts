import { currentBudget } from './budget.js';
import { identityOf } from './equality.js';
import { JavaMap } from './java-map.js';
import { MapObject, type Value } from './values.js';

/** Bytes of an entry beside its key and value. */
const ENTRY_BYTES = 64;
/** Layouts that follow one another. A map with more keys has a layout of its own. */
const SHARED_MAX = 64;

/**
 * The keys of state maps and their slots, as V8's hidden classes hold those of objects. Maps that got the same keys in
 * the same order share a layout, so that a place of a script that met it before knows the slot of its key.
 */
class StateLayout {
  readonly slots: Map<unknown, number>;
  readonly keys: Value[];
  readonly #next = new Map<unknown, StateLayout>();

  constructor(keys: readonly Value[] = []) {
    this.keys = [...keys];
    this.slots = new Map(keys.map((key, slot) => [identityOf(key), slot]));
  }

  /** Returns the layout with one key more. */
  with(key: Value): StateLayout {
    const identity = identityOf(key);
    if (this.keys.length >= SHARED_MAX) return this.#grown(identity, key);
    let next = this.#next.get(identity);
    if (!next) {
      next = new StateLayout([...this.keys, key]);
      if (this.#next.size < SHARED_MAX) this.#next.set(identity, next);
    }
    return next;
  }

  /** Only one map has a layout of so many keys, which grows with it. */
  #grown(identity: unknown, key: Value): StateLayout {
    const own = this.keys.length === SHARED_MAX ? new StateLayout(this.keys) : this;
    own.slots.set(identity, own.keys.length);
    own.keys.push(key);
    return own;
  }
}

/**
 * The map that scripts of a `scripted_metric` keep between documents: a java.util.HashMap whose values are slots of an
 * array. Reading a member of a known layout takes 2 ns; a property of an object by a name that is only known when the
 * script runs takes 15, and setting it 30.
 */
export class StateMap extends MapObject {
  layout: StateLayout;
  values: Value[] = [];

  /** `others` is a map whose layouts this one shares, because the same scripts fill both. */
  constructor(others: StateMap | null = null) {
    super();
    this.layout = others === null ? new StateLayout() : others.#first;
    this.#first = this.layout;
  }

  readonly #first: StateLayout;

  get javaClass(): string {
    return 'java.util.HashMap';
  }

  get size(): number {
    return this.values.length;
  }

  get(key: Value): Value {
    const slot = this.layout.slots.get(identityOf(key));
    return slot === undefined ? null : this.values[slot];
  }

  has(key: Value): boolean {
    return this.layout.slots.has(identityOf(key));
  }

  put(key: Value, value: Value): Value {
    const budget = currentBudget();
    if (typeof value === 'object' && value !== null) budget.isChanged = true;
    const slot = this.layout.slots.get(identityOf(key));
    if (slot !== undefined) {
      const former = this.values[slot];
      this.values[slot] = value;
      return former;
    }
    budget.charge(ENTRY_BYTES);
    this.layout = this.layout.with(key);
    this.values.push(value);
    return null;
  }

  remove(key: Value): Value {
    const gone = this.layout.slots.get(identityOf(key));
    if (gone === undefined) return null;
    const former = this.values[gone];
    this.layout = new StateLayout(this.layout.keys.filter((_key, slot) => slot !== gone));
    this.values = this.values.filter((_value, slot) => slot !== gone);
    currentBudget().walk(this.values.length + 1);
    return former;
  }

  clear(): void {
    this.layout = this.#first;
    this.values = [];
  }

  keys(): Value[] {
    return this.#inOrder().keys();
  }

  entries(): [Value, Value][] {
    return this.#inOrder().entries();
  }

  /** Keys and values in no certain order. */
  parts(): Value[] {
    return [...this.layout.keys, ...this.values];
  }

  /** Keys come in the order of the hash table that they would be in. */
  #inOrder(): JavaMap {
    const map = new JavaMap('hash');
    for (const [slot, key] of this.layout.keys.entries()) map.put(key, this.values[slot]);
    return map;
  }
}

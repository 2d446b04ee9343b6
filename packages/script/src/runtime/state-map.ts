import { currentBudget } from './budget.js';
import { identityOf } from './equality.js';
import { JavaMap } from './java-map.js';
import { boxDouble } from './boxes.js';
import { Boxed, MapObject, type Value } from './values.js';

/** Stands in a slot whose value is a Double, which is kept unboxed beside. */
const DOUBLE = Symbol('double');
/** Slots for doubles that a map begins with. */
const DOUBLES_MIN = 4;
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

/** Returns a Double as a number that is none of another class; NaN for NaN and for any other value. */
function doubleIn(value: Value): number {
  if (typeof value === 'number') return Number.isInteger(value) && !Object.is(value, -0) ? Number.NaN : value;
  return value instanceof Boxed && value.kind === 'Double' ? value.value : Number.NaN;
}

/**
 * The map that scripts of a `scripted_metric` keep between documents: a java.util.HashMap whose values are slots of an
 * array. Reading a member of a known layout takes 2 ns; a property of an object by a name that is only known when the
 * script runs takes 15, and setting it 30. Doubles are kept in an array of their own: most states are sums, and a
 * number that is made anew for each document and kept in a map that lives long costs V8 as much as all else of a short
 * script.
 */
export class StateMap extends MapObject {
  layout: StateLayout;
  #values: Value[] = [];
  #doubles = new Float64Array(DOUBLES_MIN);

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
    return this.#values.length;
  }

  /** Returns the value in a slot of the layout. */
  at(slot: number): Value {
    const value = this.#values[slot];
    return value === DOUBLE ? boxDouble(this.#doubles[slot]!) : value;
  }

  /** Sets the value in a slot of the layout. */
  set(slot: number, value: Value): void {
    const double = doubleIn(value);
    if (Number.isNaN(double)) this.#values[slot] = value;
    else {
      this.#doubles[slot] = double;
      if (this.#values[slot] !== DOUBLE) this.#values[slot] = DOUBLE;
    }
  }

  /** Adds to the Double in a slot of the layout; false if there is none. */
  addTo(slot: number, value: number): boolean {
    if (this.#values[slot] !== DOUBLE) return false;
    const sum = this.#doubles[slot]! + value;
    if (Number.isNaN(sum)) return false;
    this.#doubles[slot] = sum;
    return true;
  }

  get(key: Value): Value {
    const slot = this.layout.slots.get(identityOf(key));
    return slot === undefined ? null : this.at(slot);
  }

  has(key: Value): boolean {
    return this.layout.slots.has(identityOf(key));
  }

  put(key: Value, value: Value): Value {
    const budget = currentBudget();
    if (typeof value === 'object' && value !== null) budget.isChanged = true;
    const slot = this.layout.slots.get(identityOf(key));
    if (slot !== undefined) {
      const former = this.at(slot);
      this.set(slot, value);
      return former;
    }
    budget.charge(ENTRY_BYTES);
    this.layout = this.layout.with(key);
    this.#add(value);
    return null;
  }

  #add(value: Value): void {
    const slot = this.#values.push(null) - 1;
    if (slot === this.#doubles.length) {
      const more = new Float64Array(2 * slot);
      more.set(this.#doubles);
      this.#doubles = more;
    }
    this.set(slot, value);
  }

  #all(): Value[] {
    return this.#values.map((_value, slot) => this.at(slot));
  }

  remove(key: Value): Value {
    const gone = this.layout.slots.get(identityOf(key));
    if (gone === undefined) return null;
    const former = this.at(gone);
    const left = this.#all().filter((_value, slot) => slot !== gone);
    this.layout = new StateLayout(this.layout.keys.filter((_key, slot) => slot !== gone));
    this.#values = [];
    for (const value of left) this.#add(value);
    currentBudget().walk(left.length + 1);
    return former;
  }

  clear(): void {
    this.layout = this.#first;
    this.#values = [];
  }

  keys(): Value[] {
    return this.#inOrder().keys();
  }

  entries(): [Value, Value][] {
    return this.#inOrder().entries();
  }

  /** Keys and values in no certain order. */
  parts(): Value[] {
    return [...this.layout.keys, ...this.#all()];
  }

  /** Keys come in the order of the hash table that they would be in. */
  #inOrder(): JavaMap {
    const map = new JavaMap('hash');
    for (const [slot, key] of this.layout.keys.entries()) map.put(key, this.at(slot));
    return map;
  }
}

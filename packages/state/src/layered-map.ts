/** Maps with fewer entries are copied as wholes: that is as fast. */
const WHOLE_MAX = 200;
/** Entries of a layer, by the root of those below: an edit copies the layer, and one in so many the entries below. */
const LAYER_ROOTS = 2;

const NOTHING = new Map<string, never>() as ReadonlyMap<string, never>;
const NONE: ReadonlySet<string> = new Set();

/**
 * A map that is not changed, made of a large one below that it shares with the maps it was edited from and to, and a
 * small layer of what differs. A cluster state of 5,000 indices is edited several times for each index that is created:
 * copies of whole maps were a sixth of the time that this takes, and as much garbage. Entries are in the order that a
 * `Map` with the same edits would have.
 */
export class LayeredMap<T> implements ReadonlyMap<string, T> {
  #below: ReadonlyMap<string, T>;
  /** Entries that are new, or replace one below. */
  #layer: ReadonlyMap<string, T>;
  /** Keys of entries below that are gone; the layer may have others for them, which come last. */
  #gone: ReadonlySet<string>;
  readonly size: number;

  private constructor(
    below: ReadonlyMap<string, T>,
    layer: ReadonlyMap<string, T>,
    gone: ReadonlySet<string>,
    size: number,
  ) {
    this.#below = below;
    this.#layer = layer;
    this.#gone = gone;
    this.size = size;
  }

  /** Returns a copy of a map without the keys `gone` and with the entries `put`; layered if it is large. */
  static edited<T>(
    map: ReadonlyMap<string, T>,
    put: Iterable<readonly [string, T]>,
    gone: Iterable<string>,
  ): ReadonlyMap<string, T> {
    if (map.size <= WHOLE_MAX) return applied(new Map(map), put, gone);
    const of = map instanceof LayeredMap ? (map as LayeredMap<T>) : new LayeredMap(map, NOTHING, NONE, map.size);
    return of.#edited(put, gone);
  }

  get(key: string): T | undefined {
    return this.#layer.has(key) ? this.#layer.get(key) : this.#gone.has(key) ? undefined : this.#below.get(key);
  }

  has(key: string): boolean {
    return this.#layer.has(key) || (this.#below.has(key) && !this.#gone.has(key));
  }

  entries(): MapIterator<[string, T]> {
    return this.#walk().entries();
  }

  keys(): MapIterator<string> {
    return this.#walk().keys();
  }

  values(): MapIterator<T> {
    return this.#walk().values();
  }

  [Symbol.iterator](): MapIterator<[string, T]> {
    return this.entries();
  }

  forEach(callback: (value: T, key: string, map: ReadonlyMap<string, T>) => void): void {
    for (const [key, value] of this.entries()) callback(value, key, this);
  }

  #edited(put: Iterable<readonly [string, T]>, gone: Iterable<string>): ReadonlyMap<string, T> {
    const below = this.#below;
    const layer = new Map(this.#layer);
    const without = new Set(this.#gone);
    let size = this.size;
    for (const key of gone) {
      const isBelow = below.has(key) && !without.has(key);
      if (layer.delete(key) || isBelow) size--;
      if (isBelow) without.add(key);
    }
    for (const [key, value] of put) {
      if (!layer.has(key) && (without.has(key) || !below.has(key))) size++;
      layer.set(key, value);
    }
    const edited = new LayeredMap(below, layer, without, size);
    return layer.size + without.size > LAYER_ROOTS * Math.sqrt(below.size) ? edited.#whole() : edited;
  }

  #whole(): Map<string, T> {
    const whole = new Map<string, T>();
    for (const [key, value] of this.#below)
      if (!this.#gone.has(key)) whole.set(key, this.#layer.has(key) ? this.#layer.get(key)! : value);
    for (const [key, value] of this.#layer) whole.set(key, value);
    return whole;
  }

  /** A `Map` of the entries, which is kept as the one below. */
  #walk(): ReadonlyMap<string, T> {
    if (this.#layer.size > 0 || this.#gone.size > 0)
      [this.#below, this.#layer, this.#gone] = [this.#whole(), NOTHING, NONE];
    return this.#below;
  }
}

function applied<T>(map: Map<string, T>, put: Iterable<readonly [string, T]>, gone: Iterable<string>): Map<string, T> {
  for (const key of gone) map.delete(key);
  for (const [key, value] of put) map.set(key, value);
  return map;
}

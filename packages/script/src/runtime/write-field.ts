import { isAnyMap } from './access.js';
import { type Fn, isTrue, keep } from './collections.js';
import { JavaMap } from './java-map.js';
import { JavaSet } from './java-set.js';
import { textOf } from './java-text.js';
import { isList, itemsOf, listAdd, mutable } from './lists.js';
import { mapGet, mapHas, mapPut, mapRemove, mapSize } from './maps.js';
import { illegalArgument, outOfBounds, Thrown, unsupported } from './thrown.js';
import { classOf, ScriptObject, type Value } from './values.js';

/** Where paths begin: the maps of a document, and keys of the outermost one that are no fields. */
export interface WriteRoot {
  readonly map: () => object;
  readonly isReserved: (key: string) => boolean;
}

/** A key of a map in the document. */
interface Place {
  readonly map: object;
  readonly key: string;
}

const nothing = Symbol('nothing');
type Found = Value | typeof nothing;

const shown = (value: Value): string => `[${textOf(value)}] of type [${value === null ? 'null' : classOf(value)}]`;

/**
 * `field('a.b')` of scripts that change documents: a path, which is looked up again at each call. Each part leads into
 * the map of its name; where there is none, the rest of the path is one key. Behaviour: WriteField of 8.12.
 */
export class WriteField extends ScriptObject {
  readonly javaClass = 'org.elasticsearch.script.field.WriteField';
  #path: string;
  #root: WriteRoot;

  constructor(path: string, root: WriteRoot) {
    super();
    if (path === null) throw new Thrown('java.lang.NullPointerException', null);
    this.#path = path;
    this.#root = root;
  }

  get path(): string {
    return this.#path;
  }

  exists(): boolean {
    const place = this.#find();
    return place !== null && mapHas(place.map, place.key);
  }

  /** The value; `fallback` where the path leads to none. */
  get(fallback: Value): Value {
    const value = this.#value();
    return value === nothing ? fallback : value;
  }

  at(index: number, fallback: Value): Value {
    const value = this.#value();
    if (value === nothing || !isList(value)) return value !== nothing && index === 0 ? value : fallback;
    const items = itemsOf(value as Value[]);
    if (index < 0) throw outOfBounds(index, items.length);
    return index < items.length ? (items[index] ?? null) : fallback;
  }

  /** The values: those of a list, or the one that there is. */
  values(): readonly Value[] {
    const value = this.#value();
    if (value === nothing) return [];
    return isList(value) ? itemsOf(value as Value[]) : [value];
  }

  [Symbol.iterator](): Iterator<Value> {
    return this.values()[Symbol.iterator]();
  }

  /** What an iterator goes through, and takes values away from: the list itself where there is one. */
  collection(): Value {
    const value = this.#value();
    return value !== nothing && isList(value) ? value : Object.freeze([...this.values()]);
  }

  set(value: Value): this {
    if (value instanceof NestedDocument)
      throw illegalArgument(`cannot set NestedDocument [${textOf(value.map)}] as path [${this.#path}]`);
    const { map, key } = this.#made();
    mapPut(map, key, value);
    return this;
  }

  append(value: Value): this {
    if (value instanceof NestedDocument)
      throw illegalArgument(`cannot append NestedDocument [${textOf(value.map)}] to path [${this.#path}]`);
    const { map, key } = this.#made();
    const present = mapGet(map, key);
    if (!isList(present)) mapPut(map, key, present === null ? [] : [present]);
    listAdd(mapGet(map, key), value);
    return this;
  }

  remove(): void {
    const place = this.#find();
    if (place) mapRemove(place.map, place.key);
  }

  /** Takes one value away, by its identity: equal maps are different documents. */
  removeOne(gone: Value): void {
    const place = this.#find();
    const value = place && mapGet(place.map, place.key);
    if (isList(value)) {
      const items = mutable(value);
      const at = items.indexOf(gone);
      if (at >= 0) items.splice(at, 1);
    } else if (place && value === gone) mapRemove(place.map, place.key);
  }

  /** Moves the value to a path without values. */
  move(to: Value): this {
    const target = this.#target(to, 'move');
    if (target.values().length > 0) throw illegalArgument(`Cannot move to non-empty destination [${target.path}]`);
    return this.#moveTo(target);
  }

  /** Moves the value to a path in place of what is there. */
  overwrite(to: Value): this {
    return this.#moveTo(this.#target(to, 'overwrite'));
  }

  #target(to: Value, name: string): WriteField {
    if (to instanceof WriteField) return to;
    if (typeof to === 'string') return new WriteField(to, this.#root);
    const type = to === null ? 'null' : classOf(to);
    throw illegalArgument(`Cannot call ${name} with [${textOf(to)}], must be String or WriteField, not [${type}]`);
  }

  #moveTo(target: WriteField): this {
    const value = this.#value();
    this.remove();
    this.#path = target.#path;
    this.#root = target.#root;
    if (value === nothing) this.remove();
    else this.set(value);
    return this;
  }

  hasValue(test: Fn): boolean {
    return this.values().some((value) => isTrue(test(value)));
  }

  transform(of: Fn): this {
    const value = this.#value();
    if (value === nothing) return this;
    if (!isList(value)) return this.set(of(value));
    const items = mutable(value);
    for (let i = 0; i < items.length; i++) items[i] = of(items[i] ?? null);
    return this;
  }

  /** Leaves each value once, in the order of a HashSet. */
  deduplicate(): this {
    const value = this.#value();
    if (value === nothing || !isList(value)) return this;
    const once = new JavaSet('hash');
    for (const item of itemsOf(value as Value[])) once.add(item);
    const items = mutable(value);
    items.splice(0, items.length, ...once.values());
    return this;
  }

  removeValuesIf(test: Fn): this {
    const value = this.#value();
    if (value === nothing) return this;
    if (isList(value)) keep(value, (item) => !isTrue(test(item)));
    else if (isTrue(test(value))) this.remove();
    return this;
  }

  removeValue(index: number): this {
    const value = this.#value();
    if (value === nothing) return this;
    if (!isList(value)) {
      if (index === 0) this.remove();
      return this;
    }
    const items = mutable(value);
    if (index < 0) throw outOfBounds(index, items.length);
    if (index < items.length) items.splice(index, 1);
    return this;
  }

  /** The document at a place, with empty ones before it where there are fewer; null: a new one at the end. */
  document(index: number | null): NestedDocument {
    const value = this.get(null);
    if (value === null && (index ?? 0) === 0) return this.#only();
    const documents = this.#documents(value);
    const place = index ?? documents.length;
    if (place < 0) throw outOfBounds(place, documents.length);
    while (documents.length <= place) listAdd(documents, new JavaMap('hash'));
    return this.#nested(documents[place] ?? null, place);
  }

  #only(): NestedDocument {
    const map = new JavaMap('hash');
    this.set(map);
    return new NestedDocument(this, map);
  }

  /** The list of documents; a single one becomes a list. */
  #documents(value: Value): Value[] {
    if (isList(value)) return mutable(value);
    if (value !== null && !isAnyMap(value))
      throw new Thrown(
        'java.lang.IllegalStateException',
        `Unexpected value ${shown(value)} at path [${this.#path}], expected Map or List of Map`,
      );
    this.set(value === null ? [] : [value]);
    return this.get(null) as Value[];
  }

  documents(): readonly NestedDocument[] {
    const value = this.#value();
    if (value === nothing) return [];
    if (!isList(value) && !isAnyMap(value))
      throw new Thrown(
        'java.lang.IllegalStateException',
        `Unexpected value ${shown(value)} at [${this.#path}] for docs()`,
      );
    return Object.freeze(this.values().map((one, index) => this.#nested(one, index)));
  }

  #nested(value: Value, index: number): NestedDocument {
    if (isAnyMap(value)) return new NestedDocument(this, value);
    throw new Thrown(
      'java.lang.IllegalStateException',
      `Unexpected value ${shown(value)} at [${this.#path}] and index [${index}] for docs() iterator`,
    );
  }

  #value(): Found {
    const place = this.#find();
    return place !== null && mapHas(place.map, place.key) ? mapGet(place.map, place.key) : nothing;
  }

  /** Where the path leads; null where its maps end before it. */
  #find(): Place | null {
    let map = this.#root.map();
    let rest = this.#path;
    if (this.#root.isReserved(firstPart(rest))) return null;
    for (let dot = rest.indexOf('.'); dot >= 0; dot = rest.indexOf('.')) {
      const inner = mapGet(map, rest.slice(0, dot));
      if (!isAnyMap(inner)) return mapHas(map, rest) ? { map, key: rest } : null;
      map = inner;
      rest = rest.slice(dot + 1);
    }
    return { map, key: rest };
  }

  /** Where the path leads; maps that are missing on its way are made. */
  #made(): Place {
    const found = this.#find();
    if (found) return found;
    let map = this.#root.map();
    const parts = withoutLastDots(this.#path).split('.', LEVELS_MAX + 1);
    if (parts.length > LEVELS_MAX) throw illegalArgument(`a path of more than [${LEVELS_MAX}] levels cannot be made`);
    if (this.#root.isReserved(parts[0]!))
      throw illegalArgument(`[${parts[0]}] is metadata of the document and no field: use metadata() or ctx`);
    parts.slice(0, -1).forEach((part, i) => {
      if (!mapHas(map, part)) mapPut(map, part, new JavaMap('hash'));
      const inner = mapGet(map, part);
      if (!isAnyMap(inner)) throw illegalArgument(`Segment [${i}:'${part}'] has value ${shown(inner)}`);
      map = inner;
    });
    return { map, key: parts.at(-1)! };
  }
}

/** Objects within each other that a path may make: as many as JSON of a document may have. */
const LEVELS_MAX = 1_000;

/** A regular expression would look for the end from each dot: a text of dots takes it the square of its length. */
function withoutLastDots(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '.') end--;
  return path.slice(0, end);
}

function firstPart(path: string): string {
  const dot = path.indexOf('.');
  return dot < 0 ? path : path.slice(0, dot);
}

/** One of the documents of a field: paths of its fields begin in it. */
export class NestedDocument extends ScriptObject {
  readonly javaClass = 'org.elasticsearch.script.field.NestedDocument';
  readonly #parent: WriteField;
  readonly map: object;

  constructor(parent: WriteField, map: object) {
    super();
    this.#parent = parent;
    this.map = map;
  }

  field(path: string): WriteField {
    return new WriteField(path, { map: () => this.map, isReserved: () => false });
  }

  /** 8.12 names this method and throws. */
  fields(): never {
    throw unsupported();
  }

  get size(): number {
    return mapSize(this.map);
  }

  exists(): boolean {
    return this.#parent.exists();
  }

  remove(): void {
    this.#parent.removeOne(this.map);
  }
}

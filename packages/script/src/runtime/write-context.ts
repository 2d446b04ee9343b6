import { illegalArgument, unsupported } from './thrown.js';
import { textOf } from './java-text.js';
import { Boxed, classOf, isDocumentMap, MapObject, type Value } from './values.js';

/** What a script may do with an entry of `ctx` beside the source. */
interface Entry {
  readonly isWritable: boolean;
  readonly isNullable: boolean;
  readonly type: 'java.lang.String' | 'java.lang.Number' | null;
  /** Whether only the operations of the context are values. */
  readonly isChecked: boolean;
}

const fixed: Entry = { isWritable: false, isNullable: false, type: null, isChecked: false };
const text: Entry = { isWritable: true, isNullable: true, type: 'java.lang.String', isChecked: false };
const number: Entry = { ...text, type: 'java.lang.Number' };
const any: Entry = { ...text, type: null };
const operation: Entry = { ...text, isNullable: false, isChecked: true };

/** Entries of a kind of context by their names, in the order in which a HashMap gives them. */
interface Kind {
  readonly entries: Readonly<Record<string, Entry>>;
  readonly operations: readonly string[];
  /** Whether any text may be put under `op`: one that is no operation does nothing. */
  readonly isLenient: boolean;
}

const UPDATED = {
  _routing: fixed,
  op: text,
  _index: fixed,
  _type: fixed,
  _id: fixed,
  _now: fixed,
  _version: fixed,
} as const;
const { _type, ...FOUND } = UPDATED;

const KINDS = {
  update: { entries: UPDATED, operations: ['delete', 'index', 'noop'], isLenient: true },
  upsert: {
    entries: { op: text, _index: fixed, _id: fixed, _now: fixed },
    operations: ['create', 'noop'],
    isLenient: true,
  },
  update_by_query: { entries: { ...FOUND, op: operation }, operations: ['delete', 'index', 'noop'], isLenient: false },
  reindex: {
    entries: {
      ...FOUND,
      _routing: text,
      op: operation,
      _index: { ...any, isNullable: false },
      _id: any,
      _version: number,
    },
    operations: ['delete', 'index', 'noop'],
    isLenient: false,
  },
} as const satisfies Record<string, Kind>;

export type WriteContextKind = keyof typeof KINDS;

const SOURCE = '_source';

/**
 * The variable `ctx` of scripts that update or copy a document: its source and its metadata. Each change is checked
 * when it is made, as CtxMap and Metadata of Elasticsearch 8.12 do it, so that the error has its place in the script.
 */
export class WriteContext extends MapObject {
  readonly javaClass = 'java.util.Map';
  readonly #kind: Kind;
  readonly #metadata: Map<string, Value>;
  #source: object;

  /** `source` is changed in place. Metadata that are not given are null. */
  constructor(kind: WriteContextKind, metadata: Readonly<Record<string, Value>>, source: object) {
    super();
    this.#kind = KINDS[kind];
    this.#metadata = new Map(Object.keys(this.#kind.entries).map((name) => [name, metadata[name] ?? null]));
    this.#source = source;
  }

  get isUpsert(): boolean {
    return this.#kind === KINDS.upsert;
  }

  get source(): object {
    return this.#source;
  }

  /** Takes the source as JSON, once the script has run. */
  set source(source: object) {
    this.#source = source;
  }

  get size(): number {
    return this.#metadata.size + 1;
  }

  get(key: Value): Value {
    return key === SOURCE ? this.#source : (this.#metadata.get(key as string) ?? null);
  }

  has(key: Value): boolean {
    return key === SOURCE || this.#metadata.has(key as string);
  }

  put(key: Value, value: Value): Value {
    const former = this.get(key);
    const entry = this.#entry(key);
    if (entry) {
      this.#check(key as string, entry, value);
      this.#metadata.set(key as string, value);
    } else if (key === SOURCE) this.#putSource(value);
    else throw illegalArgument(`Cannot put key [${textOf(key)}] with value [${textOf(value)}] into ctx`);
    return former;
  }

  remove(key: Value): Value {
    const entry = this.#entry(key);
    if (!entry) throw unsupported(`Cannot remove key ${textOf(key)} from ctx`);
    if (!entry.isWritable || !entry.isNullable) throw illegalArgument(`${textOf(key)} cannot be removed`);
    const former = this.get(key);
    this.#metadata.delete(key as string);
    return former;
  }

  clear(): void {
    for (const key of this.#metadata.keys()) this.remove(key);
    this.remove(SOURCE);
  }

  keys(): Value[] {
    return [SOURCE, ...this.#metadata.keys()];
  }

  entries(): [Value, Value][] {
    return [[SOURCE, this.#source], ...this.#metadata];
  }

  /** What becomes of the document: a text that is no operation of the context, and none, do nothing. */
  get operation(): string {
    const op = this.get('op') as string | null;
    return op !== null && this.#kind.operations.includes(op) ? op : 'noop';
  }

  /** Sets the operation by `metadata()`, which is strict where `ctx.op` takes any text. */
  setOperation(op: string | null): void {
    if (this.#kind.isLenient) this.#checkStrictly(op);
    this.put('op', op);
  }

  #checkStrictly(op: string | null): void {
    if (op === 'none') throw illegalArgument("'none' is not allowed, use 'noop' instead");
    const { operations } = this.#kind;
    if (op === null || !operations.includes(op))
      throw illegalArgument(`op must be one of [${operations.join(', ')}], not [${op}]`);
  }

  #entry(key: Value): Entry | null {
    const { entries } = this.#kind;
    return typeof key === 'string' && Object.hasOwn(entries, key) ? entries[key]! : null;
  }

  #putSource(value: Value): void {
    if (value instanceof MapObject || isDocumentMap(value)) this.#source = value;
    else {
      const type = value === null ? '' : ` with type [${classOf(value)}]`;
      throw illegalArgument(`Expected [_source] to be a Map, not [${textOf(value)}]${type}`);
    }
  }

  #check(key: string, entry: Entry, value: Value): void {
    if (!entry.isWritable) throw illegalArgument(`${key} cannot be updated`);
    if (value === null) {
      if (!entry.isNullable) throw illegalArgument(`${key} cannot be null`);
      return;
    }
    const { type } = entry;
    const isRight =
      type === null || (type === 'java.lang.Number' ? numberOf(value) !== null : typeof value === 'string');
    if (!isRight)
      throw illegalArgument(
        `${key} [${textOf(value)}] is wrong type, expected assignable to [${type}], not [${classOf(value)}]`,
      );
    if (type === 'java.lang.Number') checkWhole(key, value);
    const { operations } = this.#kind;
    if (entry.isChecked && !operations.includes(value as string))
      throw illegalArgument(`[${key}] must be one of ${operations.join(', ')}, not [${textOf(value)}]`);
  }
}

function numberOf(value: Value): number | null {
  const plain = value instanceof Boxed && value.kind !== 'Character' ? value.value : value;
  return typeof plain === 'number' || typeof plain === 'bigint' ? Number(plain) : null;
}

function checkWhole(key: string, value: Value): void {
  if (!Number.isInteger(numberOf(value)))
    throw illegalArgument(
      `${key} may only be set to an int or a long but was [${textOf(value)}] with type [${classOf(value)}]`,
    );
}

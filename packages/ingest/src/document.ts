import { type ApiError, errors } from '@shoal/errors';
import { setOwn } from '@shoal/json';
import { type FieldPath, listIndex, parsePath } from './field-path.js';
import { copyValue, isObject, javaClass, valueIdentity } from './java-values.js';
import { checkMetadata, isMetadata } from './metadata.js';

type Fields = Record<string, unknown>;

/** Bytes that the processors of one document may make altogether. */
const MADE_BYTES_MAX = 64 * 1024 * 1024;
/** Items over which all loops of the pipelines of one document may run. */
const ITEMS_MAX = 1_000_000;
/** Estimated bytes of a member or item besides its text. */
export const MEMBER_BYTES = 32;

/** Result of one step along a path: the value, or the message why there is none. */
type Resolved = { readonly value: unknown } | { readonly error: string };

/** Which processor of which pipeline failed. */
export interface DocumentFailure {
  readonly error: ApiError;
  readonly type: string;
  readonly tag: string | null;
  readonly pipeline: string | null;
}

/**
 * A document while pipelines change it. Its fields are plain JSON values, changed in place: objects with own keys,
 * arrays, strings, booleans, null, numbers, bigints beyond 2^53, and `JsonText` for whole doubles (`java-values.ts`).
 * Paths are `a.b.0.c`, with the prefixes `_source.` and `_ingest.`; metadata fields (`_index`) are reached like fields.
 * All path errors are illegal_argument_exception in the words of Elasticsearch's `IngestDocument`.
 */
export class IngestDocument {
  readonly source: Fields;
  /** Metadata of the document by name: `_index`, `_id`, `_routing`, `_version` … Those without a value are absent. */
  readonly metadata: Fields;
  /** Metadata of the run: `timestamp`, `pipeline`, `_value`, `on_failure_message` … */
  readonly ingest: Fields;
  /** When its pipelines began, as `_ingest.timestamp` says it until a processor changes that. */
  readonly startedAt: string | undefined;
  /** Whether a processor dropped the document: nothing is written. */
  isDropped = false;
  /** Whether a processor ended the pipelines of the document to send it to another index. */
  isRerouted = false;
  /** Whether any processor ran: the source may differ from the bytes that it was read from. */
  isTouched = false;
  /** Whether it came with so many bytes that its fields are better not copied. */
  readonly isLarge: boolean;
  /** Bytes that processors made for the document, charged by `charge`. */
  #madeBytes = 0;
  /** Items over which loops ran, counted by `countItem`. */
  #items = 0;
  /** Names of the pipelines that run on the document, the innermost first. */
  readonly pipelines: string[] = [];
  /** The last error of a processor, and which processor it was. */
  failure: DocumentFailure | null = null;

  constructor(source: Fields, metadata: Fields, ingest: Fields, isLarge = false) {
    this.isLarge = isLarge;
    this.source = source;
    this.metadata = metadata;
    this.ingest = ingest;
    this.startedAt = ingest['timestamp'] as string | undefined;
  }

  /** Returns the value at a path; throws if there is none. With `ignoreMissing` it returns null instead. */
  get(path: string, ignoreMissing = false): unknown {
    if (isOwnField(this.source, path)) return this.source[path];
    const parsed = parsePath(path);
    let value: unknown = this.#root(parsed);
    for (const element of parsed.elements) {
      const found = resolve(element, parsed.text, value);
      if ('error' in found) {
        if (ignoreMissing && !this.has(path)) return null;
        throw errors.illegalArgument(found.error);
      }
      value = found.value;
    }
    return value;
  }

  /** As `get`, for a string; null stays null. */
  text(path: string, ignoreMissing = false): string | null {
    const value = this.get(path, ignoreMissing) ?? null;
    if (value === null || typeof value === 'string') return value;
    throw castError(path, value, 'java.lang.String');
  }

  /** As `get`, for a list; null stays null. */
  list(path: string, ignoreMissing = false): unknown[] | null {
    const value = this.get(path, ignoreMissing) ?? null;
    if (value === null || Array.isArray(value)) return value;
    throw castError(path, value, 'java.util.List');
  }

  /** As `get`, for an object; null stays null. */
  object(path: string, ignoreMissing = false): Fields | null {
    const value = this.get(path, ignoreMissing) ?? null;
    if (value === null || isObject(value)) return value;
    throw castError(path, value, 'java.util.Map');
  }

  /** Whether there is a value (also null) at a path. With `failOutOfRange` a list index beyond its list is an error. */
  has(path: string, failOutOfRange = false): boolean {
    const parsed = parsePath(path);
    let value: unknown = this.#root(parsed);
    const last = parsed.elements.length - 1;
    for (let i = 0; i <= last; i++) {
      const element = parsed.elements[i]!;
      if (isObject(value)) {
        if (!Object.hasOwn(value, element)) return false;
        value = value[element];
      } else if (Array.isArray(value)) {
        const index = listIndex(element);
        if (index === null) return false;
        if (index < 0 || index >= value.length) {
          if (failOutOfRange) throw errors.illegalArgument(outOfBounds(index, value, path));
          return false;
        }
        value = value[index];
      } else return false;
    }
    return true;
  }

  /** Sets the value at a path. Objects that are missing on the way are made. The document takes over `value`. */
  set(path: string, value: unknown): void {
    if (isPlainName(path)) setOwn(this.source, path, value);
    else this.#put(path, () => value);
  }

  /**
   * Appends a value, or each value of a list, at a path; a value that is there becomes the first of a list. Without
   * `allowDuplicates` values that are there already are left out.
   */
  append(path: string, value: unknown, allowDuplicates = true): void {
    this.#put(path, (old, isPresent) => appended(isPresent ? old : [], value, allowDuplicates));
  }

  /** Removes the value at a path; throws if there is none. */
  remove(path: string): void {
    if (isOwnField(this.source, path)) {
      delete this.source[path];
      return;
    }
    const parsed = parsePath(path);
    const leaf = parsed.elements.at(-1)!;
    let value: unknown = this.#root(parsed);
    for (const element of parsed.elements.slice(0, -1)) {
      const found = resolve(element, path, value);
      if ('error' in found) throw errors.illegalArgument(found.error);
      value = found.value;
    }
    if (isObject(value)) this.#removeMember(value, leaf, path);
    else if (Array.isArray(value)) value.splice(requireIndex(leaf, value, path), 1);
    else if (value === null)
      throw errors.illegalArgument(`cannot remove [${leaf}] from null as part of path [${path}]`);
    else {
      throw errors.illegalArgument(
        `cannot remove [${leaf}] from object of type [${javaClass(value)}] as part of path [${path}]`,
      );
    }
  }

  /** Copies the document, for answers that show it between two processors. */
  copy(): IngestDocument {
    const copy = (fields: Fields): Fields => copyValue(fields) as Fields;
    return new IngestDocument(copy(this.source), copy(this.metadata), copy(this.ingest));
  }

  /**
   * Charges bytes that a processor makes for the document. Throws if all together made too many: 30 processors that
   * double a field would otherwise fill the memory before anybody measures the document.
   */
  charge(bytes: number): void {
    this.#madeBytes += bytes;
    if (this.#madeBytes <= MADE_BYTES_MAX) return;
    throw errors.illegalArgument(`pipelines made more than the limit of [${MADE_BYTES_MAX}] bytes for one document`);
  }

  /**
   * Counts an item of a loop over the document. Throws if there were too many: loops within loops over a short list
   * would never end.
   */
  countItem(): void {
    if (++this.#items > ITEMS_MAX)
      throw errors.illegalArgument(`loops over one document ran more than the limit of [${ITEMS_MAX}] times`);
  }

  /** Copies a value for the document, and charges what it weighs. */
  copyOf(value: unknown): unknown {
    if (typeof value === 'string') this.charge(value.length);
    if (Array.isArray(value)) {
      this.charge(value.length * MEMBER_BYTES);
      return value.map((item) => this.copyOf(item));
    }
    if (!isObject(value)) return value;
    const copy: Fields = {};
    for (const key of Object.keys(value)) {
      this.charge(MEMBER_BYTES);
      setOwn(copy, key, this.copyOf(value[key]));
    }
    return copy;
  }

  #root({ isIngest, elements }: FieldPath): Fields {
    if (isIngest) return this.ingest;
    return isMetadata(elements[0]!) ? this.metadata : this.source;
  }

  #removeMember(object: Fields, key: string, path: string): void {
    if (!Object.hasOwn(object, key))
      throw errors.illegalArgument(`field [${key}] not present as part of path [${path}]`);
    if (object === this.metadata) checkMetadata(key, null, 'removed');
    delete object[key];
  }

  #put(path: string, make: (old: unknown, isPresent: boolean) => unknown): void {
    const parsed = parsePath(path);
    let context: unknown = this.#root(parsed);
    for (const element of parsed.elements.slice(0, -1)) context = enter(context, element, path);
    const leaf = parsed.elements.at(-1)!;
    if (isObject(context)) {
      const value = make(Object.hasOwn(context, leaf) ? context[leaf] : undefined, Object.hasOwn(context, leaf));
      if (context === this.metadata) checkMetadata(leaf, value, 'null');
      setOwn(context, leaf, value);
    } else if (Array.isArray(context)) {
      const index = requireIndex(leaf, context, path);
      context[index] = make(context[index], true);
    } else if (context === null)
      throw errors.illegalArgument(`cannot set [${leaf}] with null parent as part of path [${path}]`);
    else {
      throw errors.illegalArgument(
        `cannot set [${leaf}] with parent object of type [${javaClass(context)}] as part of path [${path}]`,
      );
    }
  }
}

function outOfBounds(index: number, list: readonly unknown[], path: string): string {
  return `[${index}] is out of bounds for array with length [${list.length}] as part of path [${path}]`;
}

function notAnIndex(element: string, path: string): string {
  return `[${element}] is not an integer, cannot be used as an index as part of path [${path}]`;
}

function requireIndex(element: string, list: readonly unknown[], path: string): number {
  const index = listIndex(element);
  if (index === null) {
    const cause = errors.numberFormat(`For input string: "${element}"`);
    throw errors.illegalArgument(notAnIndex(element, path), { cause });
  }
  if (index < 0 || index >= list.length) throw errors.illegalArgument(outOfBounds(index, list, path));
  return index;
}

/** Whether a path is the name of a field of the document itself, as most are: it need not be split. */
function isPlainName(path: string): boolean {
  return path !== '' && !path.includes('.') && !isMetadata(path);
}

/** Whether a path is the name of a field that the document has. */
function isOwnField(source: Fields, path: string): boolean {
  return isPlainName(path) && Object.hasOwn(source, path);
}

function resolve(element: string, path: string, context: unknown): Resolved {
  if (isObject(context)) {
    if (Object.hasOwn(context, element)) return { value: context[element] };
    return { error: `field [${element}] not present as part of path [${path}]` };
  }
  if (Array.isArray(context)) {
    const index = listIndex(element);
    if (index === null) return { error: notAnIndex(element, path) };
    if (index < 0 || index >= context.length) return { error: outOfBounds(index, context, path) };
    return { value: context[index] };
  }
  if (context === null) return { error: `cannot resolve [${element}] from null as part of path [${path}]` };
  return {
    error: `cannot resolve [${element}] from object of type [${javaClass(context)}] as part of path [${path}]`,
  };
}

/** Steps into a member on the way to a value that is set. */
function enter(context: unknown, element: string, path: string): unknown {
  if (isObject(context)) {
    if (!Object.hasOwn(context, element)) setOwn(context, element, {});
    return context[element];
  }
  if (Array.isArray(context)) return context[requireIndex(element, context, path)];
  const found = resolve(element, path, context);
  throw errors.illegalArgument('error' in found ? found.error : null);
}

function castError(path: string, value: unknown, wanted: string): ApiError {
  return errors.illegalArgument(`field [${path}] of type [${javaClass(value)}] cannot be cast to [${wanted}]`);
}

function appended(old: unknown, value: unknown, allowDuplicates: boolean): unknown {
  const list: unknown[] = Array.isArray(old) ? old : [old];
  const added: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (allowDuplicates) {
    list.push(...added);
    return list;
  }
  const before = list.length;
  const known = new KnownValues();
  for (const item of list) known.add(item);
  for (const item of added) if (known.add(item)) list.push(item);
  return list.length === before && !Array.isArray(old) ? old : list;
}

/** Values of which no two are equal. Texts and numbers stand for themselves, as there may be 240,000 of them. */
class KnownValues {
  readonly #plain = new Set<unknown>();
  readonly #others = new Set<string>();

  /** Adds a value; returns whether it is new. */
  add(value: unknown): boolean {
    const isPlain = typeof value !== 'object' || value === null;
    const known: Set<unknown> = isPlain ? this.#plain : this.#others;
    const before = known.size;
    known.add(isPlain ? value : valueIdentity(value));
    return known.size > before;
  }
}

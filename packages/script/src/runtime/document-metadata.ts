import { textOf } from './java-text.js';
import { mapGet, mapHas, mapPut } from './maps.js';
import { UtcDate } from './utc-date.js';
import { nullPointer, unsupported } from './thrown.js';
import { ScriptObject, type Value } from './values.js';
import { WriteContext } from './write-context.js';

/** What 8.12 gives as the version of a document whose version is counted by the index itself. */
const INTERNAL_VERSION = -(2n ** 63n);

/** `metadata()`: the entries of `ctx` beside the fields, under names of their own. */
export class DocumentMetadata extends ScriptObject {
  readonly javaClass = 'org.elasticsearch.script.Metadata';
  /** A WriteContext, or the map of a pipeline's document. */
  readonly #ctx: object;
  /** When the run began, in milliseconds since 1970 or as a text in ISO 8601. What `ctx` says of it is not believed. */
  readonly #now: string | number | undefined;

  constructor(ctx: object, now?: string | number) {
    super();
    this.#ctx = ctx;
    this.#now = now;
  }

  text(key: string): string | null {
    this.#checkThere(key);
    const value = mapGet(this.#ctx, key);
    return value === null ? null : textOf(value);
  }

  set(key: string, value: Value): void {
    mapPut(this.#ctx, key, value);
  }

  version(): Value {
    this.#checkThere('_version');
    const version = mapGet(this.#ctx, '_version');
    if (version === null) throw nullPointer(null);
    return version;
  }

  /** Whether the index counts the version of the document: a script of `_reindex` left it out. */
  get isVersionInternal(): boolean {
    const version = mapGet(this.#ctx, '_version');
    return version === null || version === -1;
  }

  reindexedVersion(): Value {
    return this.isVersionInternal ? INTERNAL_VERSION : mapGet(this.#ctx, '_version');
  }

  get operation(): string | null {
    return this.#ctx instanceof WriteContext ? this.#ctx.operation : null;
  }

  /** Sets what becomes of the document. */
  setOperation(op: string | null): void {
    if (this.#ctx instanceof WriteContext) this.#ctx.setOperation(op);
  }

  /** The document that an upsert makes has no version or routing yet. */
  #checkThere(key: string): void {
    if (!(this.#ctx instanceof WriteContext) || !this.#ctx.isUpsert || mapHas(this.#ctx, key)) return;
    throw unsupported(`${key.slice(1)} is unavailable for insert`);
  }

  now(): UtcDate {
    if (this.#now === undefined) throw unsupported();
    return new UtcDate(typeof this.#now === 'number' ? this.#now : Date.parse(this.#now));
  }
}

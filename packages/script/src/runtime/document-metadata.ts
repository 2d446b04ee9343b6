import { UtcDate } from './utc-date.js';
import { illegalArgument, nullPointer, unsupported } from './thrown.js';
import { ScriptObject, type Value } from './values.js';

type Context = Record<string, Value>;

/** What 8.12 gives as the version of a document whose version is counted by the index itself. */
const INTERNAL_VERSION = -(2n ** 63n);

/** `metadata()`: the entries of `ctx` beside the fields, under names of their own. */
export class DocumentMetadata extends ScriptObject {
  readonly javaClass = 'org.elasticsearch.script.Metadata';
  readonly #ctx: Context;
  /** When the run began, in milliseconds since 1970 or as a text in ISO 8601. What `ctx` says of it is not believed. */
  readonly #now: string | number | undefined;

  constructor(ctx: Context, now?: string | number) {
    super();
    this.#ctx = ctx;
    this.#now = now;
  }

  text(key: string): string | null {
    return (this.#ctx[key] ?? null) as string | null;
  }

  set(key: string, value: Value): void {
    this.#ctx[key] = value;
  }

  version(): Value {
    const version = this.#ctx['_version'] ?? null;
    if (version === null) throw nullPointer(null);
    return version;
  }

  /** Whether the index counts the version of the document: a script of `_reindex` left it out. */
  get isVersionInternal(): boolean {
    const version = this.#ctx['_version'] ?? null;
    return version === null || version === -1;
  }

  reindexedVersion(): Value {
    return this.isVersionInternal ? INTERNAL_VERSION : this.#ctx['_version'];
  }

  /** Sets what becomes of the document. */
  setOperation(op: string, allowed: readonly string[]): void {
    if (!allowed.includes(op)) throw illegalArgument(`[op] must be one of [${allowed.join(', ')}], not [${op}]`);
    this.#ctx['op'] = op;
  }

  now(): UtcDate {
    if (this.#now === undefined) throw unsupported();
    return new UtcDate(typeof this.#now === 'number' ? this.#now : Date.parse(this.#now));
  }
}

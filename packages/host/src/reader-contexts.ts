import type { Clock } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { SearcherLease } from '@shoal/shard';

/** Keep-alive in milliseconds of a context between the query and the fetch phase of a search. */
const FETCH_KEEP_ALIVE_MS = 300_000;

/** The shard whose copy a context reads. */
interface ReadShard {
  readonly indexUuid: string;
  readonly shard: number;
}

interface Context {
  readonly lease: SearcherLease;
  readonly read: ReadShard;
  readonly owner: string | undefined;
  readonly filter: Uint8Array | undefined;
  keepAliveMs: number;
  expiresAt: number;
  users: number;
}

/**
 * Open reader contexts of scrolls, points in time and searches between their phases. They pin the files that they read.
 */
export interface ReaderContexts {
  /**
   * Opens a context that takes over the lease. Only `owner` may use it, and reads through `filter`. `keepAliveMs` 0:
   * until the fetch phase. Returns its id.
   */
  open(lease: SearcherLease, read: ReadShard, keepAliveMs: number, owner?: string, filter?: Uint8Array): string;
  /**
   * Runs `work` on the context's searcher and extends its keep-alive. Throws search_context_missing_exception, also for
   * another owner or index.
   */
  use<T>(
    id: string,
    keepAliveMs: number,
    work: (lease: SearcherLease, filter: Uint8Array | undefined) => Promise<T>,
    owner?: string,
    indexUuid?: string,
  ): Promise<T>;
  /** Frees contexts. Returns how many of the ids were open here for `owner`. */
  free(ids: readonly string[], owner?: string): number;
  /** Frees all contexts of a shard. */
  freeShard(read: ReadShard): void;
  /** Resolves once no context of the shard is open or in use. */
  gone(read: ReadShard): Promise<void>;
  /** Drops contexts whose keep-alive has passed. */
  expire(): void;
  readonly count: number;
}

const keyOf = ({ indexUuid, shard }: ReadShard): string => `${indexUuid}/${shard}`;

/** Numbers of contexts of each shard whose lease is not released yet. */
class OpenReaders {
  readonly #counts = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  add(read: ReadShard): void {
    const key = keyOf(read);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  remove(read: ReadShard): void {
    const key = keyOf(read);
    const left = this.#counts.get(key)! - 1;
    if (left > 0) return void this.#counts.set(key, left);
    this.#counts.delete(key);
    for (const resolve of this.#waiting.get(key) ?? []) resolve();
    this.#waiting.delete(key);
  }

  gone(read: ReadShard): Promise<void> {
    const key = keyOf(read);
    if (!this.#counts.has(key)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), resolve]));
  }
}

/** Creates contexts. `name` makes ids of different threads and starts of the node distinct. */
export function createReaderContexts(name: string, clock: Clock): ReaderContexts {
  const contexts = new Map<string, Context>();
  const openOf = new OpenReaders();
  let serial = 0;

  const release = ({ lease, read }: Context): void => {
    lease.release();
    openOf.remove(read);
  };
  const close = (id: string, context: Context): void => {
    contexts.delete(id);
    if (context.users === 0) release(context);
  };

  return {
    open(lease, { indexUuid, shard }, keepAliveMs, owner, filter) {
      const id = `${name}.${++serial}`;
      const life = keepAliveMs || FETCH_KEEP_ALIVE_MS;
      const read = { indexUuid, shard };
      contexts.set(id, { lease, read, owner, filter, keepAliveMs: life, expiresAt: clock.now() + life, users: 0 });
      openOf.add(read);
      return id;
    },
    async use(id, keepAliveMs, work, owner, indexUuid) {
      const context = contexts.get(id);
      if (!context || context.owner !== owner || (owner !== undefined && context.read.indexUuid !== indexUuid))
        throw errors.searchContextMissing(`No search context found for id [${id.split('.').at(-1)}]`);
      context.users++;
      try {
        return await work(context.lease, context.filter);
      } finally {
        context.users--;
        if (keepAliveMs > 0) context.keepAliveMs = Math.max(context.keepAliveMs, keepAliveMs);
        context.expiresAt = clock.now() + context.keepAliveMs;
        // The context was freed while in use: its last user releases the lease.
        if (!contexts.has(id) && context.users === 0) release(context);
      }
    },
    free(ids, owner) {
      let freed = 0;
      for (const id of ids) {
        const context = contexts.get(id);
        if (!context || context.owner !== owner) continue;
        close(id, context);
        freed++;
      }
      return freed;
    },
    freeShard(read) {
      for (const [id, context] of contexts) if (keyOf(context.read) === keyOf(read)) close(id, context);
    },
    gone: (read) => openOf.gone(read),
    expire() {
      const now = clock.now();
      for (const [id, context] of contexts) if (context.users === 0 && context.expiresAt <= now) close(id, context);
    },
    get count() {
      return contexts.size;
    },
  };
}

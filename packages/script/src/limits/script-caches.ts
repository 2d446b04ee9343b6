import type { CompiledScript } from '../compiled-script.js';
import { type CacheSettings, type CacheStats, ScriptCache } from './script-cache.js';

/** One cache for all scripts, or one a context. */
export type CachesSettings =
  | { readonly all: CacheSettings }
  | { readonly byContext: ReadonlyMap<string, CacheSettings> };

/** Counters of all caches; by context if each context has its own cache. */
export interface ScriptStats extends CacheStats {
  readonly contexts: readonly (CacheStats & { readonly context: string })[] | null;
}

/**
 * Contexts whose scripts come with mappings, settings of indices and pipelines: any number of them is compiled. Else
 * scripts of searches could use the rate up, and shards could not be opened meanwhile.
 */
const UNLIMITED = /^(analysis|similarity|similarity_weight|ingest|ingest_template|processor_conditional|.*_field)$/;

/** The caches of the scripts that a thread compiled. */
export class ScriptCaches {
  readonly #all: ScriptCache | null;
  readonly #byContext: ReadonlyMap<string, ScriptCache>;

  /** `now` is a clock in milliseconds that only grows. */
  constructor(settings: CachesSettings, now: () => number) {
    this.#all = 'all' in settings ? new ScriptCache(settings.all, now) : null;
    const own = 'all' in settings ? [] : [...settings.byContext];
    this.#byContext = new Map(own.map(([context, of]) => [context, new ScriptCache(of, now)]));
  }

  /**
   * Returns the script of a context with a key, compiling it if it is not there. Throws circuit_breaking_exception
   * (429) if too many were compiled lately.
   */
  get(context: string, key: string, compile: () => CompiledScript): CompiledScript {
    const cache = this.#all ?? this.#byContext.get(context);
    return cache ? cache.get(key, !UNLIMITED.test(context), compile) : compile();
  }

  stats(): ScriptStats {
    if (this.#all !== null) return { ...this.#all.stats, contexts: null };
    const contexts = [...this.#byContext].map(([context, cache]) => ({ context, ...cache.stats }));
    const sum = (of: keyof CacheStats): number => contexts.reduce((total, stats) => total + stats[of], 0);
    return {
      compilations: sum('compilations'),
      cacheEvictions: sum('cacheEvictions'),
      limitTriggered: sum('limitTriggered'),
      contexts,
    };
  }
}

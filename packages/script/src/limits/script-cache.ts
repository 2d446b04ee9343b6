import { errors } from '@shoal/errors';
import type { CompiledScript } from '../compiled-script.js';
import type { CompilationRate } from './compilation-rate.js';

/** Bounds of a cache of compiled scripts. */
export interface CacheSettings {
  readonly scriptsMax: number;
  /** After this time without use a script is forgotten; 0 for never. */
  readonly expireMs: number;
  /** Null for any number of compilations. */
  readonly rate: CompilationRate | null;
  /** The setting that errors name as the one to change. */
  readonly rateSetting: string;
}

/** Counters of a cache. */
export interface CacheStats {
  readonly compilations: number;
  readonly cacheEvictions: number;
  readonly limitTriggered: number;
}

interface Entry {
  readonly script: CompiledScript;
  usedMs: number;
}

/**
 * Compiled scripts by key, the least recently used of which are forgotten. New ones are compiled at a bounded rate: a
 * token bucket that fills with time and holds `rate.count` compilations.
 */
export class ScriptCache {
  readonly #settings: CacheSettings;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  #tokens: number;
  #filledMs: number;
  #compilations = 0;
  #cacheEvictions = 0;
  #limitTriggered = 0;

  /** `now` is a clock in milliseconds that only grows. */
  constructor(settings: CacheSettings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
    this.#tokens = settings.rate?.count ?? 0;
    this.#filledMs = now();
  }

  get stats(): CacheStats {
    return {
      compilations: this.#compilations,
      cacheEvictions: this.#cacheEvictions,
      limitTriggered: this.#limitTriggered,
    };
  }

  /**
   * Returns the script with a key, compiling it if it is not there. Throws circuit_breaking_exception (429) if
   * `isLimited` and too many were compiled lately.
   */
  get(key: string, isLimited: boolean, compile: () => CompiledScript): CompiledScript {
    return this.#known(key) ?? this.#add(key, isLimited, compile);
  }

  #known(key: string): CompiledScript | null {
    const entry = this.#entries.get(key);
    if (!entry) return null;
    this.#entries.delete(key);
    const { expireMs } = this.#settings;
    if (expireMs > 0) {
      const nowMs = this.#now();
      if (nowMs - entry.usedMs > expireMs) {
        this.#cacheEvictions++;
        return null;
      }
      entry.usedMs = nowMs;
    }
    this.#entries.set(key, entry);
    return entry.script;
  }

  #add(key: string, isLimited: boolean, compile: () => CompiledScript): CompiledScript {
    if (isLimited) this.#takeToken();
    const script = compile();
    this.#compilations++;
    this.#entries.set(key, { script, usedMs: this.#settings.expireMs > 0 ? this.#now() : 0 });
    while (this.#entries.size > this.#settings.scriptsMax) {
      this.#entries.delete(this.#entries.keys().next().value!);
      this.#cacheEvictions++;
    }
    return script;
  }

  #takeToken(): void {
    const { rate, rateSetting } = this.#settings;
    if (rate === null) return;
    const nowMs = this.#now();
    this.#tokens = Math.min(rate.count, this.#tokens + ((nowMs - this.#filledMs) * rate.count) / rate.ms);
    this.#filledMs = nowMs;
    if (this.#tokens >= 1) {
      this.#tokens--;
      return;
    }
    this.#limitTriggered++;
    throw errors.circuitBreaking(
      `[script] Too many dynamic script compilations within, max: [${rate.text}]; please use indexed, or scripts ` +
        `with parameters instead; this limit can be changed by the [${rateSetting}] setting`,
      { meta: { bytes_wanted: 0, bytes_limit: 0, durability: 'TRANSIENT' } },
    );
  }
}

import { stringify } from '@shoal/json';
import { isSeriesMode } from '@shoal/values';
import type { Mapping, MappingOptions } from './mapping-api.js';
import { parseStoredMapping } from './parse-stored.js';

type Json = Readonly<Record<string, unknown>>;
type Settings = Readonly<Record<string, unknown>>;

/** A parsed mapping with the options that it was parsed with. Immutable: several indices may share it. */
export interface ParsedMapping {
  readonly mapping: Mapping;
  readonly options: MappingOptions;
}

/** Settings of an index on which its analyzers and the parser of its mapping depend. */
const RELEVANT = /^index\.(?:analysis\.|mapping\.|similarity\.|max_ngram_diff$|max_shingle_diff$|routing_path$)/;

function settingsKey(settings: Settings): string {
  const relevant = Object.entries(settings)
    .filter(([name]) => RELEVANT.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return stringify([isSeriesMode(settings), relevant]);
}

/** Values by key that are dropped when nobody else holds them. */
class WeakValues<V extends object> {
  readonly #values = new Map<string, WeakRef<V>>();
  #sweepAt = 32;

  /** Returns the value under a key, made by `make` if nobody holds it. */
  get(key: string, make: () => V): V {
    const known = this.#values.get(key)?.deref();
    if (known !== undefined) return known;
    const made = make();
    this.#values.set(key, new WeakRef(made));
    if (this.#values.size >= this.#sweepAt) this.#sweep();
    return made;
  }

  #sweep(): void {
    for (const [key, value] of this.#values) if (value.deref() === undefined) this.#values.delete(key);
    this.#sweepAt = 2 * this.#values.size + 32;
  }
}

/**
 * Parses mappings and shares what is equal: indices of one template have one parsed mapping and one set of analyzers.
 * A parsed field takes about 3 KB, so that 300 indices with 300 fields each would need 250 MB for themselves. Nothing
 * is kept for its own sake: what no caller holds any more is dropped.
 */
export class SharedMappings {
  readonly #makeOptions: (settings: Settings) => MappingOptions;
  readonly #options = new WeakValues<MappingOptions>();
  readonly #optionsOf = new WeakMap<Settings, WeakRef<MappingOptions>>();
  readonly #texts = new WeakMap<MappingOptions, WeakValues<ParsedMapping>>();
  readonly #parsed = new WeakMap<Json, WeakRef<ParsedMapping>>();

  /** `makeOptions` builds the analyzers of settings; it throws if it cannot. */
  constructor(makeOptions: (settings: Settings) => MappingOptions) {
    this.#makeOptions = makeOptions;
  }

  /** Returns the options of flat settings: the same object for all settings of which the relevant ones are equal. */
  options(settings: Settings): MappingOptions {
    const known = this.#optionsOf.get(settings)?.deref();
    if (known !== undefined) return known;
    const options = this.#options.get(settingsKey(settings), () => this.#makeOptions(settings));
    this.#optionsOf.set(settings, new WeakRef(options));
    return options;
  }

  /** Returns the parsed mapping of an index; `json` and `settings` must not be changed afterwards. */
  parse(json: Json, settings: Settings): ParsedMapping {
    const options = this.options(settings);
    const known = this.#parsed.get(json)?.deref();
    if (known?.options === options) return known;
    let texts = this.#texts.get(options);
    if (texts === undefined) this.#texts.set(options, (texts = new WeakValues()));
    const parsed = texts.get(stringify(json), () => ({ mapping: parseStoredMapping(json, options), options }));
    this.#parsed.set(json, new WeakRef(parsed));
    return parsed;
  }
}

import { errors } from '@shoal/errors';
import { scriptEnvironment } from '../runtime/environment.js';
import { type CachesSettings, ScriptCaches, type ScriptStats } from './script-caches.js';

/** Where the text of a script comes from. */
export type ScriptType = 'inline' | 'stored';

/** What scripts a node runs. */
export interface ScriptLimits {
  /** Null for all types. */
  readonly types: ReadonlySet<string> | null;
  /** Null for all contexts. */
  readonly contexts: ReadonlySet<string> | null;
  /** Bytes of a script's text. */
  readonly sourceBytesMax: number;
  readonly caches: CachesSettings;
  /** Whether Painless has regular expressions. */
  readonly hasRegexes: boolean;
}

/** Without settings: everything runs, and 3,000 compiled scripts are kept. */
const DEFAULTS: ScriptLimits = {
  types: null,
  contexts: null,
  sourceBytesMax: 65_535,
  caches: { all: { scriptsMax: 3000, expireMs: 0, rate: null, rateSetting: 'script.max_compilations_rate' } },
  hasRegexes: true,
};

const cachesOf = ({ caches }: ScriptLimits): ScriptCaches =>
  new ScriptCaches(caches, () => scriptEnvironment().nowMs());

let limits = DEFAULTS;
let caches = cachesOf(DEFAULTS);

/** Limits the scripts of this thread. What was compiled is forgotten if the settings of caches differ. */
export function limitScripts(given: ScriptLimits): void {
  if (given.caches !== limits.caches) caches = cachesOf(given);
  limits = given;
}

/** The compiled scripts of this thread. */
export const scriptCaches = (): ScriptCaches => caches;

/** Returns the counters of this thread since its caches were made. */
export const scriptStats = (): ScriptStats => caches.stats();

/** Whether scripts of Painless may have regular expressions here. */
export const regexesRun = (): boolean => limits.hasRegexes;

/** Types and contexts of scripts that may run here, null for all. */
export const allowedScripts = (): Pick<ScriptLimits, 'types' | 'contexts'> => limits;

/** Throws if scripts whose text comes from there do not run on this node. */
export function checkScriptType(type: ScriptType): void {
  if (limits.types === null || limits.types.has(type)) return;
  throw errors.illegalArgument(`cannot execute [${type}] scripts`);
}

/** Throws if scripts of a context do not run on this node, or if the text is too long. */
export function checkRunnable(source: string, context: string): void {
  const { contexts, sourceBytesMax } = limits;
  if (ALWAYS_INLINE.test(context)) checkScriptType('inline');
  if (contexts !== null && !contexts.has(context))
    throw errors.illegalArgument(`cannot execute scripts using [${context}] context`);
  if (source.length * 3 <= sourceBytesMax) return;
  const bytes = Buffer.byteLength(source);
  if (bytes <= sourceBytesMax) return;
  const shown = source.length > SHOWN ? `${source.slice(0, 100)}...` : source;
  throw errors.illegalArgument(
    `exceeded max allowed inline script size in bytes [${sourceBytesMax}] with size [${bytes}] for script [${shown}]`,
  );
}

/** Contexts whose scripts are written in mappings and settings, never stored. */
const ALWAYS_INLINE = /^(analysis|similarity|similarity_weight|.*_field)$/;

/** Characters of a script that is too long which the error still shows whole. */
const SHOWN = 131_072;

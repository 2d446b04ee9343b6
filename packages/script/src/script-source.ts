import { errors } from '@shoal/errors';
import { isPlainObject, stringify, tokenOf } from '@shoal/json';
import { checkOptions } from './compiler-options.js';
import { checkScriptType } from './limits/script-limits.js';
import { storedScriptsInUse } from './stored-scripts.js';

/** A script as a request writes it: its text (`source`), or the id of a stored one. */
export interface ScriptSource {
  readonly lang: string;
  readonly source: string | null;
  readonly id: string | null;
  readonly params: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, string>>;
}

/** A script with its text. */
export interface InlineScript extends ScriptSource {
  readonly source: string;
}

const DEFAULT_LANG = 'painless';
const KEYS = ['source', 'id', 'lang', 'params', 'options'];
const NO_PARAMS: Readonly<Record<string, unknown>> = Object.freeze({});

function textAt(body: Record<string, unknown>, key: string): string | null {
  const value = body[key];
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  if (key === 'source' && isPlainObject(value)) return stringify(value);
  throw errors.xContentParse(`[script] ${key} doesn't support values of type: ${tokenOf(value)}`, {
    location: { container: body, key },
  });
}

function objectAt(body: Record<string, unknown>, key: string): Record<string, unknown> {
  const value = body[key];
  if (value === undefined || value === null) return NO_PARAMS as Record<string, unknown>;
  if (isPlainObject(value)) return value as Record<string, unknown>;
  throw errors.xContentParse(`[script] ${key} doesn't support values of type: ${tokenOf(value)}`, {
    location: { container: body, key },
  });
}

function parseObject(body: Record<string, unknown>): ScriptSource {
  const unknown = Object.keys(body).find((key) => !KEYS.includes(key));
  if (unknown !== undefined)
    throw errors.xContentParse(`[script] unknown field [${unknown}]`, {
      location: { container: body, key: unknown, at: 'key' },
    });
  const [source, id, lang] = [textAt(body, 'source'), textAt(body, 'id'), textAt(body, 'lang')];
  if (source === null && id === null)
    throw errors.illegalArgument('must specify either [source] for an inline script or [id] for a stored script');
  if (source !== null && id !== null) {
    const key = Object.keys(body).findLast((name) => name === 'source' || name === 'id')!;
    throw errors.xContentParse(`[script] failed to parse field [${key}]`, {
      location: { container: body, key },
      cause: errors.illegalArgument('must only use one of [source, id] when specifying a script'),
    });
  }
  if (id !== null && lang !== null) throw errors.illegalArgument(`illegally specified <lang> for a stored script`);
  if (id === null) checkOptions(objectAt(body, 'options'));
  return id === null ? scriptOf(body, source, null, lang) : storedOrNamed(body, id);
}

/** Returns the text of a stored script if it is known here, else the script by its name. */
function storedOrNamed(body: Record<string, unknown>, id: string): ScriptSource {
  storedScriptsInUse()?.fillIn(body, id);
  return scriptOf(body, textAt(body, 'source'), textAt(body, 'id'), textAt(body, 'lang'));
}

function scriptOf(
  body: Record<string, unknown>,
  source: string | null,
  id: string | null,
  lang: string | null,
): ScriptSource {
  const stored = storedScriptsInUse();
  if (stored !== null && source !== null) checkScriptType(stored.readAgain(body) ? 'stored' : 'inline');
  return {
    lang: lang ?? DEFAULT_LANG,
    source,
    id,
    params: Object.freeze(objectAt(body, 'params')),
    options: objectAt(body, 'options') as Readonly<Record<string, string>>,
  };
}

/**
 * Reads a script of a request: a text, or an object with `source` or `id`, `lang`, `params`, `options`. Its parameters
 * cannot be changed by the script.
 */
export function readScript(json: unknown): ScriptSource {
  if (typeof json === 'string') {
    if (storedScriptsInUse() !== null) checkScriptType('inline');
    return { lang: DEFAULT_LANG, source: json, id: null, params: NO_PARAMS, options: {} };
  }
  if (isPlainObject(json)) return parseObject(json as Record<string, unknown>);
  throw errors.illegalArgument(`unexpected value [${String(json)}], expected a script`);
}

/** Whether the text of a script is at hand, so that it can be compiled. */
export function isInline(script: ScriptSource): script is InlineScript {
  return script.source !== null;
}

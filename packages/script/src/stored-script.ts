import { checkOptions } from './compiler-options.js';
import { type ErrorLocation, errors } from '@shoal/errors';
import { isPlainObject, stringify, tokenOf } from '@shoal/json';

/** A stored script as the cluster state holds and shows it. */
export interface StoredScript {
  readonly lang: string;
  readonly source: string;
  /** `content_type` decides how a template escapes variables; absent without options. */
  readonly options?: Readonly<Record<string, string>>;
}

/** Content type of a template that is written as an object. */
const JSON_TYPE = 'application/json;charset=utf-8';
const PARSER = 'stored script source';

type Body = Readonly<Record<string, unknown>>;

function scriptOf(body: unknown): Body {
  if (!isPlainObject(body))
    throw errors.parsing(`unexpected token [${tokenOf(body)}], expected [{]`, { meta: { line: 1, col: 1 } });
  const [first] = Object.keys(body);
  if (first === undefined)
    throw errors.parsing('unexpected token [END_OBJECT, expected [script]', {
      location: { container: body, at: 'end' },
    });
  if (first !== 'script')
    throw errors.parsing(`unexpected field [${first}], expected [script]`, {
      location: { container: body, key: first, at: 'key' },
    });
  const script = body['script'];
  if (isPlainObject(script)) return script;
  throw errors.parsing(`unexpected token [${tokenOf(script)}], expected [{, <source>]`, {
    location: { container: body, key: 'script' },
  });
}

/** Returns a member; undefined if absent. Throws x_content_parse_exception for a value of another kind. */
function member(script: Body, key: string, tokens: readonly string[]): unknown {
  if (!Object.hasOwn(script, key)) return undefined;
  const token = tokenOf(script[key]);
  if (tokens.includes(token)) return script[key];
  throw errors.xContentParse(`[${PARSER}] ${key} doesn't support values of type: ${token}`, {
    location: { container: script, key },
  });
}

function optionsOf(script: Body): Record<string, string> {
  const options = member(script, 'options', ['START_OBJECT']) as Body | undefined;
  return Object.fromEntries(
    Object.entries(options ?? {}).map(([key, value]) => {
      if (value !== null && typeof value !== 'object') return [key, String(value)];
      const location: ErrorLocation = { container: options!, key };
      throw errors.xContentParse(`[${PARSER}] failed to parse field [options]`, {
        location,
        cause: errors.refusedState(`Can't get text on a ${tokenOf(value)}`, {
          location: { ...location, isAppended: 'bare' },
        }),
      });
    }),
  );
}

/**
 * Parses the body of `PUT _scripts/{id}`: `{"script": {"lang", "source", "options"}}`. A source that is an object is
 * kept as its JSON. `exact` returns the same body with whole doubles as `readSource` reads them. Unknown
 * members are ignored, as in Elasticsearch. Throws its errors.
 */
export function parseStoredScript(body: unknown, exact: () => unknown = () => body): StoredScript {
  const script = scriptOf(body);
  const lang = member(script, 'lang', ['VALUE_STRING']) as string | undefined;
  const given = member(script, 'source', ['VALUE_STRING', 'START_OBJECT']);
  const options = optionsOf(script);
  const isObject = typeof given === 'object';
  const source = isObject ? stringify((exact() as { script: Body }).script['source']) : (given as string | undefined);
  if (isObject) options['content_type'] = JSON_TYPE;
  if (lang === undefined) throw errors.illegalArgument('must specify lang for stored script');
  if (lang === '') throw errors.illegalArgument('lang cannot be empty');
  if (source === undefined) throw errors.illegalArgument('must specify source for stored script');
  if (source === '') throw errors.illegalArgument('source cannot be empty');
  checkOptions(options);
  return { lang, source, ...(Object.keys(options).length > 0 ? { options } : {}) };
}

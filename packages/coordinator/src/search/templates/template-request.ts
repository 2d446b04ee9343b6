import { errors, notBoolean } from '@shoal/errors';
import { isPlainObject, stringify, tokenOf } from '@shoal/json';
import { didYouMean } from '@shoal/values';
import { validationError } from '../../bulk/validate-operation.js';

/** A body of `_search/template`, of `_render/template` or of a search of `_msearch/template`. */
export interface TemplateRequest {
  /** The template itself, or the id of a stored one; the last of both that the body has. Null if it has none. */
  readonly template: { readonly kind: 'source' | 'id'; readonly text: string } | null;
  readonly params: Readonly<Record<string, unknown>>;
  /** They replace `explain` and `profile` of the rendered body. */
  readonly explain: boolean;
  readonly profile: boolean;
}

type Body = Readonly<Record<string, unknown>>;
type Draft = { -readonly [K in keyof TemplateRequest]: TemplateRequest[K] };

const BOOLEAN = ['VALUE_BOOLEAN', 'VALUE_STRING'];

/** Fields and the JSON tokens that each takes. */
const FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['params', ['START_OBJECT']],
  ['id', ['VALUE_STRING']],
  ['explain', BOOLEAN],
  ['profile', BOOLEAN],
  ['source', ['VALUE_STRING', 'START_OBJECT']],
]);

function flag(body: Body, key: 'explain' | 'profile'): boolean {
  const value = body[key];
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw errors.xContentParse(`[search_template] failed to parse field [${key}]`, {
    location: { container: body, key },
    cause: notBoolean(String(value)),
  });
}

function checkToken(body: Body, key: string): void {
  const tokens = FIELDS.get(key);
  const token = tokenOf(body[key]);
  if (tokens === undefined)
    throw errors.xContentParse(`[search_template] unknown field [${key}]${didYouMean(key, [...FIELDS.keys()])}`, {
      location: { container: body, key, at: 'key' },
    });
  if (!tokens.includes(token))
    throw errors.xContentParse(`[search_template] ${key} doesn't support values of type: ${token}`, {
      location: { container: body, key },
    });
}

/**
 * Parses a template request. `exact` returns the same body with whole doubles as `readSource` reads them: a parameter
 * `1.0` is rendered as `1.0`. Throws x_content_parse_exception.
 */
export function parseTemplateRequest(body: unknown, exact: () => unknown = () => body): TemplateRequest {
  if (!isPlainObject(body))
    throw errors.xContentParse(`[1:1] [search_template] Expected START_OBJECT but was: ${tokenOf(body)}`);
  const draft: Draft = { template: null, params: {}, explain: false, profile: false };
  for (const key of Object.keys(body)) {
    checkToken(body, key);
    const value = body[key];
    if (key === 'params') draft.params = (exact() as Body)['params'] as Body;
    else if (key === 'explain' || key === 'profile') draft[key] = flag(body, key);
    else if (typeof value === 'string') draft.template = { kind: key as 'source' | 'id', text: value };
    else draft.template = { kind: 'source', text: stringify((exact() as Body)['source']) };
  }
  return draft;
}

/** Throws action_request_validation_exception for a request without a template. */
export function checkTemplate({ template }: TemplateRequest): void {
  if (template === null) throw validationError(['template is missing', "template's script type is missing"]);
  if (template.text === '') throw validationError(['template is missing']);
}

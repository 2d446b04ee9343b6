import { errors, toApiError } from '@shoal/errors';
import { isPlainObject, stringify, type JsonObject } from '@shoal/json';
import { parseTemplate } from '../templates/template-source.js';

/** A template of `role_templates`: it renders one role name (`string`), or JSON of one or several names (`json`). */
export interface RoleTemplate {
  /** JSON text of the template, as 8.12 shows it: `{"source":"…"}`. */
  readonly template: string;
  readonly format: 'string' | 'json';
}

function parseFormat(value: unknown): RoleTemplate['format'] {
  const format = typeof value === 'string' ? value.toLowerCase() : value;
  if (format === 'string' || format === 'json') return format;
  throw errors.xContentParse(
    `[role-mapping-template] failed to parse field [format]: invalid format [${String(value)}], expected one of ` +
      '[json, string]',
  );
}

function parseOne(item: unknown): RoleTemplate {
  if (!isPlainObject(item))
    throw errors.xContentParse(
      '[role_mapping] failed to parse field [role_templates]: expected objects with [template] and [format]',
    );
  const unknown = Object.keys(item).find((key) => key !== 'template' && key !== 'format');
  if (unknown !== undefined) throw errors.xContentParse(`[role-mapping-template] unknown field [${unknown}]`);
  const { template, format = 'string' } = item;
  if (template === undefined) throw errors.illegalArgument('Required [template]');
  const text = typeof template === 'string' ? template : stringify(template);
  try {
    parseTemplate(JSON.parse(text));
  } catch (error) {
    throw errors.xContentParse('[role-mapping-template] failed to parse field [template]', {
      cause: toApiError(error),
    });
  }
  return { template: text, format: parseFormat(format) };
}

/** Parses `role_templates`. Throws for invalid templates and for features that are not supported. */
export function parseRoleTemplates(value: unknown): readonly RoleTemplate[] {
  if (value === undefined) return [];
  if (!Array.isArray(value))
    throw errors.xContentParse('[role_mapping] failed to parse field [role_templates]: expected an array');
  return value.map(parseOne);
}

/** Nests dotted names: `realm.name` and `metadata.x` become `{realm: {name}, metadata: {x}}`. */
function modelOf(facts: ReadonlyMap<string, unknown>): JsonObject {
  const model = Object.create(null) as Record<string, unknown>;
  const metadata = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of facts) {
    if (name.startsWith('metadata.')) metadata[name.slice('metadata.'.length)] = value;
    else if (name !== 'realm.name') model[name] = value;
  }
  return Object.assign(model, { metadata, realm: { name: facts.get('realm.name') } });
}

function namesIn(json: unknown): readonly string[] {
  const names = [json].flat();
  return names.every((name) => typeof name === 'string') ? names : [];
}

/**
 * Role names that a template renders from a user's `username`, `dn`, `groups`, `metadata` and `realm.name`; empty if it
 * renders no JSON of names.
 */
export function rolesOfTemplate(
  { template, format }: RoleTemplate,
  facts: ReadonlyMap<string, unknown>,
): readonly string[] {
  try {
    const { mustache, params } = parseTemplate(JSON.parse(template));
    const text = mustache.render({ ...params, ...modelOf(facts) });
    return format === 'json' ? namesIn(JSON.parse(text)) : [text];
  } catch {
    // A template that fails for one user must not refuse the login: other mappings may grant roles to that user.
    return [];
  }
}

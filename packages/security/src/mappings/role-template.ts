import { errors, toApiError } from '@shoal/errors';
import { isPlainObject, stringify, type JsonObject } from '@shoal/json';
import { parseTemplate } from '../templates/template-source.js';

/** A template of `role_templates`: it makes the name of a role (`string`), or JSON of one name or several (`json`). */
export interface RoleTemplate {
  /** Text of JSON, as 8.12 shows it: `{"source":"…"}`. */
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

/** Reads `role_templates`. Throws for templates with faults and those that are not supported. */
export function parseRoleTemplates(value: unknown): readonly RoleTemplate[] {
  if (value === undefined) return [];
  if (!Array.isArray(value))
    throw errors.xContentParse('[role_mapping] failed to parse field [role_templates]: expected an array');
  return value.map(parseOne);
}

/** Facts by their parts: `realm.name` and `metadata.x` as `{realm: {name}, metadata: {x}}`. */
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
 * Roles that a template makes of a user's `username`, `dn`, `groups`, `metadata` and `realm.name`; none where it makes
 * no JSON of names.
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
    // What the values of a user make of a template must not keep that user out: other mappings may know it.
    return [];
  }
}

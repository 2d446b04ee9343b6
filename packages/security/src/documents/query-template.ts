import { errors } from '@shoal/errors';
import type { User } from '../authentication.js';

type JsonObject = Readonly<Record<string, unknown>>;

const TAG = /\{\{\{\s*([^{}]+?)\s*\}\}\}|\{\{#toJson\}\}\s*([^{}]+?)\s*\{\{\/toJson\}\}|\{\{\s*([^{}#/^!>&]+?)\s*\}\}/g;

/** What templates know of a user: `_user.username`, `_user.metadata.team` … */
function describe(user: User): JsonObject {
  return { username: user.username, full_name: user.fullName, email: user.email, roles: user.roles, metadata: user.metadata };
}

function valueAt(path: string, params: JsonObject): unknown {
  let value: unknown = params;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as JsonObject)[key];
  }
  return value;
}

function escaped(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'object') return JSON.stringify(Array.isArray(value) ? value.join(', ') : JSON.stringify(value)).slice(1, -1);
  return JSON.stringify(String(value as string | number | boolean)).slice(1, -1);
}

/** Fills `{{_user.username}}`, `{{{…}}}` and `{{#toJson}}_user.roles{{/toJson}}` into a text of JSON; values are escaped for JSON texts. */
function fill(source: string, params: JsonObject): string {
  return source.replace(TAG, (_tag, raw?: string, json?: string, plain?: string) => {
    if (json !== undefined) return JSON.stringify(valueAt(json, params) ?? null);
    return escaped(valueAt((raw ?? plain)!, params));
  });
}

/** The source and parameters of `{"template": {"source": …, "params": …}}`, or null for a plain query. */
function templateOf(query: string): { readonly source: string; readonly params: JsonObject } | null {
  if (!query.includes('"template"')) return null;
  const parsed = JSON.parse(query) as JsonObject;
  const template = parsed['template'];
  if (typeof template !== 'object' || template === null || !('source' in template)) return null;
  const { source, params } = template as { source: unknown; params?: unknown };
  return { source: typeof source === 'string' ? source : JSON.stringify(source), params: (params ?? {}) as JsonObject };
}

/** A role's query for a user, as JSON. Roles were checked when they were stored, so that the text is a query or a template of the simple form. */
export function queryFor(query: string, user: User): string {
  const template = templateOf(query);
  return template === null ? query : fill(template.source, { ...template.params, _user: describe(user) });
}

const NOBODY: User = { username: 'x', roles: [], fullName: null, email: null, metadata: {}, enabled: true };

/** Whether a role's query is one template, which stands for other queries for other users. Throws for what is not JSON or uses more of Mustache than is offered. */
export function checkQueryForm(query: string): unknown {
  const parsed = JSON.parse(query) as unknown;
  const template = templateOf(query);
  if (template === null) return parsed;
  const rest = template.source.replace(TAG, '');
  if (rest.includes('{{')) throw errors.illegalArgument('templates of role queries take [{{_user...}}], [{{{_user...}}}] and [{{#toJson}}_user...{{/toJson}}] only');
  return JSON.parse(fill(template.source, { ...template.params, _user: describe(NOBODY) })) as unknown;
}

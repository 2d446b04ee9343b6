import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import type { User } from '../authentication.js';
import { parseTemplate, type SourcedTemplate } from '../templates/template-source.js';

/** Parameters of a template: `_user.username`, `_user.metadata.team` … */
function describe(user: User): JsonObject {
  return {
    username: user.username,
    full_name: user.fullName,
    email: user.email,
    roles: user.roles,
    metadata: user.metadata,
  };
}

/**
 * Parses the template of a role query; null for a query without one. Throws illegal_argument for an invalid template.
 */
export function templateOf(query: unknown): SourcedTemplate | null {
  if (typeof query !== 'object' || query === null || !('template' in query)) return null;
  const [other] = Object.keys(query).filter((key) => key !== 'template');
  if (other !== undefined)
    throw errors.illegalArgument(`a role query with [template] takes nothing besides but has [${other}]`);
  return parseTemplate(query.template);
}

/**
 * Refuses a query that reads other documents (terms lookup), because what a role shows must not depend on them. Throws
 * illegal_argument.
 */
export function refuseLookups(query: unknown): void {
  const open = [query];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, value] of Object.entries(next)) {
      if (key === 'terms' && hasLookup(value))
        throw errors.illegalArgument("terms query with terms lookup isn't supported as part of a role query");
      if (key === 'wrapper') throw errors.illegalArgument("wrapper query isn't supported as part of a role query");
      open.push(value);
    }
  }
}

function hasLookup(terms: unknown): boolean {
  return (
    typeof terms === 'object' &&
    terms !== null &&
    Object.values(terms).some((inner: unknown) => typeof inner === 'object' && inner !== null && 'index' in inner)
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's message would quote the rendered query, which the caller may not see.
    throw errors.parse('the template of a role query does not make a query in JSON for this user');
  }
}

function rendered({ mustache, params }: SourcedTemplate, user: User): string {
  try {
    return mustache.render({ ...params, _user: describe(user) });
  } catch {
    // The error would show the template, which the caller may not see.
    throw errors.parse('the template of a role query cannot be rendered for this user');
  }
}

/**
 * Renders a role's query for a user, as JSON. Throws an API error if the template renders no JSON for this user, or a
 * query that roles may not have.
 */
export function queryFor(query: string, user: User): string {
  if (!query.includes('"template"')) return query;
  const template = templateOf(JSON.parse(query));
  if (template === null) return query;
  const text = rendered(template, user);
  refuseLookups(parsed(text));
  return text;
}

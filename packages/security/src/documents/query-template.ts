import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import type { User } from '../authentication.js';
import { parseTemplate, type SourcedTemplate } from '../templates/template-source.js';

/** What templates know of a user: `_user.username`, `_user.metadata.team` … */
function describe(user: User): JsonObject {
  return {
    username: user.username,
    full_name: user.fullName,
    email: user.email,
    roles: user.roles,
    metadata: user.metadata,
  };
}

/** The template of a parsed role query; null for a plain query. Throws illegal_argument when it cannot be read. */
export function templateOf(query: unknown): SourcedTemplate | null {
  if (typeof query !== 'object' || query === null || !('template' in query)) return null;
  const [other] = Object.keys(query).filter((key) => key !== 'template');
  if (other !== undefined)
    throw errors.illegalArgument(`a role query with [template] takes nothing besides but has [${other}]`);
  return parseTemplate(query.template);
}

/** What a role shows must not depend on documents elsewhere. Throws illegal_argument for a query that does. */
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
    // The reader's words would quote the query, which callers need not know.
    throw errors.parse('the template of a role query does not make a query in JSON for this user');
  }
}

/**
 * A role's query for a user, as JSON. Throws an API error where a template makes no JSON of this user's values, or a
 * query that roles may not have.
 */
export function queryFor(query: string, user: User): string {
  if (!query.includes('"template"')) return query;
  const template = templateOf(JSON.parse(query));
  if (template === null) return query;
  const text = template.mustache.render({ ...template.params, _user: describe(user) });
  refuseLookups(parsed(text));
  return text;
}

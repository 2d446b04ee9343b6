import { type ClusterState, section } from '@shoal/state';
import { matchesWildcard } from '@shoal/values';
import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { namePatterns } from '../permissions/name-patterns.js';
import { parseRoleTemplates, rolesOfTemplate, type RoleTemplate } from './role-template.js';

/** A role mapping as the state stores it and the API shows it. */
export interface RoleMapping {
  readonly enabled: boolean;
  /** Absent if templates produce the names. */
  readonly roles?: readonly string[];
  readonly role_templates?: readonly RoleTemplate[];
  readonly rules: JsonObject;
  readonly metadata: JsonObject;
}

/** Name of the section of the cluster state. */
export const ROLE_MAPPINGS_SECTION = 'securityRoleMappings';

/** Properties of a user that rules test: `username`, `dn`, `groups`, `realm.name`, `metadata.x`. */
export type MappingFacts = ReadonlyMap<string, unknown>;

const KEYS = ['roles', 'role_templates', 'rules', 'enabled', 'metadata'];
const RULES_DEPTH_MAX = 50;

const isExpression = (pattern: string): boolean =>
  pattern.length > 1 && pattern.startsWith('/') && pattern.endsWith('/');

function checkFieldRule(body: unknown): void {
  if (!isPlainObject(body) || Object.keys(body).length !== 1)
    throw errors.parsing('failed to parse rules expression. expected one field in [field]');
  for (const value of [Object.values(body)[0]].flat()) {
    if (typeof value === 'string' && isExpression(value)) namePatterns([value]);
    if (value !== null && !['string', 'number', 'boolean'].includes(typeof value))
      throw errors.parsing(
        'failed to parse rules expression. expected a value of [field] to be a string, a number, a boolean or null',
      );
  }
}

/**
 * Throws unless the rules are `{field: {…}}`, `{any: […]}`, `{all: […]}` or, directly within `all`, `{except: {…}}`.
 */
function checkRules(rules: unknown, depth: number, allowsExcept: boolean): void {
  if (!isPlainObject(rules)) throw errors.parsing('failed to parse rules expression. expected [rules] to be an object');
  if (depth > RULES_DEPTH_MAX) throw errors.parsing('failed to parse rules expression. it is nested too deep');
  const [type, ...others] = Object.keys(rules);
  if (type === undefined || others.length > 0)
    throw errors.parsing(
      'failed to parse rules expression. object must contain exactly one type name but had ' +
        `[${Object.keys(rules).join(',')}]`,
    );
  const body = rules[type];
  if (type === 'field') checkFieldRule(body);
  else if ((type === 'any' || type === 'all') && Array.isArray(body))
    for (const rule of body) checkRules(rule, depth + 1, type === 'all');
  else if (type === 'except' && allowsExcept) checkRules(body, depth + 1, false);
  else throw errors.parsing(`failed to parse rules expression. unexpected rule type [${type}]`);
}

function parseRoles(value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((role) => typeof role === 'string')) return value as readonly string[];
  throw errors.parsing('[role_mapping] failed to parse field [roles]');
}

/** Parses the body of `PUT /_security/role_mapping/{name}`. */
export function parseRoleMapping(body: JsonObject): RoleMapping {
  const unknown = Object.keys(body).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw errors.xContentParse(`[role_mapping] unknown field [${unknown}]`);
  const roles = parseRoles(body['roles']);
  const templates = parseRoleTemplates(body['role_templates']);
  const { enabled = false, rules, metadata = {} } = body;
  if (typeof enabled !== 'boolean') throw errors.parsing('[role_mapping] failed to parse field [enabled]');
  if (!isPlainObject(metadata)) throw errors.parsing('[role_mapping] failed to parse field [metadata]');
  const missing = [
    ...(roles.length + templates.length === 0 ? ['role-mapping roles or role-templates are missing'] : []),
    ...(rules === undefined ? ['role-mapping rules are missing'] : []),
  ];
  if (Object.keys(metadata).some((key) => key.startsWith('_'))) missing.push('metadata keys may not start with [_]');
  if (roles.length > 0 && templates.length > 0) missing.push('role-mapping cannot have both roles and role-templates');
  if (missing.length > 0)
    throw errors.actionRequestValidation(
      `Validation Failed: ${missing.map((text, i) => `${i + 1}: ${text};`).join('')}`,
    );
  checkRules(rules, 0, false);
  return {
    enabled,
    ...(templates.length === 0 ? { roles } : { role_templates: templates }),
    rules: rules as JsonObject,
    metadata,
  };
}

function valueMatches(pattern: unknown, fact: unknown): boolean {
  if (pattern === null || fact === null) return pattern === fact;
  if (typeof pattern === 'string')
    return (
      typeof fact === 'string' &&
      (isExpression(pattern) ? namePatterns([pattern]).matches(fact) : matchesWildcard(pattern, fact))
    );
  return pattern === fact || (typeof pattern === 'number' && Number(fact) === pattern);
}

function fieldMatches(body: JsonObject, facts: MappingFacts): boolean {
  const [name, wanted] = Object.entries(body)[0]!;
  const values = [facts.get(name) ?? null].flat();
  return [wanted].flat().some((pattern) => values.some((value) => valueMatches(pattern, value)));
}

function matches(rules: JsonObject, facts: MappingFacts): boolean {
  const [type, body] = Object.entries(rules)[0]!;
  if (type === 'field') return fieldMatches(body as JsonObject, facts);
  if (type === 'any') return (body as JsonObject[]).some((rule) => matches(rule, facts));
  if (type === 'all') return (body as JsonObject[]).every((rule) => matches(rule, facts));
  return !matches(body as JsonObject, facts);
}

/**
 * Roles that the enabled mappings of a state grant to a user with these properties. A template that cannot be rendered
 * for the user grants none, as in 8.12.
 */
export function mappedRoles(state: ClusterState, facts: MappingFacts): string[] {
  const mappings = Object.values(section(state, ROLE_MAPPINGS_SECTION)) as RoleMapping[];
  const given = mappings.filter((mapping) => mapping.enabled && matches(mapping.rules, facts));
  return [
    ...new Set(
      given.flatMap(({ roles, role_templates }) => [
        ...(roles ?? []),
        ...(role_templates ?? []).flatMap((template) => rolesOfTemplate(template, facts)),
      ]),
    ),
  ];
}

import type { JsonObject } from '@shoal/json';
import { matchesAny } from '@shoal/values';
import { errors } from '@shoal/errors';

const SECURITY = 'cluster:admin/xpack/security';

/** Privileges that the `global` section of a role can grant, as in 8.12: area, operation, and the actions granted. */
const KINDS = [
  { area: 'application', operation: 'manage', actions: ['privilege/get', 'privilege/put', 'privilege/delete'] },
  { area: 'profile', operation: 'write', actions: ['profile/put/data'] },
].map(({ actions, ...kind }) => ({ ...kind, actions: new Set(actions.map((name) => `${SECURITY}/${name}`)) }));

function objectOf(value: unknown, known: readonly string[]): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw errors.parse(`failed to parse privilege. expected an object with [${known.join(',')}]`);
  const unexpected = Object.keys(value).find((key) => !known.includes(key));
  if (unexpected !== undefined)
    throw errors.parse(
      `failed to parse privilege. expected one of [${known.join(',')}] but found [${unexpected}] instead`,
    );
  return value as JsonObject;
}

/** Application names and wildcards of one operation; null if the section does not contain it. */
function applicationsOf(global: JsonObject, area: string, operation: string): readonly string[] | null {
  if (global[area] === undefined) return null;
  const { applications } = objectOf(objectOf(global[area], [operation])[operation], ['applications']);
  if (!Array.isArray(applications) || applications.some((name) => typeof name !== 'string'))
    throw errors.parse('failed to parse privilege. expected [applications] to be an array of strings');
  return applications as string[];
}

/** Throws a parse error unless `global` is a valid section. */
export function checkGlobal(global: JsonObject): void {
  objectOf(
    global,
    KINDS.map(({ area }) => area),
  );
  for (const { area, operation } of KINDS) applicationsOf(global, area, operation);
}

/** Whether an action can be granted for some applications only. */
export function isApplicationAction(action: string): boolean {
  return KINDS.some(({ actions }) => actions.has(action));
}

/**
 * Applications (names, wildcards) for which `global` sections grant an action. A request that names no application
 * concerns all of them.
 */
export function applicationsGranted(globals: readonly JsonObject[], action: string): readonly string[] {
  const kind = KINDS.find(({ actions }) => actions.has(action));
  return kind === undefined ? [] : globals.flatMap((global) => applicationsOf(global, kind.area, kind.operation) ?? []);
}

/** Whether granted applications cover the names of a request. */
export function coversApplications(granted: readonly string[], names: readonly string[]): boolean {
  return names.length === 0 ? granted.includes('*') : names.every((name) => matchesAny(granted, name));
}

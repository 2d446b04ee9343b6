import type { JsonObject } from '@shoal/json';
import { matchesAny } from '@shoal/state';
import { errors } from '@shoal/errors';

const SECURITY = 'cluster:admin/xpack/security';

/**
 * What the `global` section of a role can grant, as 8.12 does: an area, what is done in it, and the actions that this
 * is.
 */
const KINDS = [
  { area: 'application', deed: 'manage', actions: ['privilege/get', 'privilege/put', 'privilege/delete'] },
  { area: 'profile', deed: 'write', actions: ['profile/put/data'] },
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

/** Application names and wildcards of one kind; null where the section does not speak of it. */
function applicationsOf(global: JsonObject, area: string, deed: string): readonly string[] | null {
  if (global[area] === undefined) return null;
  const { applications } = objectOf(objectOf(global[area], [deed])[deed], ['applications']);
  if (!Array.isArray(applications) || applications.some((name) => typeof name !== 'string'))
    throw errors.parse('failed to parse privilege. expected [applications] to be an array of strings');
  return applications as string[];
}

/** Throws the parse error of a `global` section that is none. */
export function checkGlobal(global: JsonObject): void {
  objectOf(
    global,
    KINDS.map(({ area }) => area),
  );
  for (const { area, deed } of KINDS) applicationsOf(global, area, deed);
}

/** Whether an action can be granted for some applications alone. */
export function isApplicationAction(action: string): boolean {
  return KINDS.some(({ actions }) => actions.has(action));
}

/**
 * Applications (names, wildcards) for which `global` sections of roles grant an action. A request that names no
 * application is about all of them.
 */
export function applicationsGranted(globals: readonly JsonObject[], action: string): readonly string[] {
  const kind = KINDS.find(({ actions }) => actions.has(action));
  return kind === undefined ? [] : globals.flatMap((global) => applicationsOf(global, kind.area, kind.deed) ?? []);
}

/** Whether granted applications cover those that a request names. */
export function coversApplications(granted: readonly string[], names: readonly string[]): boolean {
  return names.length === 0 ? granted.includes('*') : names.every((name) => matchesAny(granted, name));
}

import { type ClusterState, section } from '@shoal/state';
import { matchesWildcard } from '@shoal/values';
import { errors } from '@shoal/errors';

/** A registered application privilege. */
export interface ApplicationPrivilege {
  readonly application: string;
  readonly name: string;
  readonly actions: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

const APPLICATION = /^[a-z][A-Za-z0-9]{2,}/;
const APPLICATION_PATTERN = /^[a-z*][A-Za-z0-9*]*([-_.*][\x21-\x7e]*)?$/;
const PRIVILEGE = /^[a-z][a-zA-Z0-9_.-]*$/;
const ACTION = /[/*:]/;

/** Throws unless a text is an application name; roles may use `*` in it. */
export function checkApplicationName(name: string): void {
  const [prefix = ''] = name.split(/[-_.]/);
  if (
    name === '*' ||
    (name.includes('*') ? APPLICATION_PATTERN.test(name) : APPLICATION.test(prefix) && /^[A-Za-z0-9]+$/.test(prefix))
  )
    return;
  throw errors.illegalArgument(
    `An application name prefix must match the pattern ^[a-z][A-Za-z0-9]{2,}$ (found '${prefix}')`,
  );
}

/** Throws unless a text is a privilege name. */
export function checkPrivilegeName(name: string): void {
  if (PRIVILEGE.test(name)) return;
  throw errors.illegalArgument(
    `Application privilege names must match the pattern ^[a-z][a-zA-Z0-9_.-]*$ (found '${name}')`,
  );
}

/** Throws for an action that could be mistaken for a privilege name. */
export function checkApplicationAction(action: string): void {
  if (ACTION.test(action)) return;
  throw errors.illegalArgument(`the action [${action}] must contain one of [ '/' , '*' , ':' ]`);
}

/** Key of a privilege in the section `securityPrivileges` of the state. */
export function privilegeKey(application: string, name: string): string {
  return `${application}:${name}`;
}

/** Registered privileges of the applications that a pattern matches; limited to some names if given. */
export function applicationPrivileges(
  state: ClusterState,
  application: string,
  names: readonly string[] = [],
): readonly ApplicationPrivilege[] {
  const all = Object.values(section(state, 'securityPrivileges')) as ApplicationPrivilege[];
  return all.filter(
    (entry) => matchesWildcard(application, entry.application) && (names.length === 0 || names.includes(entry.name)),
  );
}

/**
 * Actions of an application privilege; a text with `/`, `:` or `*` is itself an action. Empty for unregistered names.
 */
export function actionsOf(state: ClusterState, application: string, name: string): readonly string[] {
  if (ACTION.test(name)) return [name];
  return applicationPrivileges(state, application, [name.toLowerCase(), name]).flatMap(({ actions }) => actions);
}

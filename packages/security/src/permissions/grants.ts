import { type ActionPatterns, grantsAction } from '../privileges/action-patterns.js';
import { clusterPrivilege, isOwnKeyAction } from '../privileges/cluster-privileges.js';
import { indexPrivilege } from '../privileges/index-privileges.js';
import type { ApplicationPrivileges, IndexPrivileges, RoleDescriptor } from '../role-descriptor.js';
import { type FieldSecurity, showsAllFields } from '../roles/field-security.js';
import { applicationsGranted, coversApplications } from '../roles/global-privileges.js';
import { type NamePatterns, namePatterns } from './name-patterns.js';
import { isRestricted } from './restricted-names.js';

/** Cached decisions of one action; a full cache is cleared. Decisions about longer names are not cached. */
const NAMES_MAX = 10_000;
const NAME_LENGTH_MAX = 100;

/** A compiled entry of a role's `indices`. */
export interface IndexGrant {
  readonly names: NamePatterns;
  readonly actions: readonly ActionPatterns[];
  readonly restrictedToo: boolean;
  readonly query: string | null;
  /** Null: all fields are visible. */
  readonly fields: FieldSecurity | null;
}

/** Compiled privileges of some roles together, with cached decisions. */
export interface Grants {
  allowsCluster(action: string): boolean;
  allowsOwnKeys(action: string): boolean;
  /** Entries that grant an action on a name; empty if none does. */
  onIndex(action: string, name: string): readonly IndexGrant[];
  /** Whether an action is granted on at least one name. */
  onSomeIndex(action: string): boolean;
  allowsRunAs(username: string): boolean;
  /**
   * Whether an action on application privileges is granted for all of these application names by a role's `global`
   * section.
   */
  allowsForApplications(action: string, names: readonly string[]): boolean;
  allowsForSomeApplication(action: string): boolean;
  readonly cluster: readonly ActionPatterns[];
  readonly indices: readonly IndexGrant[];
  readonly applications: readonly ApplicationPrivileges[];
}

function compileIndex(entry: IndexPrivileges): IndexGrant {
  const { fieldSecurity } = entry;
  return {
    names: namePatterns(entry.names),
    actions: entry.privileges.map(indexPrivilege),
    restrictedToo: entry.allowRestrictedIndices,
    query: entry.query,
    fields: fieldSecurity === null || showsAllFields(fieldSecurity) ? null : fieldSecurity,
  };
}

/** Whether an entry applies to a name. */
export function reaches(grant: IndexGrant, name: string): boolean {
  return grant.names.matches(name) && (grant.restrictedToo || !isRestricted(name));
}

const NOTHING: readonly IndexGrant[] = [];

/** Cached decisions about one action, by index name. */
class ActionDecisions {
  readonly grants: readonly IndexGrant[];
  readonly #decided = new Map<string, readonly IndexGrant[]>();

  constructor(grants: readonly IndexGrant[]) {
    this.grants = grants;
  }

  on(name: string): readonly IndexGrant[] {
    const known = this.#decided.get(name);
    if (known) return known;
    const found = this.grants.filter((grant) => reaches(grant, name));
    if (name.length > NAME_LENGTH_MAX) return found;
    if (this.#decided.size >= NAMES_MAX) this.#decided.clear();
    this.#decided.set(name, found.length === 0 ? NOTHING : found);
    return found;
  }
}

function memoize<T>(decide: (key: string) => T): (key: string) => T {
  const decided = new Map<string, T>();
  return (key) => {
    let decision = decided.get(key);
    if (decision === undefined) {
      decision = decide(key);
      if (decided.size >= NAMES_MAX) decided.clear();
      decided.set(key, decision);
    }
    return decision;
  };
}

/**
 * Compiles the privileges of roles. Throws for unknown privileges and invalid patterns, which stored roles do not have.
 */
export function compileGrants(roles: readonly RoleDescriptor[]): Grants {
  const cluster = roles.flatMap((role) => role.cluster.map(clusterPrivilege));
  const indices = roles.flatMap((role) => role.indices.map(compileIndex));
  const ownKeys = roles.some((role) => role.cluster.includes('manage_own_api_key'));
  const globals = roles.flatMap(({ global }) => (global === null ? [] : [global]));
  const runAs = namePatterns(roles.flatMap((role) => role.runAs));
  const decisions = memoize(
    (action) =>
      new ActionDecisions(indices.filter((grant) => grant.actions.some((actions) => grantsAction(actions, action)))),
  );
  return {
    allowsCluster: memoize((action) => cluster.some((actions) => grantsAction(actions, action))),
    allowsOwnKeys: (action) => ownKeys && isOwnKeyAction(action),
    onIndex: (action, name) => decisions(action).on(name),
    onSomeIndex: (action) => decisions(action).grants.length > 0,
    allowsRunAs: (username) => runAs.matches(username),
    allowsForApplications: (action, names) => coversApplications(applicationsGranted(globals, action), names),
    allowsForSomeApplication: (action) => applicationsGranted(globals, action).length > 0,
    cluster,
    indices,
    applications: roles.flatMap((role) => role.applications),
  };
}

interface Node {
  readonly next: WeakMap<RoleDescriptor, Node>;
  grants: Grants | null;
}

const root: Node = { next: new WeakMap(), grants: null };

/** Compiled privileges of roles. The result is cached by the identity and order of the descriptors. */
export function grantsOf(roles: readonly RoleDescriptor[]): Grants {
  let node = root;
  for (const role of roles) {
    let next = node.next.get(role);
    if (!next) {
      next = { next: new WeakMap(), grants: null };
      node.next.set(role, next);
    }
    node = next;
  }
  return (node.grants ??= compileGrants(roles));
}

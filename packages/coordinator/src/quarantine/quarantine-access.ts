import { errors } from '@shoal/errors';
import { type ClusterState, type IndexAccess, OPEN_AND_CLOSED, resolveNames, UNRESTRICTED } from '@shoal/state';
import { matchesWildcard } from '@shoal/values';
import { ACTIONS, accessOf } from '../access.js';
import type { CallContext } from '../call.js';
import { type Quarantine, quarantines } from './quarantine-index.js';

/** Action of the calls that read quarantines: the privilege `read` on an index grants it for its quarantine. */
export const READ_QUARANTINE = 'indices:data/read/quarantine';

const LIMITED =
  'The documents in quarantine are not shown to users when field or document level security is enabled on their index';

/** Options of expressions that name indices whose quarantines are meant: those that are gone may have one, too. */
const OPTIONS = { ...OPEN_AND_CLOSED, ignoreUnavailable: true, allowNoIndices: true };

/** The indices whose quarantines a caller may read: it must be granted that, and to search them. */
export function quarantineAccess(call: CallContext): IndexAccess {
  const [own, searches] = [accessOf(call, READ_QUARANTINE), accessOf(call, ACTIONS.search)];
  if (own === UNRESTRICTED && searches === UNRESTRICTED) return UNRESTRICTED;
  return {
    allows: (name) => own.allows(name) && searches.allows(name),
    refuse: (names) => own.refuse(names),
    limits: (names) => own.limits(names) ?? searches.limits(names),
  };
}

/**
 * Returns the quarantines of an index expression; all that the caller may read for none. Throws if it names an index
 * that the caller may not read, or of which the caller does not see everything, and index_not_found_exception for a
 * name that has neither index nor quarantine. Wildcards and no expression leave out what the caller sees a part of.
 */
export function selectQuarantines(
  state: ClusterState,
  names: readonly string[],
  access: IndexAccess,
  nowMs: number,
): Quarantine[] {
  const isNamed = (name: string): boolean => !name.includes('*') && name !== '_all' && !name.startsWith('-');
  const refused = names.filter((name) => isNamed(name) && access !== UNRESTRICTED && !access.allows(name));
  if (refused.length > 0) throw access.refuse(refused);
  const known = quarantines(state);
  const have = new Set(known.map(({ name }) => name));
  const absent = names.filter((name) => isNamed(name) && !have.has(name));
  // Throws for what is no name of an index; aliases stand for their indices.
  if (absent.length > 0) resolveNames(state, absent, { ...OPTIONS, ignoreUnavailable: false }, access, nowMs);
  const resolved = new Set(names.length === 0 ? [] : indexNames(state, names, access, nowMs));
  const found = known.filter(({ name }) => access.allows(name) && (resolved.has(name) || isAsked(name, names)));
  const isLimited = ({ name }: Quarantine): boolean => access.limits([name]) !== null;
  if (found.some((one) => isLimited(one) && names.includes(one.name))) throw errors.security(LIMITED, { status: 400 });
  return found.filter((one) => !isLimited(one));
}

/** Names of the indices and data streams that an expression stands for. */
function indexNames(
  state: ClusterState,
  names: readonly string[],
  access: IndexAccess,
  nowMs: number,
): readonly string[] {
  const found = resolveNames(state, names, OPTIONS, access, nowMs);
  return [...found].flatMap((name) => [name, ...resolveAlias(state, name)]);
}

function resolveAlias(state: ClusterState, name: string): readonly string[] {
  return [...state.indices.values()].flatMap((meta) => (Object.hasOwn(meta.aliases, name) ? [meta.name] : []));
}

/** Whether an expression names a quarantine whose index may be gone: the last part that matches decides. */
function isAsked(name: string, names: readonly string[]): boolean {
  if (names.length === 0) return true;
  let asked = false;
  for (const raw of names) {
    const excludes = raw.startsWith('-');
    const pattern = excludes ? raw.slice(1) : raw === '_all' ? '*' : raw;
    const isHidden = name.startsWith('.') && !pattern.startsWith('.');
    if (matchesWildcard(pattern, name) && (excludes || !isHidden || !pattern.includes('*'))) asked = !excludes;
  }
  return asked;
}

/**
 * The call of somebody who may read some quarantines: it reads their indices, which no role grants, and everything else
 * as the caller does. A query may look up documents of other indices, so it does not run as the node.
 */
export function withQuarantines(call: CallContext, readable: readonly Quarantine[]): CallContext {
  const { subject } = call;
  if (accessOf(call, READ_QUARANTINE) === UNRESTRICTED) return call;
  const names = new Set(readable.flatMap(({ alias, indices }) => [alias, ...indices.map((index) => index.name)]));
  const opened = (access: IndexAccess): IndexAccess => ({
    allows: (name) => names.has(name) || access.allows(name),
    refuse: (refused) => access.refuse(refused),
    limits: (asked) => (asked.some((name) => names.has(name)) ? null : access.limits(asked)),
  });
  const permissions = {
    ...subject.permissions,
    indexAccess(action: string) {
      const access = subject.permissions.indexAccess(action);
      return action.startsWith('indices:data/read/') ? opened(access) : access;
    },
  };
  return {
    signal: call.signal,
    opaqueId: call.opaqueId,
    withType: call.withType,
    ...(call.taskId === undefined ? {} : { taskId: call.taskId }),
    subject: { ...subject, permissions },
  };
}

import type { IndexAccess } from '@shoal/state';
import type { Authentication } from '../authentication.js';
import { runAsDenialOf } from '../admission/run-as-denial.js';
import type { Permissions, Subject } from '../subject.js';
import type { AuditOrigin, AuditTrail } from './audit-event.js';
import { type ConfigChange, configChange } from './config-changes.js';

/** Names that a granted access lists at most. */
const INDICES_MAX = 1000;

/** What one HTTP request tells the audit trail. */
export interface RequestAudit {
  /** The credentials were accepted. */
  authenticated(authentication: Authentication | null): void;
  /** They were not, or there were none; `error` says why. */
  refused(error: unknown): void;
  /** The admitted request ended with an error; tells of those that refuse to act as somebody else. */
  failed(error: unknown): void;
  /** An id that the client sent back is not one that it was given. */
  tampered(): void;
  /** The same subject; what it is asked about actions is told. */
  watch(subject: Subject): Subject;
  /** The request was answered: what it was granted, and what it changed of the security configuration. */
  answered(request: ConfigChange): void;
}

/** Claimed user of an `Authorization: Basic` header. */
function claimedUser(authorization: string | undefined): string | undefined {
  if (authorization === undefined || !/^basic /i.test(authorization)) return undefined;
  const text = Buffer.from(authorization.slice(6), 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 1 ? undefined : text.slice(0, colon);
}

/** Replaces some methods and leaves the others to `target`, which may have private state. */
function observed<T extends object>(target: T, replaced: Partial<T>): T {
  return new Proxy(target, {
    get(of, key) {
      if (Object.hasOwn(replaced, key)) return Reflect.get(replaced, key) as unknown;
      const value = Reflect.get(of, key) as unknown;
      return typeof value === 'function' ? (value.bind(of) as unknown) : value;
    },
  });
}

/** What permissions are asked about, and what they refuse. */
interface Asked {
  /** Indices granted for an action. */
  namesOf(action: string): Set<string>;
  deny(action: string, indices: readonly string[]): void;
}

function watchIndices(action: string, access: IndexAccess, { namesOf }: Asked): IndexAccess {
  return observed<IndexAccess>(access, {
    allows(name) {
      const isAllowed = access.allows(name);
      if (isAllowed && namesOf(action).size < INDICES_MAX) namesOf(action).add(name);
      return isAllowed;
    },
  });
}

function watchPermissions(permissions: Permissions, asked: Asked): Permissions {
  return observed<Permissions>(permissions, {
    allowsCluster(action) {
      const isAllowed = permissions.allowsCluster(action);
      if (isAllowed) asked.namesOf(action);
      return isAllowed;
    },
    indexAccess(action) {
      const access = watchIndices(action, permissions.indexAccess(action), asked);
      return observed<IndexAccess>(access, {
        refuse(names) {
          asked.deny(action, names);
          return access.refuse(names);
        },
      });
    },
  });
}

/** Tells the trail about one request. */
export function createRequestAudit(
  trail: AuditTrail,
  origin: AuditOrigin,
  authorization: string | undefined,
): RequestAudit {
  let authentication: Authentication | null = null;
  let isDenied = false;
  let isActing = false;
  const granted = new Map<string, Set<string>>();
  /** Acting as somebody else is told once, with the first action for which it counts. */
  const acts = (privilege?: string): void => {
    if (isActing || authentication === null || authentication.runAsBy === null) return;
    isActing = true;
    const { runAsBy, user, lookupRealm } = authentication;
    trail.record({
      layer: 'transport',
      action: 'run_as_granted',
      authentication: { ...authentication, user: runAsBy },
      origin,
      ...(privilege === undefined ? {} : { privilege }),
      runAs: { username: user.username, realm: lookupRealm.name },
    });
  };
  /** False for an error that is about something else. */
  const tellRunAsDenied = (error: unknown): boolean => {
    const denial = runAsDenialOf(error);
    if (denial === null) return false;
    const { by, username, realm, action } = denial;
    trail.record({
      layer: action === null ? 'rest' : 'transport',
      action: 'run_as_denied',
      authentication: by,
      origin,
      ...(action === null ? {} : { privilege: action }),
      runAs: { username, realm },
    });
    return true;
  };
  const deny = (privilege: string, indices?: readonly string[]): void => {
    isDenied = true;
    acts(privilege);
    trail.record({
      layer: 'transport',
      action: 'access_denied',
      authentication,
      origin,
      privilege,
      ...(indices === undefined ? {} : { indices }),
    });
  };
  const namesOf = (action: string): Set<string> => {
    const known = granted.get(action);
    if (known !== undefined) return known;
    acts(action);
    const names = new Set<string>();
    granted.set(action, names);
    return names;
  };
  const asked: Asked = { namesOf, deny };
  return {
    authenticated(found) {
      authentication = found;
      trail.record({ layer: 'rest', action: 'authentication_success', authentication, origin });
    },
    tampered() {
      trail.record({ layer: 'rest', action: 'tampered_request', authentication, origin });
    },
    refused(error) {
      if (tellRunAsDenied(error)) return;
      const user = claimedUser(authorization);
      trail.record({
        layer: 'rest',
        action: authorization === undefined ? 'anonymous_access_denied' : 'authentication_failed',
        authentication: null,
        origin,
        ...(user === undefined ? {} : { claimedUser: user }),
      });
    },
    failed(error) {
      tellRunAsDenied(error);
    },
    watch(subject) {
      const permissions = watchPermissions(subject.permissions, asked);
      return observed<Subject>(subject, {
        permissions,
        denied(action, indices) {
          if (!isDenied) deny(action, indices);
          return subject.denied(action, indices);
        },
      });
    },
    answered(request) {
      acts();
      if (!isDenied)
        for (const [privilege, names] of granted)
          trail.record({
            layer: 'transport',
            action: 'access_granted',
            authentication,
            origin,
            privilege,
            requestName: request.call,
            ...(names.size === 0 ? {} : { indices: [...names] }),
          });
      const change = request.status < 300 ? configChange(request) : null;
      if (change !== null)
        trail.record({
          layer: 'security_config_change',
          action: 'security_config_change',
          authentication,
          origin,
          change,
        });
    },
  };
}

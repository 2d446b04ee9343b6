import type { IndexAccess } from '@shoal/state';
import type { Authentication } from '../authentication.js';
import { runAsDenialOf } from '../admission/run-as-denial.js';
import type { Permissions, Subject } from '../subject.js';
import type { AuditEvent, AuditOrigin, AuditTrail } from './audit-event.js';
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
  return new TrailedRequest(trail, origin, authorization);
}

/** What is known of a request so far, and which of it the trail was told. */
class TrailedRequest implements RequestAudit {
  readonly #trail: AuditTrail;
  readonly #origin: AuditOrigin;
  readonly #authorization: string | undefined;
  #authentication: Authentication | null = null;
  #isDenied = false;
  #isActing = false;
  /** Indices granted, by action. */
  readonly #granted = new Map<string, Set<string>>();

  constructor(trail: AuditTrail, origin: AuditOrigin, authorization: string | undefined) {
    this.#trail = trail;
    this.#origin = origin;
    this.#authorization = authorization;
  }

  authenticated(found: Authentication | null): void {
    this.#authentication = found;
    this.#tell('rest', 'authentication_success');
  }

  tampered(): void {
    this.#tell('rest', 'tampered_request');
  }

  refused(error: unknown): void {
    if (this.#toldRunAsDenied(error)) return;
    const user = claimedUser(this.#authorization);
    const action = this.#authorization === undefined ? 'anonymous_access_denied' : 'authentication_failed';
    this.#tell('rest', action, { authentication: null, ...(user === undefined ? {} : { claimedUser: user }) });
  }

  failed(error: unknown): void {
    this.#toldRunAsDenied(error);
  }

  watch(subject: Subject): Subject {
    const asked: Asked = {
      namesOf: (action) => this.#namesOf(action),
      deny: (privilege, indices) => this.#deny(privilege, indices),
    };
    return observed<Subject>(subject, {
      permissions: watchPermissions(subject.permissions, asked),
      denied: (action, indices) => {
        if (!this.#isDenied) this.#deny(action, indices);
        return subject.denied(action, indices);
      },
    });
  }

  answered(request: ConfigChange): void {
    this.#actsAs();
    if (!this.#isDenied)
      for (const [privilege, names] of this.#granted)
        this.#tell('transport', 'access_granted', {
          privilege,
          requestName: request.call,
          ...(names.size === 0 ? {} : { indices: [...names] }),
        });
    const change = request.status < 300 ? configChange(request) : null;
    if (change !== null) this.#tell('security_config_change', 'security_config_change', { change });
  }

  #tell(layer: AuditEvent['layer'], action: AuditEvent['action'], more: Partial<AuditEvent> = {}): void {
    this.#trail.record({ layer, action, authentication: this.#authentication, origin: this.#origin, ...more });
  }

  /** Acting as somebody else is told once, with the first action for which it counts. */
  #actsAs(privilege?: string): void {
    if (this.#isActing || this.#authentication === null || this.#authentication.runAsBy === null) return;
    this.#isActing = true;
    const { runAsBy, user, lookupRealm } = this.#authentication;
    this.#tell('transport', 'run_as_granted', {
      authentication: { ...this.#authentication, user: runAsBy },
      ...(privilege === undefined ? {} : { privilege }),
      runAs: { username: user.username, realm: lookupRealm.name },
    });
  }

  /** False for an error that is about something else. */
  #toldRunAsDenied(error: unknown): boolean {
    const denial = runAsDenialOf(error);
    if (denial === null) return false;
    const { by, username, realm, action } = denial;
    this.#tell(action === null ? 'rest' : 'transport', 'run_as_denied', {
      authentication: by,
      ...(action === null ? {} : { privilege: action }),
      runAs: { username, realm },
    });
    return true;
  }

  #deny(privilege: string, indices?: readonly string[]): void {
    this.#isDenied = true;
    this.#actsAs(privilege);
    this.#tell('transport', 'access_denied', { privilege, ...(indices === undefined ? {} : { indices }) });
  }

  #namesOf(action: string): Set<string> {
    const known = this.#granted.get(action);
    if (known !== undefined) return known;
    this.#actsAs(action);
    const names = new Set<string>();
    this.#granted.set(action, names);
    return names;
  }
}

import type { IndexAccess } from '@shoal/state';
import type { Authentication } from '../authentication.js';
import { runAsDenialOf } from '../admission/run-as-denial.js';
import type { Permissions, Subject } from '../subject.js';
import type { AuditEvent, AuditOrigin, AuditRecorder } from './audit-event.js';
import { type ConfigChange, configChange } from './config-changes.js';

/** Most index names in one `access_granted` event. */
const INDICES_MAX = 1000;

/** Records the audit events of one HTTP request. */
export interface RequestAudit {
  /** The credentials were accepted. Null: security is off. */
  authenticated(authentication: Authentication | null): void;
  /** The credentials were refused or absent; `error` is the refusal. */
  refused(error: unknown): void;
  /** The admitted request failed with `error`; records it if it is a run-as denial, ignores other errors. */
  failed(error: unknown): void;
  /** The client sent back an id (scroll, point in time) that it was not given. */
  tampered(): void;
  /** Returns the same subject, which also records each action that it grants or refuses. */
  watch(subject: Subject): Subject;
  /**
   * The handler of an API call is about to run: from now on granted actions are recorded. Those that are granted while
   * it runs are recorded before it waits for anything, hence before anything is done.
   */
  begins(call: string): void;
  /** The request was answered with success or an error; records a change of the security configuration. */
  answered(request: ConfigChange): void;
}

/** Username in an `Authorization: Basic` header. */
function claimedUser(authorization: string | undefined): string | undefined {
  if (authorization === undefined || !/^basic /i.test(authorization)) return undefined;
  const text = Buffer.from(authorization.slice(6), 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 1 ? undefined : text.slice(0, colon);
}

/**
 * Proxy that replaces some methods of `target`. Others are called on `target` itself, which may have private fields.
 */
function overrideMethods<T extends object>(target: T, replaced: Partial<T>): T {
  return new Proxy(target, {
    get(of, key) {
      if (Object.hasOwn(replaced, key)) return Reflect.get(replaced, key) as unknown;
      const value = Reflect.get(of, key) as unknown;
      return typeof value === 'function' ? (value.bind(of) as unknown) : value;
    },
  });
}

/** Receives what permissions grant and refuse. */
interface Asked {
  /** The set to which granted index names of an action are added. */
  namesOf(action: string): Set<string>;
  deny(action: string, indices: readonly string[]): void;
}

function watchIndices(action: string, access: IndexAccess, { namesOf }: Asked): IndexAccess {
  return overrideMethods<IndexAccess>(access, {
    allows(name) {
      const isAllowed = access.allows(name);
      if (isAllowed && namesOf(action).size < INDICES_MAX) namesOf(action).add(name);
      return isAllowed;
    },
  });
}

function watchPermissions(permissions: Permissions, asked: Asked): Permissions {
  return overrideMethods<Permissions>(permissions, {
    allowsCluster(action) {
      const isAllowed = permissions.allowsCluster(action);
      if (isAllowed) asked.namesOf(action);
      return isAllowed;
    },
    indexAccess(action) {
      const access = watchIndices(action, permissions.indexAccess(action), asked);
      return overrideMethods<IndexAccess>(access, {
        refuse(names) {
          asked.deny(action, names);
          return access.refuse(names);
        },
      });
    },
  });
}

/** Creates the audit of one request. */
export function createRequestAudit(
  trail: AuditRecorder,
  origin: AuditOrigin,
  authorization: string | undefined,
): RequestAudit {
  return new TrailedRequest(trail, origin, authorization);
}

/** State of one request: its authentication, the actions granted so far, and which events were recorded. */
class TrailedRequest implements RequestAudit {
  readonly #trail: AuditRecorder;
  readonly #origin: AuditOrigin;
  readonly #authorization: string | undefined;
  #authentication: Authentication | null = null;
  #isDenied = false;
  #isActing = false;
  #isFlushDue = false;
  /** Name of the API call; null before its handler runs. */
  #call: string | null = null;
  /** Granted index names by action, and how many of them are recorded; -1 before the first event of the action. */
  readonly #granted = new Map<string, { readonly names: Set<string>; recorded: number }>();

  constructor(trail: AuditRecorder, origin: AuditOrigin, authorization: string | undefined) {
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
    return overrideMethods<Subject>(subject, {
      permissions: watchPermissions(subject.permissions, asked),
      denied: (action, indices) => {
        if (!this.#isDenied) this.#deny(action, indices);
        return subject.denied(action, indices);
      },
    });
  }

  answered(request: ConfigChange): void {
    this.#actsAs();
    this.begins(request.call);
    const change = request.status < 300 ? configChange(request) : null;
    if (change !== null) this.#tell('security_config_change', 'security_config_change', { change });
  }

  begins(call: string): void {
    this.#call = call;
    this.#recordGranted();
  }

  /** Records the granted actions and names that are new since the last time. */
  #recordGranted(): void {
    this.#isFlushDue = false;
    if (this.#call === null || this.#isDenied) return;
    for (const [privilege, granted] of this.#granted) {
      if (granted.recorded === granted.names.size) continue;
      const indices = [...granted.names].slice(Math.max(0, granted.recorded));
      granted.recorded = granted.names.size;
      this.#tell('transport', 'access_granted', {
        privilege,
        requestName: this.#call,
        ...(indices.length === 0 ? {} : { indices }),
      });
    }
  }

  #tell(layer: AuditEvent['layer'], action: AuditEvent['action'], more: Partial<AuditEvent> = {}): void {
    this.#trail.record({ layer, action, authentication: this.#authentication, origin: this.#origin, ...more });
  }

  /** Records `run_as_granted` once for a request, with the first action that is checked. */
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

  /** Records the denial that an error carries; false if it carries none. */
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
    if (!this.#isFlushDue) {
      this.#isFlushDue = true;
      queueMicrotask(() => this.#recordGranted());
    }
    const known = this.#granted.get(action);
    if (known !== undefined) return known.names;
    this.#actsAs(action);
    const names = new Set<string>();
    this.#granted.set(action, { names, recorded: -1 });
    return names;
  }
}

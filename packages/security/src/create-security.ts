import type { ClusterService } from '@shoal/cluster';
import type { ClusterState } from '@shoal/state';
import type { Clock, Log, Random } from '@shoal/doors';
import { createAdmission } from './admission/admission.js';
import type { CredentialChecks } from './admission/granted-user.js';
import { actingAs, canActAsOthers, findUser, subjectOf } from './admission/subject-of.js';
import type { Authentication, RealmRef, User } from './authentication.js';
import type { SecurityDocuments } from './documents.js';
import { type ApiKeys, createApiKeys } from './keys/api-keys.js';
import { createRoleMappings, type RoleMappings } from './mappings/role-mappings.js';
import { type ApiKeyCalls, createApiKeyCalls } from './keys/key-calls.js';
import { createPasswords, type PasswordDoors } from './passwords/passwords.js';
import { fileRealm, type ReadConfigFile } from './realms/file/file-realm.js';
import { jwtRealm, type OpenKeySet } from './realms/jwt/jwt-realm.js';
import { nativeRealm } from './realms/native-realm.js';
import { pkiRealm } from './realms/pki-realm.js';
import type { CertificateRealm, PasswordRealm, Realms, TokenRealm } from './realms/realm.js';
import { createPrivileges, type Privileges } from './privileges/privileges.js';
import { createProfileCalls, type ProfileCalls } from './profiles/profile-calls.js';
import { createProfiles } from './profiles/profiles.js';
import type { ConfiguredRealm } from './realms/realm-settings.js';
import { reservedRealm } from './realms/reserved-realm.js';
import { createRoles, type Roles } from './roles/roles.js';
import type { SecuritySettings } from './settings.js';
import type { Admit, Subject } from './subject.js';
import { createServiceAccounts, type ServiceAccounts } from './tokens/service-accounts.js';
import { createTokenCalls, type TokenCalls } from './tokens/token-calls.js';
import { createTokens, type Tokens } from './tokens/tokens.js';
import { createUsers, type Users } from './users/users.js';

/** Dependencies of `createSecurity`. */
export interface SecurityOptions {
  readonly cluster: ClusterService;
  readonly documents: SecurityDocuments;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly settings: SecuritySettings;
  readonly readConfigFile: ReadConfigFile;
  /** Returns a function that fetches the key set of a realm from a URL. */
  readonly keySetAt: OpenKeySet;
  readonly passwordDoors?: PasswordDoors;
  /** Removes credentials with these tags from the caches of all nodes; all credentials if `tags` is null. */
  readonly forgetEverywhere: (tags: readonly string[] | null) => Promise<void>;
}

/** The security layer of a node: authentication, and what the calls of `/_security` work with. */
export interface Security {
  readonly admit: Admit;
  readonly settings: SecuritySettings;
  readonly realms: Realms;
  readonly users: Users;
  readonly roles: Roles;
  readonly roleMappings: RoleMappings;
  readonly privileges: Privileges;
  readonly serviceAccounts: ServiceAccounts;
  /** Keys by parsed requests; `apiKeyCalls` parses and checks the requests of the API. */
  readonly apiKeys: ApiKeys;
  readonly apiKeyCalls: ApiKeyCalls;
  readonly tokens: Tokens;
  readonly tokenCalls: TokenCalls;
  readonly profileCalls: ProfileCalls;
  readonly random: Random;
  readonly clock: Clock;
  /** See `CredentialChecks`. */
  readonly actingAs: CredentialChecks['actingAs'];
  /** Returns who somebody that authenticated before is now, with the permissions of the present state. */
  subjectOf(authentication: Authentication): Subject;
  readonly forgetEverywhere: SecurityOptions['forgetEverywhere'];
  /** Removes credentials from the caches of this node only; see `forgetEverywhere`. */
  forget(tags: readonly string[] | null): void;
  /** Counters since the node started. */
  statistics(): Readonly<Record<string, number>>;
}

function byType<R>(realms: readonly ConfiguredRealm[], make: (realm: ConfiguredRealm) => R | null): R[] {
  return realms.map(make).filter((realm) => realm !== null) as R[];
}

function realmsOf(options: SecurityOptions, bootstrapHash: string | null, changed: () => void): Realms {
  const { settings, readConfigFile: read, keySetAt, clock, log } = options;
  const reloadMs = settings.filesReloadMs;
  const reserved = settings.reservedRealmEnabled ? [reservedRealm(bootstrapHash)] : [];
  const byPassword = byType<PasswordRealm>(settings.realms, (realm) => {
    if (realm.type === 'native') return nativeRealm(realm.name);
    return realm.type === 'file' ? fileRealm({ name: realm.name, read, reloadMs, clock, log, changed }) : null;
  });
  return {
    byPassword: [...reserved, ...byPassword],
    byToken: byType<TokenRealm>(settings.realms, (realm) =>
      realm.type === 'jwt' ? jwtRealm(realm, { read, keySetAt, clock, log }) : null,
    ),
    byCertificate: byType<CertificateRealm>(settings.realms, (realm) =>
      realm.type === 'pki' ? pkiRealm(realm) : null,
    ),
  };
}

/** The user as its realm has it now; null if it is gone or disabled. Realms that keep no users return the given one. */
function userNow(realms: Realms, state: ClusterState, ref: RealmRef, user: User): User | null {
  const realm = realms.byPassword.find((candidate) => candidate.ref.name === ref.name);
  if (!realm) return user;
  const known = realm.find(state, user.username)?.user ?? null;
  return known !== null && known.enabled ? known : null;
}

/** Creates the security layer of a node. Rejects with an Error if the settings of realms are invalid. */
export async function createSecurity(options: SecurityOptions): Promise<Security> {
  const { cluster, documents, clock, random, log, settings, forgetEverywhere } = options;
  const passwords = createPasswords(random, options.passwordDoors);
  const state = (): ClusterState => cluster.state();
  const bootstrapHash = settings.bootstrapPassword === null ? null : await passwords.hash(settings.bootstrapPassword);
  const realms = realmsOf(options, bootstrapHash, () => {
    admission.cache.refresh();
    admission.forgetRefusals();
  });
  const tokens = createTokens({
    documents,
    clock,
    random,
    lifetimeMs: settings.tokens.lifetimeMs,
    cacheTtlMs: settings.apiKeys.cacheTtlMs,
    forget: forgetEverywhere,
    userNow: (now, ref, user) => userNow(realms, now, ref, user),
    acting: (now, by, found) => actingAs(by, found.user.username, found, now, settings),
  });
  const admission = createAdmission({ state, documents, clock, random, log, settings, passwords, realms, tokens });
  const checks: CredentialChecks = {
    state,
    settings,
    tokens,
    checkPassword: admission.checkPassword,
    actingAs: (authentication, username) =>
      settings.runAsEnabled && canActAsOthers(authentication)
        ? actingAs(authentication, username, findUser(realms.byPassword, state(), username), state(), settings)
        : null,
  };
  const apiKeys = createApiKeys({
    state,
    documents,
    clock,
    random,
    retentionMs: settings.apiKeys.retentionMs,
    forget: forgetEverywhere,
  });
  const profiles = createProfiles({ documents, clock });
  return {
    admit: admission.admit,
    settings,
    realms,
    users: createUsers({ cluster, settings, passwords, profiles, realms }),
    roles: createRoles(cluster),
    roleMappings: createRoleMappings(cluster),
    privileges: createPrivileges(cluster),
    serviceAccounts: createServiceAccounts({ cluster, clock, random }),
    apiKeys,
    apiKeyCalls: createApiKeyCalls(apiKeys, checks),
    tokens,
    tokenCalls: createTokenCalls(checks),
    profileCalls: createProfileCalls({ profiles, checks, clock }),
    random,
    clock,
    actingAs: checks.actingAs,
    subjectOf: (authentication) => subjectOf(authentication, state(), settings),
    forgetEverywhere,
    forget(tags) {
      admission.cache.forget(tags === null ? null : new Set(tags));
      admission.forgetRefusals();
    },
    statistics: () => ({
      ...admission.counts,
      cached: admission.cache.size,
      waiting: passwords.load.waiting,
      rejected: passwords.load.refused,
    }),
  };
}

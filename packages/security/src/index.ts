export type { Authentication } from './authentication.js';
export { type FileUser, nameProblem, readUserFiles, userFileTexts } from './realms/file/user-files.js';
export type { Admit, Arrival, Subject } from './subject.js';
export { passwordProblem } from './passwords/password-rule.js';
export { EVERYBODY } from './everybody.js';
export type { AuditOrigin, AuditTrail, FilteredConnection } from './audit/audit-event.js';
export { type AuditSettings, parseAuditSettings } from './audit/audit-settings.js';
export { createAuditTrail } from './audit/audit-trail.js';
export { createRequestAudit, type RequestAudit } from './audit/request-audit.js';
export { privilegesCover } from './permissions/privileges-cover.js';
export { readsPattern } from './permissions/reads-pattern.js';
export { mayCall } from './permissions/own-actions.js';
export { isRestricted } from './permissions/restricted-names.js';
export { userPrivileges } from './permissions/user-privileges.js';
export { isClusterAction } from './privileges/cluster-privileges.js';
export { createSecurity, type Security, type SecurityOptions } from './create-security.js';
export type {
  DocumentSearchResult,
  SecurityDocument,
  SecurityDocuments,
  SecurityIndex,
  WhenVisible,
} from './documents.js';
export type { PasswordDoors } from './passwords/passwords.js';
export { deriveByScrypt, type DeriveKey, scryptHash } from './passwords/scrypt-hash.js';
export type { OpenKeySet } from './realms/jwt/jwt-realm.js';
export { type ConfiguredRealm, parseRealms } from './realms/realm-settings.js';
export type { SecuritySettings } from './settings.js';
export { reservedUser } from './users/reserved-users.js';
export { SECURITY_INDICES } from './security-indices.js';
export { BUILT_IN_PRIVILEGES } from './privileges/privileges.js';
export { authenticationJson } from './authentication-json.js';

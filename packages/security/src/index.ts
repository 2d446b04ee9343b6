export type { Authentication } from './authentication.js';
export { type FileUser, nameProblem, readUserFiles, userFileTexts } from './realms/file/user-files.js';
export type { Admit, Arrival, Subject } from './subject.js';
export { passwordProblem } from './passwords/password-rule.js';
export { EVERYBODY } from './everybody.js';
export type { AuditOrigin, AuditTrail, FilteredConnection } from './audit/audit-event.js';
export { type AuditSettings, parseAuditSettings } from './audit/audit-settings.js';
export { createAuditTrail } from './audit/audit-trail.js';
export { createRequestAudit, type RequestAudit } from './audit/request-audit.js';
export { createSubject } from './permissions/create-subject.js';
export { hasPrivileges, parsePrivilegeQuestions, type PrivilegeQuestions } from './permissions/has-privileges.js';
export { privilegesCover } from './permissions/privileges-cover.js';
export { mayCall } from './permissions/own-actions.js';
export { isRestricted } from './permissions/restricted-names.js';
export { userPrivileges } from './permissions/user-privileges.js';
export { isClusterAction } from './privileges/cluster-privileges.js';
export { parseRoleDescriptor } from './roles/parse-role.js';
export { createSecurity, type Security, type SecurityOptions } from './create-security.js';
export type {
  DocumentSearchResult,
  SecurityDocument,
  SecurityDocuments,
  SecurityIndex,
  WhenVisible,
} from './documents.js';
export { type ApiKeyChange, type KeyUpdates, type NewApiKey, ownedBy } from './keys/api-keys.js';
export type { ApiKeyFilter } from './keys/find-keys.js';
export { parseRequestedRoles } from './keys/key-roles.js';
export { type DeriveKey, scryptHash } from './passwords/scrypt-hash.js';
export { profileOf, profileToJson } from './profiles/profile-record.js';
export type { ProfileSuggestion } from './profiles/suggest-profiles.js';
export type { OpenKeySet } from './realms/jwt/jwt-realm.js';
export { type ConfiguredRealm, parseRealms } from './realms/realm-settings.js';
export type { SecuritySettings } from './settings.js';
export type { TokenAnswer, TokenFilter } from './tokens/tokens.js';
export { reservedUser } from './users/reserved-users.js';
export { SECURITY_INDICES } from './security-indices.js';
export { BUILT_IN_PRIVILEGES } from './privileges/privileges.js';
export { checkKeys, failValidation } from './body-checks.js';

export type { Authentication, User } from './authentication.js';
export type { RoleDescriptor } from './role-descriptor.js';
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
export {
  type ApplicationPrivilege,
  applicationPrivileges,
  checkApplicationAction,
  checkApplicationName,
  checkPrivilegeName,
  privilegeKey,
} from './privileges/application-privileges.js';
export { CLUSTER_PRIVILEGES, isClusterAction } from './privileges/cluster-privileges.js';
export { INDEX_PRIVILEGES } from './privileges/index-privileges.js';
export { BUILT_IN_ROLES, SERVICE_ACCOUNT_ROLES } from './roles/built-in-roles.js';
export { parseRoleDescriptor } from './roles/parse-role.js';
export { renderRoleDescriptor } from './roles/render-role.js';
export { roleOf } from './roles/roles-of.js';
export { roleNameFault, validateRole } from './roles/validate-role.js';
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
export { parseRoleMapping, type RoleMapping, ROLE_MAPPINGS_SECTION } from './mappings/role-mapping.js';
export { isPasswordHash, type Passwords } from './passwords/passwords.js';
export { type DeriveKey, scryptHash } from './passwords/scrypt-hash.js';
export { profileOf, profileToJson, profileUid } from './profiles/profile-record.js';
export type { ProfileSuggestion } from './profiles/suggest-profiles.js';
export { secretHash } from './passwords/secret-hash.js';
export type { OpenKeySet } from './realms/jwt/jwt-realm.js';
export { type ConfiguredRealm, parseRealms } from './realms/realm-settings.js';
export type { SecuritySettings } from './settings.js';
export { newServiceToken, SERVICE_TOKENS_SECTION, serviceTokenNames } from './tokens/service-tokens.js';
export type { TokenAnswer, TokenFilter } from './tokens/tokens.js';
export { isReserved, RESERVED_USERNAMES, reservedUser } from './users/reserved-users.js';
export { nativeUserOf, storedUser, storedUserNames, type StoredUser, USERS_SECTION } from './users/stored-user.js';
export { userToJson } from './users/user-json.js';
export { SECURITY_INDICES } from './security-indices.js';

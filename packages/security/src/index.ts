export type { ApiKeyRef, Authentication, RealmRef, User } from './authentication.js';
export type { ApplicationPrivileges, IndexPrivileges, RoleDescriptor } from './role-descriptor.js';
export {
  type FileUser,
  type FileUsers,
  nameProblem,
  parseFileUsers,
  renderUsers,
  renderUsersRoles,
  USERS_FILE,
  USERS_ROLES_FILE,
} from './realms/file/user-files.js';
export type { Admit, Arrival, Permissions, Subject } from './subject.js';
export { passwordProblem } from './passwords/password-rule.js';
export { EVERYBODY } from './everybody.js';
export type {
  AuditAction,
  AuditChange,
  AuditEvent,
  AuditOrigin,
  AuditTrail,
  FilteredConnection,
} from './audit/audit-event.js';
export { type AuditSettings, parseAuditSettings } from './audit/audit-settings.js';
export { type AuditPlace, createAuditTrail } from './audit/audit-trail.js';
export { createRequestAudit, type RequestAudit } from './audit/request-audit.js';
export { createSubject } from './permissions/create-subject.js';
export { hasPrivileges, parsePrivilegeQuestions, type PrivilegeQuestions } from './permissions/has-privileges.js';
export { mayAsMuch } from './permissions/may-as-much.js';
export { mayCall } from './permissions/own-actions.js';
export { permissionsOf } from './permissions/permissions-of.js';
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
export { CLUSTER_PRIVILEGES, clusterPrivilegesFor, isClusterAction } from './privileges/cluster-privileges.js';
export { INDEX_PRIVILEGES, indexPrivilegesFor } from './privileges/index-privileges.js';
export { BUILT_IN_ROLES, SERVICE_ACCOUNT_ROLES } from './roles/built-in-roles.js';
export { parseRoleDescriptor } from './roles/parse-role.js';
export { renderRoleDescriptor } from './roles/render-role.js';
export { roleOf, rolesOf } from './roles/roles-of.js';
export { roleNameFault, validateRole } from './roles/validate-role.js';
export { type AdmissionCounts, createAdmission } from './admission/admission.js';
export { createSecurity, type Security, type SecurityOptions } from './create-security.js';
export type { FoundDocuments, SecurityDocument, SecurityDocuments, SecurityIndex, WhenVisible } from './documents.js';
export { KEYS_MAPPING } from './keys/api-key-record.js';
export { type ApiKeyChange, type ApiKeys, type KeyUpdates, type NewApiKey, ownedBy } from './keys/api-keys.js';
export type { ApiKeyFilter } from './keys/find-keys.js';
export { requestedRoles } from './keys/key-roles.js';
export { apiKeyTag } from './keys/verify-api-key.js';
export { mappedRoles, parseRoleMapping, type RoleMapping, ROLE_MAPPINGS_SECTION } from './mappings/role-mapping.js';
export { isPasswordHash, type Passwords } from './passwords/passwords.js';
export { type DeriveKey, scryptHash } from './passwords/scrypt-hash.js';
export { profileId, profileOf, PROFILES_MAPPING, profileToJson, profileUid } from './profiles/profile-record.js';
export type { ProfileChange, Profiles } from './profiles/profiles.js';
export type { ProfileSuggestion } from './profiles/suggest-profiles.js';
export { secretHash } from './passwords/secret-hash.js';
export type { OpenKeySet } from './realms/jwt/jwt-realm.js';
export { type ConfiguredRealm, parseRealms } from './realms/realm-settings.js';
export type { SecuritySettings } from './settings.js';
export { newServiceToken, SERVICE_TOKENS_SECTION, serviceTokenNames } from './tokens/service-tokens.js';
export { TOKENS_MAPPING } from './tokens/token-record.js';
export type { TokenAnswer, TokenFilter, Tokens } from './tokens/tokens.js';
export { isReserved, RESERVED_USERNAMES, reservedUser } from './users/reserved-users.js';
export { nativeUserOf, storedUser, storedUserNames, type StoredUser, USERS_SECTION } from './users/stored-user.js';
export { userToJson } from './users/user-json.js';

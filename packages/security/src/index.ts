export type { ApiKeyRef, Authentication, RealmRef, User } from './authentication.js';
export type { ApplicationPrivileges, IndexPrivileges, RoleDescriptor } from './role-descriptor.js';
export { type FileUser, type FileUsers, nameProblem, parseFileUsers, renderUsers, renderUsersRoles, USERS_FILE, USERS_ROLES_FILE } from './realms/file/user-files.js';
export type { Admit, Arrival, Permissions, Subject } from './subject.js';
export { EVERYBODY } from './everybody.js';
export type { AuditAction, AuditChange, AuditEvent, AuditOrigin, AuditTrail } from './audit/audit-event.js';
export { type AuditSettings, parseAuditSettings } from './audit/audit-settings.js';
export { type AuditPlace, createAuditTrail } from './audit/audit-trail.js';
export { createRequestAudit, type RequestAudit } from './audit/request-audit.js';
export { createSubject } from './permissions/create-subject.js';
export { hasPrivileges, parsePrivilegeQuestions, type PrivilegeQuestions } from './permissions/has-privileges.js';
export { mayCall } from './permissions/own-actions.js';
export { permissionsOf } from './permissions/permissions-of.js';
export { isRestricted } from './permissions/restricted-names.js';
export { userPrivileges } from './permissions/user-privileges.js';
export {
  type ApplicationPrivilege, applicationPrivileges, checkApplicationAction, checkApplicationName, checkPrivilegeName, privilegeKey,
} from './privileges/application-privileges.js';
export { CLUSTER_PRIVILEGES, clusterPrivilegesFor, isClusterAction } from './privileges/cluster-privileges.js';
export { INDEX_PRIVILEGES, indexPrivilegesFor } from './privileges/index-privileges.js';
export { BUILT_IN_ROLES, SERVICE_ACCOUNT_ROLES } from './roles/built-in-roles.js';
export { parseRoleDescriptor } from './roles/parse-role.js';
export { renderRoleDescriptor } from './roles/render-role.js';
export { roleOf, rolesOf } from './roles/roles-of.js';
export { roleNameFault, validateRole } from './roles/validate-role.js';

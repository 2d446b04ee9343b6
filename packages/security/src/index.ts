export type { ApiKeyRef, Authentication, RealmRef, User } from './authentication.js';
export type { ApplicationPrivileges, IndexPrivileges, RoleDescriptor } from './role-descriptor.js';
export { type FileUser, type FileUsers, nameProblem, parseFileUsers, renderUsers, renderUsersRoles, USERS_FILE, USERS_ROLES_FILE } from './realms/file/user-files.js';
export type { Admit, Arrival, Permissions, Subject } from './subject.js';
export { EVERYBODY } from './everybody.js';
export { AUDIT_EVENT_TYPES, type AuditAction, type AuditChange, type AuditEvent, type AuditOrigin, type AuditTrail } from './audit/audit-event.js';
export { type AuditSettings, parseAuditSettings } from './audit/audit-settings.js';
export { type AuditPlace, createAuditTrail } from './audit/audit-trail.js';
export { createRequestAudit, type RequestAudit } from './audit/request-audit.js';

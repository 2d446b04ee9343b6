export type { ApiKeyRef, Authentication, RealmRef, User } from './authentication.js';
export type { ApplicationPrivileges, IndexPrivileges, RoleDescriptor } from './role-descriptor.js';
export type { Admit, Arrival, Permissions, Subject } from './subject.js';
export { EVERYBODY } from './everybody.js';

export { clusterPrivilegesFor } from '../privileges/cluster-privileges.js';
export { indexPrivilegesFor } from '../privileges/index-privileges.js';
export { createSubject } from '../permissions/create-subject.js';
export { parseRoleDescriptor } from '../roles/parse-role.js';

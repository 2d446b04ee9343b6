export { clusterPrivilegesFor } from '../privileges/cluster-privileges.js';
export { indexPrivilegesFor } from '../privileges/index-privileges.js';

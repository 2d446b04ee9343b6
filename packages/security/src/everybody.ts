import { UNRESTRICTED } from '@shoal/state';
import { errors } from '@shoal/errors';
import type { Subject } from './subject.js';

/** The subject of every request while security is off, and of what the node does by itself: everything is granted. */
export const EVERYBODY: Subject = {
  authentication: null,
  permissions: {
    allowsCluster: () => true,
    allowsOwnKeys: () => true,
    allowsSomeIndex: () => true,
    allowsRunAs: () => true,
    allowsForApplications: () => true,
    allowsForSomeApplication: () => true,
    indexAccess: () => UNRESTRICTED,
    grants: [],
  },
  roles: [],
  denied: (action) => errors.security(`action [${action}] is unauthorized`),
};

import type { User } from '../authentication.js';

/** A user as the API shows it. */
export function userToJson({ username, roles, fullName, email, metadata, enabled }: User): Record<string, unknown> {
  return { username, roles, full_name: fullName, email, metadata, enabled };
}

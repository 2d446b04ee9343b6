import { errors, toApiError } from '@shoal/errors';
import type { RepositoryPlace } from './snapshot-requests.js';

/** An error of a repository whose files cannot be read or written. */
export function unusable(repository: string, error: unknown): Error {
  return errors.repository(`[${repository}] could not read or write the repository`, {
    cause: errors.ioError(error instanceof Error ? error.message : String(error)),
  });
}

/** An error of a repository that the elected master cannot use. */
export function inaccessible(repository: string, error: unknown): Error {
  return errors.repositoryVerification(`[${repository}] path  is not accessible on master node`, {
    status: 400,
    cause: errors.ioError(toApiError(error).message),
  });
}

/** Throws if a repository may not be changed. */
export function checkWritable({ repository, isReadOnly }: RepositoryPlace, what: string): void {
  if (isReadOnly) throw errors.repository(`[${repository}] cannot ${what} readonly repository`, { status: 400 });
}

import { type ApiError, errors } from '@shoal/errors';
import { isSeriesMode } from '@shoal/values';
import type { IndexMetadata } from '../state.js';

type Named = Partial<Pick<IndexMetadata, 'name' | 'settings'>>;

/** Whether an index is one of time series (`index.mode`), and was not made by a version that did not know them. */
export function isTimeSeries({ settings }: Named): boolean {
  return settings !== undefined && isSeriesMode(settings);
}

/** Makes the error of what an index of time series does not take. */
export function refuseRouting({ name }: Named, what: string): ApiError {
  return errors.illegalArgument(
    `${what} is not supported because the destination index [${name}] is in time series mode`,
  );
}

/** Returns the hash of the routing of a document: the first four bytes of its id. Throws (404) for other ids. */
export function routingHashOf({ name }: Named, id: string): number {
  const bytes = Buffer.from(id, 'base64url');
  if (bytes.length < 4 || !/^[\w-]*$/.test(id))
    throw errors.resourceNotFound(`invalid id [${id}] for index [${name}] in time series mode`);
  return bytes.readInt32LE(0);
}

import { errors } from '@shoal/errors';
import { countValues } from '@shoal/json';
import { clusterSetting, type ClusterState } from '@shoal/state';
import type { WriteOperation } from './write-request.js';

const SETTING = 'shoal.document.max_values';

/** Returns how many values a document may have, weighed as `countValues` does. */
export const documentValuesMax = (state: ClusterState): number => Number(clusterSetting(state, SETTING));

/**
 * Whether a source has more values than it may. A document is parsed and indexed at a stretch, in up to 2 us for each
 * of them: a million keep all others waiting for seconds. Sources of fewer bytes are not looked at.
 */
export function hasTooManyValues({ source }: WriteOperation, max: number): boolean {
  return source.length > max && countValues(source, max) > max;
}

/** Throws if the document of an operation has too many values. */
export function checkValues(state: ClusterState, operation: WriteOperation): void {
  const max = documentValuesMax(state);
  if (hasTooManyValues(operation, max))
    throw errors.illegalArgument(`the document has more than [${max}] values, the limit [${SETTING}]`);
}

import { errors } from '@shoal/errors';
import { countValues, isHugeSource } from '@shoal/json';
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
  if (source.length <= max) return false;
  if (!isHugeSource(source.length)) return countValues(source, max) > max;
  let verdict = verdicts.get(source);
  if (verdict?.max !== max) {
    verdict = { max, isOver: countValues(source, max) > max };
    verdicts.set(source, verdict);
  }
  return verdict.isOver;
}

/** What was found of huge sources, which are asked about before their pipelines and after them. */
const verdicts = new WeakMap<Uint8Array, { readonly max: number; readonly isOver: boolean }>();

/** Throws if the document of an operation has too many values. */
export function checkValues(state: ClusterState, operation: WriteOperation): void {
  const max = documentValuesMax(state);
  if (hasTooManyValues(operation, max))
    throw errors.illegalArgument(`the document has more than [${max}] values, the limit [${SETTING}]`);
}

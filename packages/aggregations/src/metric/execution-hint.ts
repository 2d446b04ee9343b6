import { errors } from '@shoal/errors';
import { type FieldReader, stringField } from '../parse/body-fields.js';

const HINTS = ['default', 'high_accuracy'] as const;

/** Which digest estimates quantiles: with `high_accuracy` values are middles of centroids even while they are few. */
export type ExecutionHint = (typeof HINTS)[number];

/** Reads the `execution_hint` of a digest. */
export const hintField: FieldReader<ExecutionHint> = (value, site) => {
  const name = stringField(value, site);
  const hint = HINTS.find((one) => one === name);
  if (hint === undefined)
    throw errors.illegalArgument(`Invalid execution_hint [${name}], valid values are [${HINTS.join(', ')}]`);
  return hint;
};

import { errors } from '@shoal/errors';
import type { PipelineType } from '../aggregation-type.js';
import { parentPipeline } from './parent-values.js';

/** `serial_diff`: difference to the value of `lag` buckets earlier. */
export const serialDiff: PipelineType = parentPipeline({
  name: 'serial_diff',
  typedName: 'simple_value',
  needsHistogram: true,
  extra(body) {
    const lag = body.number('lag') ?? 1;
    if (!(lag >= 1)) throw errors.parsing('Lag must be a positive, non-zero integer.  Value supplied was' + `${lag}`);
    return lag;
  },
  series: (values, lag) =>
    values.map((value, i) =>
      i >= lag && value !== null && values[i - lag] !== null ? value - values[i - lag]! : undefined,
    ),
});

import { errors } from '@shoal/errors';
import { JsonText } from '@shoal/json';
import { decimalFormat } from '@shoal/values';
import type { PipelineType } from '../aggregation-type.js';
import { ownerOf } from '../reduce/paths.js';
import { numberResult } from '../reduce/reduced.js';
import { pipelineBody } from './pipeline-request.js';
import { namedPaths, pipelineScript, valuesOf, withParams } from './script-paths.js';

function numberOf(result: unknown, name: string): number {
  const value = result instanceof JsonText ? Number(result.text) : result;
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  throw errors.aggregationExecution(`series_arithmetic script for reducer [${name}] must return a Number`, {
    status: 400,
  });
}

/** `bucket_script`: adds to each bucket the number that a script makes of its values. */
export const bucketScript: PipelineType = {
  name: 'bucket_script',
  parse(site) {
    const body = pipelineBody(site);
    const paths = namedPaths(body, site);
    const { compiled, source } = pipelineScript(body, 'bucket_aggregation');
    const policy = body.gapPolicy();
    const format = body.text('format');
    body.end();
    const shown = format === null ? () => null : decimalFormat(format);
    return {
      kind: 'parent',
      needsHistogram: false,
      paths: paths.map(([, path]) => path.text),
      *parent(buckets, name, reduced) {
        const owner = ownerOf(name, reduced);
        for (const bucket of buckets) {
          const { values, hasGap } = valuesOf(paths, bucket, policy, owner);
          if (hasGap && policy === 'skip') continue;
          const result = compiled.call([withParams(source, values)]);
          yield;
          if (result === null) continue;
          const number = numberOf(result, name);
          bucket.subs.set(name, numberResult('simple_value', number, shown(number)));
        }
        return buckets;
      },
    };
  },
};

import type { PipelineType } from '../aggregation-type.js';
import { ownerOf } from '../reduce/paths.js';
import type { ReducedBucket } from '../reduce/reduced.js';
import { pipelineBody } from './pipeline-request.js';
import { namedPaths, pipelineScript, valuesOf, withParams } from './script-paths.js';

/** `bucket_selector`: keeps the buckets for which a script says true. */
export const bucketSelector: PipelineType = {
  name: 'bucket_selector',
  parse(site) {
    const body = pipelineBody(site);
    const paths = namedPaths(body, site);
    const { compiled, source } = pipelineScript(body, 'aggregation_selector');
    const policy = body.gapPolicy();
    body.end();
    return {
      kind: 'parent',
      needsHistogram: false,
      paths: paths.map(([, path]) => path.text),
      *parent(buckets, name, reduced) {
        const owner = ownerOf(name, reduced);
        const kept: ReducedBucket[] = [];
        for (const bucket of buckets) {
          const { values } = valuesOf(paths, bucket, policy, owner);
          if (compiled.call([withParams(source, values)]) === true) kept.push(bucket);
          yield;
        }
        return kept;
      },
    };
  },
};

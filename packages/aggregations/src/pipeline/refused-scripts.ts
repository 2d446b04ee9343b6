import { errors } from '@shoal/errors';
import type { PipelineType } from '../aggregation-type.js';
import { pipelineBody } from './pipeline-request.js';

function refused(name: string): PipelineType {
  return {
    name,
    parse(site) {
      if (Object.hasOwn(site.body, 'gap_policy')) pipelineBody(site).gapPolicy();
      if (!Object.hasOwn(site.body, 'buckets_path')) pipelineBody(site).path();
      throw errors.illegalArgument('script_lang not supported [painless]');
    },
  };
}

/** Pipelines that need a script. Refused with the error of an Elasticsearch without the script language. */
export const bucketScript = refused('bucket_script');
/** `bucket_selector`, which needs a script: refused. */
export const bucketSelector = refused('bucket_selector');
/** `moving_fn`, which needs a script: refused. */
export const movingFn = refused('moving_fn');

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

/** Pipelines that are nothing without a script: refused as by an Elasticsearch that lacks the language. */
export const bucketScript = refused('bucket_script');
export const bucketSelector = refused('bucket_selector');
export const movingFn = refused('moving_fn');

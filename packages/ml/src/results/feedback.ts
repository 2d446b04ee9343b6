import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { readAlias, resultsIndex } from '../documents/ml-indices.js';
import type { JobService } from '../jobs/job-service.js';
import type { MlDoors } from '../ml-doors.js';

/** Events that an expected one counts for: as if it had been seen as often. */
const TIMES = 3;
const ID_LENGTH_MAX = 512;

/**
 * Tells a job that a record shows what is expected (or, after all, is not): events like it count as seen three times
 * more in its series, so that the next ones are worth less. The record says so itself.
 */
export async function recordFeedback(
  { documents, clock }: MlDoors,
  jobs: JobService,
  jobId: string,
  recordId: string,
  body: JsonObject,
): Promise<JsonObject> {
  const unknown = Object.keys(body).find((key) => key !== 'expected');
  if (unknown !== undefined) throw errors.xContentParse(`[feedback] unknown field [${unknown}]`);
  const { expected } = body;
  if (typeof expected !== 'boolean') throw errors.illegalArgument('[expected] must be true or false');
  const job = await jobs.get(jobId);
  await documents.refresh(readAlias(jobId));
  const index = resultsIndex(job.config.resultsIndexName);
  const known = recordId.length > ID_LENGTH_MAX ? null : await documents.get(index, recordId);
  if (known === null || known.source['job_id'] !== jobId || known.source['result_type'] !== 'record')
    throw errors.resourceNotFound(`No record with id [${recordId}] exists for job [${jobId}]`);
  const { source } = known;
  const before = (source['shoal'] as JsonObject | undefined)?.['expected'] === true;
  if (before === expected) return { acknowledged: true };
  const text = (name: string): string | null => (source[name] as string | undefined) ?? null;
  const isKnown = await jobs.feedback(jobId, {
    detector: Number(source['detector_index']),
    splits: {
      partition: text('partition_field_value'),
      by: text('by_field_value'),
      over: text('over_field_value'),
    },
    surprise: -Math.log10(Math.max(1e-300, Number(source['probability']))),
    times: expected ? TIMES : -TIMES,
  });
  if (!isKnown)
    throw errors.illegalArgument(
      `function [${String(source['function'])}] remembers no events of a series: use custom_rules`,
    );
  const shoal = { ...(source['shoal'] as JsonObject | undefined), expected, feedback_time: clock.now() };
  await documents.put(index, recordId, { ...source, shoal }, null, true);
  return { acknowledged: true };
}

import { errors } from '@shoal/errors';
import { parseTimeValue } from '@shoal/values';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext } from './call-context.js';
import { keepsResult } from './tasks.js';
import { flushOptions } from './ml-flush.js';
import { ACKNOWLEDGED, ADMIN, mlRoute, MONITOR, ok, optionsOf, requiredBody } from './ml-route.js';

const TIMEOUT_MS = 1_800_000;
const JOBS = '/_ml/anomaly_detectors';
const idOf = (request: RestRequest): string => request.pathParams['job_id']!;

async function put(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  return ok(await ml.putJob(idOf(request), requiredBody(request), callContext(request)));
}

async function update(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  return ok(await ml.jobs.update(idOf(request), requiredBody(request)));
}

async function get(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  const { params, pathParams } = request;
  const hidesGenerated = params.boolean('exclude_generated', false);
  const jobs = await ml.shownJobs(pathParams['job_id'] ?? '_all', params.boolean('allow_no_match', true));
  const shown = jobs.map((json) => {
    if (!hidesGenerated) return json;
    const {
      job_id: _id,
      job_type: _type,
      job_version: _version,
      create_time: _time,
      blocked: _b,
      deleting: _d,
      ...rest
    } = json;
    return rest;
  });
  return ok({ count: jobs.length, jobs: shown });
}

async function stats({ params, pathParams }: RestRequest, { ml }: Services): Promise<RestResponse> {
  const jobs = await ml.jobs.find(pathParams['job_id'] ?? '_all', params.boolean('allow_no_match', true));
  return ok({ count: jobs.length, jobs: await ml.jobs.stats(jobs) });
}

async function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  const { ml } = services;
  const [id, force] = [idOf(request), request.params.boolean('force', false)];
  const includesUsers = request.params.boolean('delete_user_annotations', false);
  const task = { action: `${ADMIN}job/delete`, description: `delete-job-${id}` };
  return acknowledgedTask(request, services, task, {
    check: () => ml.checkJobRemovable(id, force),
    run: (taskId) => ml.removeJob(id, force, includesUsers, taskId),
  });
}

/** What is refused at once, and what may go on behind the answer. */
interface JobWork {
  check(): Promise<void>;
  run(taskId: string): Promise<void>;
}

/** Waits for what is done with a job, or, with `wait_for_completion=false`, answers its task. */
async function acknowledgedTask(
  request: RestRequest,
  services: Services,
  task: { readonly action: string; readonly description: string },
  work: JobWork,
): Promise<RestResponse> {
  if (request.params.boolean('wait_for_completion', true)) {
    await work.run(request.taskId);
    return ACKNOWLEDGED;
  }
  await work.check();
  const headers: Readonly<Record<string, string>> =
    request.opaqueId === null ? {} : { 'X-Opaque-Id': request.opaqueId };
  const id = services.tasks.runBehind({ ...task, headers, keep: keepsResult(services) }, async (own) => {
    await work.run(`${services.node.id}:${own}`);
    return { acknowledged: true };
  });
  return ok({ task: `${services.node.id}:${id}` });
}

async function open(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  const { timeout } = optionsOf(request, ['timeout', 'job_id']);
  const timeoutMs = timeout === undefined ? TIMEOUT_MS : parseTimeValue(String(timeout), 'timeout');
  const node = await ml.jobs.open(idOf(request), timeoutMs);
  return ok({ opened: true, node });
}

async function close(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  const options = optionsOf(request, ['timeout', 'force', 'allow_no_match', 'job_id']);
  const isTrue = (value: unknown): boolean => value === true || value === 'true' || value === '';
  const allows = options['allow_no_match'] === undefined || isTrue(options['allow_no_match']);
  const timeoutMs =
    options['timeout'] === undefined ? TIMEOUT_MS : parseTimeValue(String(options['timeout']), 'timeout');
  const jobs = await ml.jobs.find(idOf(request), allows);
  await ml.jobs.close(jobs, isTrue(options['force'] ?? false), timeoutMs);
  return ok({ closed: true });
}

async function reset(request: RestRequest, services: Services): Promise<RestResponse> {
  const { jobs } = services.ml;
  const id = idOf(request);
  const includesUsers = request.params.boolean('delete_user_annotations', false);
  const task = { action: `${ADMIN}job/reset`, description: `reset-job-${id}` };
  return acknowledgedTask(request, services, task, {
    check: () => jobs.checkResettable(id),
    run: (taskId) => jobs.reset(id, includesUsers, taskId),
  });
}

async function postData(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  const [start, end] = [request.params.text('reset_start'), request.params.text('reset_end')];
  if (start !== null || end !== null)
    throw errors.illegalArgument('[reset_start] and [reset_end] are not supported: buckets are judged once');
  return { status: 202, json: await ml.jobs.post(idOf(request), request.rawBody) };
}

async function flush(request: RestRequest, { ml, clock }: Services): Promise<RestResponse> {
  const names = ['calc_interim', 'start', 'end', 'advance_time', 'skip_time'];
  const options = optionsOf(request, names);
  const time = (name: string, value: unknown): number | null => ml.resultTime(name, value, clock.now());
  return ok(await ml.jobs.flush(idOf(request), flushOptions(options, time)));
}

async function forecast(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  const options = optionsOf(request, ['duration', 'expires_in', 'max_model_memory']);
  const text = (name: string): string | null => (options[name] === undefined ? null : String(options[name]));
  return ok(await ml.jobs.forecast(idOf(request), text('duration'), text('expires_in')));
}

async function removeForecast(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  const { params, pathParams } = request;
  params.time('timeout', TIMEOUT_MS);
  const allows = params.boolean('allow_no_forecasts', true);
  await ml.jobs.removeForecast(idOf(request), pathParams['forecast_id'] ?? '_all', allows);
  return ACKNOWLEDGED;
}

const JOB = `${JOBS}/{job_id}`;

export const routes: readonly Route<Services>[] = [
  ...[JOBS, JOB].map((path) =>
    mlRoute('GET', path, 'get_jobs', `${MONITOR}job/get`, ['allow_no_match', 'exclude_generated'], get),
  ),
  ...[`${JOBS}/_stats`, `${JOB}/_stats`].map((path) =>
    mlRoute('GET', path, 'get_job_stats', `${MONITOR}job/stats/get`, ['allow_no_match'], stats),
  ),
  mlRoute('PUT', JOB, 'put_job', `${ADMIN}job/put`, [], put, 'required'),
  mlRoute('POST', `${JOB}/_update`, 'update_job', `${ADMIN}job/update`, [], update, 'required'),
  mlRoute(
    'DELETE',
    JOB,
    'delete_job',
    `${ADMIN}job/delete`,
    ['force', 'wait_for_completion', 'delete_user_annotations'],
    remove,
  ),
  mlRoute('POST', `${JOB}/_open`, 'open_job', `${ADMIN}job/open`, ['timeout', 'job_id'], open, 'optional'),
  mlRoute(
    'POST',
    `${JOB}/_close`,
    'close_job',
    `${ADMIN}job/close`,
    ['timeout', 'force', 'allow_no_match', 'job_id'],
    close,
    'optional',
  ),
  mlRoute(
    'POST',
    `${JOB}/_reset`,
    'reset_job',
    `${ADMIN}job/reset`,
    ['wait_for_completion', 'delete_user_annotations'],
    reset,
  ),
  {
    ...mlRoute(
      'POST',
      `${JOB}/_data`,
      'post_data',
      `${ADMIN}job/data/post`,
      ['reset_start', 'reset_end'],
      postData,
      'required',
    ),
    largeBody: 'raw',
  },
  mlRoute(
    'POST',
    `${JOB}/_flush`,
    'flush_job',
    `${ADMIN}job/flush`,
    ['calc_interim', 'start', 'end', 'advance_time', 'skip_time'],
    flush,
    'optional',
  ),
  mlRoute(
    'POST',
    `${JOB}/_forecast`,
    'forecast',
    `${ADMIN}job/forecast`,
    ['duration', 'expires_in', 'max_model_memory'],
    forecast,
    'optional',
  ),
  ...[`${JOB}/_forecast`, `${JOB}/_forecast/{forecast_id}`].map((path) =>
    mlRoute(
      'DELETE',
      path,
      'delete_forecast',
      `${ADMIN}job/forecast/delete`,
      ['timeout', 'allow_no_forecasts'],
      removeForecast,
    ),
  ),
];

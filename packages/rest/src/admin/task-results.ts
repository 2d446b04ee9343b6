import { isApiError, renderCause, toApiError } from '@shoal/errors';
import { type Json, type JsonObject, parseSource, stringify } from '@shoal/json';
import { type CallContext, type FinishedTask, plainGet, plainWrite } from '@shoal/coordinator';
import { EVERYBODY } from '@shoal/security';
import { nameIndex } from '@shoal/state';
import type { Services } from '../services.js';

/** The index of the results of tasks that nobody waited for. */
const INDEX = '.tasks';
const TIMEOUT_MS = 30_000;
/** How long the copies of the new index are waited for: what the only one has is lost with its node. */
const COPIES_TIMEOUT_MS = 10_000;

const BODY = {
  settings: { index: { number_of_shards: '1', auto_expand_replicas: '0-1', priority: '2147483647' } },
  mappings: {
    dynamic: 'strict',
    _meta: { version: '8.12.0' },
    properties: {
      completed: { type: 'boolean' },
      task: {
        properties: {
          action: { type: 'keyword' },
          cancellable: { type: 'boolean' },
          cancelled: { type: 'boolean' },
          id: { type: 'long' },
          parent_task_id: { type: 'keyword' },
          node: { type: 'keyword' },
          running_time_in_nanos: { type: 'long' },
          start_time_in_millis: { type: 'long' },
          type: { type: 'keyword' },
          status: { type: 'object', enabled: false },
          description: { type: 'text' },
          headers: { type: 'object', enabled: false },
        },
      },
      response: { type: 'object', enabled: false },
      error: { type: 'object', enabled: false },
    },
  },
};

const own = (): CallContext => ({
  signal: new AbortController().signal,
  opaqueId: null,
  withType: false,
  subject: EVERYBODY,
});

async function makeIndex({ cluster }: Services): Promise<void> {
  if (nameIndex(cluster.state()).has(INDEX)) return;
  const body = { name: INDEX, body: BODY, waitForActiveShards: 'all' };
  try {
    await cluster.submit('create-index', body, { timeoutMs: COPIES_TIMEOUT_MS });
  } catch (error) {
    if (!isApiError(error) || error.type !== 'resource_already_exists_exception') throw error;
  }
}

/** Makes the outcome of a task in the form of the API. */
export function outcomeJson(outcome: FinishedTask['outcome']): Json {
  return 'response' in outcome ? { response: outcome.response } : { error: renderCause(toApiError(outcome.error)) };
}

/**
 * Keeps the result of a task, so that every node can tell it, also when the node that ran it has gone. `task` is the
 * task as `_tasks` shows it. A result that cannot be written is told in the log; the node itself still has it.
 */
export async function storeTaskResult(
  services: Services,
  id: string,
  task: JsonObject,
  outcome: FinishedTask['outcome'],
): Promise<void> {
  try {
    await makeIndex(services);
    const source = Buffer.from(stringify({ completed: true, task, ...outcomeJson(outcome) }));
    const operation = plainWrite('index', INDEX, id, source);
    const options = { refresh: 'none', timeoutMs: TIMEOUT_MS, waitForActiveShards: null } as const;
    await services.coordinator.write({ operation, ...options }, own());
  } catch (error) {
    services.log.write('warn', 'the result of a task could not be stored', { 'task.id': id, error });
  }
}

/** Returns the stored result of a task in the form of the API; null if there is none. */
export async function storedTaskResult({ cluster, coordinator }: Services, id: string): Promise<Json | null> {
  if (!nameIndex(cluster.state()).has(INDEX)) return null;
  const { chunks } = await coordinator.get(plainGet(INDEX, id), own());
  const found = parseSource(Buffer.concat(chunks)) as { found: boolean; _source?: Json };
  return found.found ? found._source! : null;
}

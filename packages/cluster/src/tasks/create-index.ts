import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import {
  parseAliases,
  resolveDateMath,
  flattenIndexSettings,
  type ClusterState,
  type IndexMetadata,
} from '@shoal/state';
import { createIndexState, type CreateIndexRequest } from '../metadata/create-index-state.js';
import { matchingTemplate } from '../templates/compose.js';
import { hasActiveShards, wantedActiveShards } from './active-shards.js';
import { defineTask, type TaskContext, type TaskResult } from './task.js';

/** Body of `createIndex`. */
export interface CreateIndexBody {
  readonly name: string;
  /** The request body: `settings`, `mappings`, `aliases`. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly waitForActiveShards?: string | null;
}

function part(body: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>> | null {
  const value = body[key];
  if (value === undefined || value === null) return null;
  if (!isPlainObject(value)) throw errors.parse(`key [${key}] must be an object`);
  return value;
}

/** Parses the body of create index. Throws for keys other than `settings`, `mappings` and `aliases`. */
export function parseCreateIndex(
  name: string,
  body: Readonly<Record<string, unknown>>,
  nowMs: number,
): CreateIndexRequest {
  for (const key of Object.keys(body)) {
    if (!['settings', 'mappings', 'aliases'].includes(key)) throw errors.parse(`unknown key [${key}] for create index`);
  }
  const mappings = part(body, 'mappings');
  if (mappings && Object.keys(mappings).length === 1 && isPlainObject(mappings['_doc'])) {
    throw errors.illegalArgument(
      'The mapping definition cannot be nested under a type [_doc] unless include_type_name is set to true.',
    );
  }
  return {
    name: resolveDateMath(name, nowMs),
    providedName: name,
    settings: flattenIndexSettings(part(body, 'settings') ?? {}),
    mappings,
    aliases: parseAliases(part(body, 'aliases')),
  };
}

function refuseDataStreamName(state: ClusterState, name: string): void {
  const match = matchingTemplate(state, name, false);
  if (!match?.template.dataStream) return;
  throw errors.illegalArgument(
    `cannot create index with name [${name}], because it matches with template [${match.name}] that creates data ` +
      'streams only, use create data stream api instead',
  );
}

/** Makes the answer of calls that create an index. It is sent when the awaited number of copies is active. */
export function createdAnswer(
  state: ClusterState,
  meta: IndexMetadata,
  waitForActiveShards: string | null | undefined,
): TaskResult {
  const wanted = wantedActiveShards(meta, waitForActiveShards);
  const answer = { acknowledged: true, shards_acknowledged: true, index: meta.name };
  return {
    state,
    answer,
    reroute: 'all',
    until: (later) => hasActiveShards(later, meta.uuid, wanted),
    answerUnmet: { ...answer, shards_acknowledged: false },
  };
}

function apply(state: ClusterState, body: CreateIndexBody, context: TaskContext): TaskResult {
  const request = parseCreateIndex(body.name, body.body ?? {}, context.nowMs);
  refuseDataStreamName(state, request.name);
  const created = createIndexState(state, request, context);
  return createdAnswer(created.state, created.meta, body.waitForActiveShards);
}

/** Creates an index. */
export const createIndex = defineTask<CreateIndexBody>({
  name: 'create-index',
  priority: 'URGENT',
  source: ({ name }) => `create-index [${name}], cause [api]`,
  apply,
  createdBefore: (state, { waitForActiveShards }, created) => createdAnswer(state, created, waitForActiveShards),
});

import { errors } from '@shoal/errors';
import { EVERYBODY } from '@shoal/security';
import { type IndexMetadata, OPEN_ONLY, resolveIndices, UNRESTRICTED } from '@shoal/state';
import { refresh } from '../admin/refresh.js';
import { startByQuery } from '../by-query/run-by-query.js';
import type { CallContext } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { copyRequest } from './copy-request.js';
import { aliasOfPolicy, enrichIndexBody, indexOfPolicy, indicesOfPolicy } from './enrich-index.js';
import { checkSourceMapping, type EnrichPolicy, storedPolicy } from './enrich-policy.js';

const STATE_TIMEOUT_MS = 30_000;

/** Calls of the node itself: policies read and write what their maker could read when they were made. */
export function ownCall(signal: AbortSignal): CallContext {
  return { signal, opaqueId: null, withType: false, subject: EVERYBODY };
}

/**
 * Copies the documents of a policy to an index of its own and moves the policy's alias there; the index before it is
 * deleted. Nothing changes if it fails. Throws resource_not_found_exception for an unknown policy.
 */
export async function executePolicy(context: CoordinatorContext, name: string, signal: AbortSignal): Promise<void> {
  const state = context.cluster.state();
  const policy = storedPolicy(state, name);
  if (policy === null) throw errors.resourceNotFound(`policy [${name}] does not exist`);
  const sources = resolveIndices(state, policy.indices, OPEN_ONLY, UNRESTRICTED, context.clock.now());
  for (const source of sources) checkSourceMapping(name, policy, source);
  if (sources.length === 0) {
    const names = policy.indices.join(', ');
    throw errors.exception(
      `Enrich policy execution for [${name}] failed. No matching source indices found for [${names}]`,
    );
  }
  const before = indicesOfPolicy(state, name);
  const index = await createIndex(context, name, policy, sources);
  try {
    await copyDocuments(context, policy, index, signal);
    await publish(context, name, index, before);
  } catch (error) {
    // The alias may be there although its task was not heard to end in time: then pipelines read the new index.
    if (indexOfPolicy(context.cluster.state(), name)?.uuid === index.uuid) throw error;
    await context.cluster.submit('delete-index', { uuids: [index.uuid] }).catch(() => undefined);
    throw error;
  }
  if (before.length > 0) await context.cluster.submit('delete-index', { uuids: before.map(({ uuid }) => uuid) });
}

async function createIndex(
  { cluster, clock }: CoordinatorContext,
  name: string,
  policy: EnrichPolicy,
  sources: readonly IndexMetadata[],
): Promise<IndexMetadata> {
  const indexName = `${aliasOfPolicy(name)}-${clock.now()}`;
  await cluster.submit('create-index', { name: indexName, body: enrichIndexBody(name, policy, sources) });
  const known = (): IndexMetadata | undefined =>
    [...cluster.state().indices.values()].find((index) => index.name === indexName);
  await cluster.waitFor(() => known() !== undefined, STATE_TIMEOUT_MS);
  const index = known();
  if (index === undefined) throw errors.timeout(`index [${indexName}] was not created in time`);
  return index;
}

async function copyDocuments(
  context: CoordinatorContext,
  { indices, query, matchField, enrichFields }: EnrichPolicy,
  index: IndexMetadata,
  signal: AbortSignal,
): Promise<void> {
  const search = { ...(query === null ? {} : { query }), _source: { includes: [matchField, ...enrichFields] } };
  const { json } = await startByQuery(context, copyRequest(indices, search, index.name), ownCall(signal)).done;
  const failures = json['failures'] as readonly unknown[];
  if (json['canceled'] !== undefined) throw errors.taskCancelled(String(json['canceled']));
  if (failures.length > 0) throw errors.exception('Encountered bulk failures during reindex process');
  await refresh(context, [index]);
}

/** Makes the index read-only and moves the alias to it. */
async function publish(
  { cluster }: CoordinatorContext,
  name: string,
  { uuid }: IndexMetadata,
  before: readonly IndexMetadata[],
): Promise<void> {
  const alias = aliasOfPolicy(name);
  await cluster.submit('add-block', { uuids: [uuid], block: 'write' });
  const named = before.filter(({ aliases }) => Object.hasOwn(aliases, alias)).map((index) => index.uuid);
  const removal = named.length === 0 ? [] : [{ kind: 'remove', uuids: named, aliases: [alias], mustExist: null }];
  await cluster.submit('update-aliases', {
    actions: [...removal, { kind: 'add', uuids: [uuid], aliases: [alias], alias: {} }],
  });
}

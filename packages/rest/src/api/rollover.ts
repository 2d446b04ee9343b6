import {
  meetsConditions,
  parseRolloverConditions,
  planRollover,
  type RolloverCondition,
  type RolloverFacts,
  rolloverFacts,
  type RolloverPlan,
} from '@shoal/cluster';
import { type IndexMetadata, parseActiveShards } from '@shoal/state';
import { errors } from '@shoal/errors';
import { MASTER_PARAMETERS, objectBody, requireAliases, requireNames, runTask } from '../admin/index-options.js';
import { broadcastStats } from '../admin/shard-stats.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

async function factsOf(services: Services, meta: IndexMetadata): Promise<RolloverFacts> {
  const { shards } = await broadcastStats(services, [meta]);
  const sized = shards.map(({ primary, stats: { docs, store } }) => ({
    primary,
    docs: docs.count,
    deleted: docs.deleted,
    bytes: store.size_in_bytes,
  }));
  return rolloverFacts(meta, sized, services.clock.now());
}

async function evaluate(
  services: Services,
  plan: RolloverPlan,
  conditions: readonly RolloverCondition[],
): Promise<Map<string, boolean>> {
  if (conditions.length === 0) return new Map();
  const facts = await factsOf(services, plan.source);
  return new Map(conditions.map((condition) => [condition.text, condition.met(facts)]));
}

function checkKeys(body: Record<string, unknown>): void {
  const key = Object.keys(body).find((name) => !['conditions', 'settings', 'mappings', 'aliases'].includes(name));
  if (key !== undefined)
    throw errors.xContentParse(`[rollover] unknown field [${key}]`, { location: { container: body, key, at: 'key' } });
}

async function rollover(request: RestRequest, services: Services): Promise<RestResponse> {
  const body = objectBody(request);
  checkKeys(body);
  const wait = request.params.text('wait_for_active_shards');
  if (wait !== null) parseActiveShards(wait);
  const dryRun = request.params.boolean('dry_run', false);
  const alias = request.pathParams['index'] ?? '';
  const newName = request.pathParams['new_index'] ?? null;
  requireNames(request, services, newName === null ? [alias] : [alias, newName]);
  requireAliases(request, services, [], body['aliases']);
  const plan = planRollover(services.cluster.state(), alias, newName, services.clock.now());
  const conditions = parseRolloverConditions(body);
  const results = await evaluate(services, plan, conditions);
  const { conditions: _conditions, ...rest } = body;
  const answer = {
    acknowledged: false,
    shards_acknowledged: false,
    old_index: plan.source.name,
    new_index: plan.newName,
    rolled_over: false,
    dry_run: dryRun,
    conditions: Object.fromEntries(results),
  };
  if (dryRun || !meetsConditions(conditions, results)) return { status: 200, json: answer };
  const metConditions = conditions
    .filter((condition) => results.get(condition.text))
    .map((condition) => condition.text);
  const task = { alias, newName, body: rest, metConditions, answer, waitForActiveShards: wait };
  return { status: 200, json: await runTask(request, services, 'rollover', task) };
}

export const routes: readonly Route<Services>[] = ['/{index}/_rollover', '/{index}/_rollover/{new_index}'].map(
  (path): Route<Services> => ({
    methods: ['POST'],
    path,
    name: 'indices.rollover',
    body: 'optional',
    privilege: 'indices:admin/rollover',
    parameters: [...MASTER_PARAMETERS, 'dry_run', 'wait_for_active_shards'],
    handle: rollover,
  }),
);

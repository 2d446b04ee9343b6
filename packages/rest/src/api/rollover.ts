import {
  checkRolloverMaximum,
  meetsConditions,
  parseRolloverConditions,
  planRollover,
  type RolloverCondition,
  type RolloverFacts,
  rolloverFacts,
  type RolloverPlan,
} from '@shoal/cluster';
import { type Json, mapField, objectField, readFields } from '@shoal/json';
import { type IndexMetadata, parseActiveShards, parseAliases } from '@shoal/state';
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

const FIELDS = {
  conditions: objectField(parseRolloverConditions),
  settings: objectField((json) => json),
  mappings: objectField((json) => json),
  aliases: mapField((json) => {
    parseAliases(json);
    return json;
  }),
};

/** The body of a rollover: its conditions, and what the new index gets. */
interface RolloverBody {
  readonly conditions: readonly RolloverCondition[];
  readonly index: Json;
}

function rolloverBody(request: RestRequest): RolloverBody {
  const body = objectBody(request);
  const { conditions = [] } = readFields('rollover', body, FIELDS);
  const { conditions: _, ...index } = body;
  return { conditions, index };
}

async function rollover(request: RestRequest, services: Services): Promise<RestResponse> {
  const { conditions, index } = rolloverBody(request);
  checkRolloverMaximum(conditions);
  const wait = request.params.text('wait_for_active_shards');
  if (wait !== null) parseActiveShards(wait);
  const dryRun = request.params.boolean('dry_run', false);
  const alias = request.pathParams['index'] ?? '';
  const newName = request.pathParams['new_index'] ?? null;
  requireNames(request, services, newName === null ? [alias] : [alias, newName]);
  requireAliases(request, services, [], index['aliases']);
  const plan = planRollover(services.cluster.state(), alias, newName, services.clock.now());
  const results = await evaluate(services, plan, conditions);
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
  const task = { alias, newName, body: index, metConditions, answer, waitForActiveShards: wait };
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
    checkBody: (request) => void rolloverBody(request),
    handle: rollover,
  }),
);

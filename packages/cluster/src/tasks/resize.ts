import { errors } from '@shoal/errors';
import { nodesWithAll } from '../allocation/copies.js';
import { type FlatSettings, isMounted, isTrue, type ClusterState, type IndexMetadata, nameIndex } from '@shoal/state';
import { defaultRoutingShards } from '../metadata/routing-shards.js';
import { createIndexState } from '../metadata/create-index-state.js';
import { createdAnswer, parseCreateIndex } from './create-index.js';
import { defineTask, type TaskContext, type TaskResult } from './task.js';

/** Body of `resize`. */
export interface ResizeBody {
  readonly kind: 'shrink' | 'split' | 'clone';
  readonly source: string;
  readonly target: string;
  /** Settings and aliases of the new index. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly waitForActiveShards?: string | null;
}

/** Settings of the source index that the new index does not copy. */
const NOT_COPIED = new RegExp(
  `^index\\.(${[
    'uuid',
    'creation_date',
    'provided_name',
    'version\\.',
    'routing\\.allocation\\.initial_recovery\\.',
    'number_of_shards',
    'number_of_replicas',
    'auto_expand_replicas',
    'verified_before_close',
    'number_of_routing_shards',
  ].join('|')})`,
);

function targetShards(kind: ResizeBody['kind'], source: IndexMetadata, given: unknown): number {
  if (given !== null) return Number(given);
  return kind === 'clone' ? source.numberOfShards : 1;
}

const shardsRequired = (): Error =>
  errors.actionRequestValidation('Validation Failed: 1: index.number_of_shards is required for split operations;');

function checkShrink(source: number, target: number): void {
  if (source <= target && source !== target)
    throw errors.illegalArgument(
      `the number of target shards [${target}] must be less that the number of source shards [${source}]`,
    );
  if (source === target)
    throw errors.illegalArgument(
      `the number of target shards [${target}] must be less that the number of source shards [${source}]`,
    );
  if (source % target !== 0)
    throw errors.illegalArgument(`the number of source shards [${source}] must be a multiple of [${target}]`);
}

/**
 * Checks the number of shards of a split. An index with one shard may be split into any number, as its routing can be
 * chosen anew.
 */
function checkSplit(source: IndexMetadata, target: number): void {
  const shards = source.numberOfShards;
  if (target < shards)
    throw errors.illegalArgument(
      `the number of source shards [${shards}] must be less that the number of target shards [${target}]`,
    );
  if (target % shards !== 0)
    throw errors.illegalArgument(`the number of source shards [${shards}] must be a factor of [${target}]`);
  if (shards !== 1 && source.numberOfRoutingShards % target !== 0) {
    throw errors.refusedState(
      `the number of routing shards [${source.numberOfRoutingShards}] must be a multiple of the target shards ` +
        `[${target}]`,
    );
  }
}

function checkGiven(kind: ResizeBody['kind'], source: IndexMetadata, settings: FlatSettings): void {
  if (settings['index.routing_partition_size'] !== undefined)
    throw errors.illegalArgument('cannot provide a routing partition size value when resizing an index');
  const fromOne = kind === 'split' && source.numberOfShards === 1;
  if (settings['index.number_of_routing_shards'] !== undefined && !fromOne)
    throw errors.illegalArgument('cannot provide index.number_of_routing_shards on resize');
}

function routingShardsOf(source: IndexMetadata, shards: number, settings: FlatSettings): number {
  if (source.numberOfShards !== 1) return source.numberOfRoutingShards;
  return Number(settings['index.number_of_routing_shards'] ?? defaultRoutingShards(shards));
}

function checkShards(kind: ResizeBody['kind'], source: IndexMetadata, target: number): void {
  if (kind === 'shrink') checkShrink(source.numberOfShards, target);
  else if (kind === 'split') checkSplit(source, target);
  else if (target !== source.numberOfShards) {
    throw errors.illegalArgument(
      `the number of target shards (${target}) must be the same as the number of  source shards ( ` +
        `${source.numberOfShards})`,
    );
  }
}

function requireBlock(source: IndexMetadata): void {
  if (isTrue(source.settings, 'index.blocks.write') || isTrue(source.settings, 'index.blocks.read_only')) return;
  throw errors.refusedState(`index ${source.name} must be read-only to resize index. use "index.blocks.write=true"`);
}

/**
 * Throws unless one node has a copy of every shard of the source: the new index is made on one node out of all of them.
 */
function requireOneNode(state: ClusterState, kind: ResizeBody['kind'], source: IndexMetadata): void {
  if (kind !== 'shrink' || nodesWithAll(state.routing.get(source.uuid) ?? []).length > 0) return;
  throw errors.refusedState(`index ${source.name} must have all shards allocated on the same node to shrink index`);
}

function inheritedSettings(source: IndexMetadata): Record<string, IndexMetadata['settings'][string]> {
  return Object.fromEntries(Object.entries(source.settings).filter(([name]) => !NOT_COPIED.test(name)));
}

function apply(state: ClusterState, body: ResizeBody, context: TaskContext): TaskResult {
  const source = nameIndex(state).get(body.source);
  const request = parseCreateIndex(body.target, body.body, context.nowMs);
  const given = request.settings['index.number_of_shards'] ?? null;
  if (body.kind === 'split' && given === null) throw shardsRequired();
  if (!source)
    throw errors.indexNotFound(`no such index [${body.source}]`, { meta: { index_uuid: '_na_', index: body.source } });
  // Its files are those of a snapshot, which the new index would need as long as it is there.
  if (isMounted(source)) throw errors.illegalArgument(`can't ${body.kind} searchable snapshot index [${source.name}]`);
  const shards = targetShards(body.kind, source, given);
  checkShards(body.kind, source, shards);
  checkGiven(body.kind, source, request.settings);
  requireBlock(source);
  requireOneNode(state, body.kind, source);
  const created = createIndexState(
    state,
    {
      ...request,
      settings: {
        ...inheritedSettings(source),
        ...request.settings,
        'index.number_of_shards': String(shards),
        'index.routing_partition_size': String(source.routingPartitionSize),
      },
      mappings: null,
      composition: { settings: {}, mappings: [source.mapping], aliases: {}, lifecycle: null },
      resize: { source, kind: body.kind, routingShards: routingShardsOf(source, shards, request.settings) },
    },
    context,
  );
  return createdAnswer(created.state, created.meta, body.waitForActiveShards);
}

/** Creates an index by shrinking, splitting or cloning another one. */
export const resize = defineTask<ResizeBody>({
  name: 'resize',
  priority: 'URGENT',
  source: ({ kind, target }) => `${kind}_index [${target}]`,
  apply,
  createdBefore: (state, { waitForActiveShards }, created) => createdAnswer(state, created, waitForActiveShards),
});

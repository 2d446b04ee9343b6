import { type ClusterState, type IndexMetadata, type ShardRouting, emptyState } from '@shoal/state';
import { type Channel, fakeClock, type LocalChannel, seededRandom, silentLog } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { answerers, shard as messages } from '@shoal/protocol';
import { EVERYBODY } from '@shoal/security';
import { createCoordinator } from './coordinator.js';
import type { CallContext, JsonAnswer } from './call.js';
import type { CoordinatorMemory } from './context.js';
import type { Coordinator } from './coordinator-api.js';

/** Handlers of shard messages for tests, by action. They receive decoded requests. */
export interface FakeShards {
  bulk?(request: messages.BulkShardRequest, nodeId: string): messages.BulkShardResponse;
  get?(request: messages.GetRequest, nodeId: string): messages.GetResponse;
  query?(request: messages.QueryRequest, nodeId: string): messages.QueryResponse;
  fetch?(request: messages.FetchRequest, nodeId: string): messages.FetchResponse;
  open?(request: messages.OpenContextRequest, nodeId: string): messages.OpenContextResponse;
  canMatch?(request: messages.CanMatchRequest, nodeId: string): messages.CanMatchResponse;
  free?(contexts: readonly string[], nodeId: string): number;
  /** Handles queries and fetches as objects; present if the shards are on the thread of the coordinator. */
  local?(action: string, message: object): object;
  /** Handles any other message. */
  other?(action: string, nodeId: string, payload: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/** An index for tests: nodes of its shards, mapping and aliases. */
export interface FakeIndex {
  readonly name: string;
  /** For each shard the nodes of its copies, the primary first. */
  readonly shards: readonly (readonly string[])[];
  readonly mapping?: Record<string, unknown>;
  readonly aliases?: IndexMetadata['aliases'];
  readonly settings?: IndexMetadata['settings'];
  readonly state?: 'open' | 'close';
}

function metadata(index: FakeIndex): IndexMetadata {
  const count = index.shards.length;
  return {
    name: index.name,
    uuid: `${index.name}-uuid`,
    state: index.state ?? 'open',
    settings: index.settings ?? {},
    mapping: index.mapping ?? {},
    aliases: index.aliases ?? {},
    version: 1,
    mappingVersion: 1,
    settingsVersion: 1,
    aliasesVersion: 1,
    numberOfShards: count,
    numberOfRoutingShards: count * 8,
    routingPartitionSize: 1,
    numberOfReplicas: index.shards[0]!.length - 1,
    primaryTerms: index.shards.map(() => 1),
    inSync: index.shards.map(() => []),
  };
}

function copies(index: FakeIndex, shard: number): ShardRouting[] {
  return index.shards[shard]!.map((nodeId, i) => ({
    indexUuid: `${index.name}-uuid`,
    shard,
    primary: i === 0,
    state: 'STARTED',
    nodeId,
    relocatingNodeId: null,
    allocationId: `${shard}-${i}`,
    recoverySource: null,
    unassigned: null,
  }));
}

/** Makes a cluster state with these indices, all shards started. */
export function stateWith(indices: readonly FakeIndex[], change: Partial<ClusterState> = {}): ClusterState {
  const metas = indices.map(metadata);
  return {
    ...emptyState(),
    version: 1,
    indices: new Map(metas.map((meta) => [meta.uuid, meta])),
    routing: new Map(
      indices.map((index) => [`${index.name}-uuid`, index.shards.map((_, shard) => copies(index, shard))]),
    ),
    ...change,
  };
}

const NEVER = new AbortController().signal;

/** What the shards of a node answer; calls, and what is not for shards, are `other`'s. */
function answersOf(shards: FakeShards, nodeId: string): (action: string, payload: Uint8Array) => Promise<Uint8Array> {
  const other = (action: string, payload: Uint8Array): Uint8Array | Promise<Uint8Array> => {
    if (shards.other) return shards.other(action, nodeId, payload);
    throw errors.illegalArgument(`unknown action [${action}]`);
  };
  const { call: _, ...methods } = messages.methods;
  const known = answerers<Omit<messages.ShardHandlers, 'call'>>(methods, {
    bulk: (request) => shards.bulk!(request, nodeId),
    get: (request) => shards.get!(request, nodeId),
    query: (request) => shards.query!(request, nodeId),
    fetch: (request) => shards.fetch!(request, nodeId),
    openContexts: (request) => shards.open!(request, nodeId),
    canMatch: (request) => shards.canMatch!(request, nodeId),
    freeContexts: (request) => ({ freed: shards.free?.(request.contexts, nodeId) ?? 0 }),
  });
  return async (action, payload) => known.get(action)?.(payload, NEVER) ?? other(action, payload);
}

function localChannel(local: NonNullable<FakeShards['local']>): LocalChannel {
  return {
    actions: new Set([messages.methods.query.action, messages.methods.fetch.action]),
    request: async (action, message) => local(action, message),
  };
}

/** Makes a coordinator over shards that a test plays. `onTask` plays the master; `memory` sets limits. */
export function fakeCoordinator(
  initial: ClusterState,
  shards: FakeShards,
  onTask: (task: string, body: unknown, state: ClusterState) => ClusterState = (_, __, state) => state,
  memory: Partial<CoordinatorMemory> = {},
): Coordinator & {
  readonly clock: ReturnType<typeof fakeClock>;
  apply(next: ClusterState): void;
  closeCluster(): void;
} {
  let state = initial;
  let isClosed = false;
  const clock = fakeClock();
  const channel = (nodeId: string): Channel => ({
    request: answersOf(shards, nodeId),
    ...(shards.local ? { local: localChannel(shards.local) } : {}),
  });
  const coordinator = createCoordinator({
    cluster: {
      state: () => state,
      submit: async (task, body) => {
        state = onTask(task, body, state);
        return { acknowledged: true };
      },
      waitFor: async (condition, timeoutMs) => {
        if (!condition(state) && !isClosed) clock.advance(timeoutMs);
        return condition(state);
      },
    },
    channel,
    localNodeId: 'n1',
    ephemeralId: 'start-1',
    clock,
    random: seededRandom(7),
    log: silentLog,
    memory,
  });
  return { ...coordinator, clock, apply: (next) => void (state = next), closeCluster: () => void (isClosed = true) };
}

/** A call without task, with security off. */
export const CALL: CallContext = {
  signal: new AbortController().signal,
  opaqueId: null,
  withType: false,
  subject: EVERYBODY,
};

/** Parses the JSON of an answer. */
export function jsonOf(given: { readonly chunks: JsonAnswer['chunks'] }): unknown {
  return JSON.parse(Buffer.concat(given.chunks).toString('utf8'));
}

/** Returns status, type and reason of the error of a call. */
export async function failure(
  run: () => Promise<unknown>,
): Promise<{ status: number; type: string; reason: string | null }> {
  try {
    await run();
  } catch (error) {
    const { status, type, reason } = error as { status: number; type: string; reason: string | null };
    return { status, type, reason };
  }
  throw new Error('the call did not fail');
}

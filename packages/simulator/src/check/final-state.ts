import { clusterHealth, type ClusterState, type IndexMetadata, routeDocument } from '@shoal/state';
import { isApiError } from '@shoal/errors';
import { errorOf, shard as messages } from '@shoal/protocol';
import type { SimulatedNode } from '../cluster/simulated-node.js';
import type { World } from '../cluster/world.js';
import { callOf } from '../workload/enter.js';
import { isWorkload, jsonOf, searchOf } from '../workload/requests.js';
import type { FoundDocument } from './document-history.js';

/** Limits of the design after healing, in milliseconds of virtual time. */
export const MASTER_MS = 10_000;
/** Limit for active primaries, in milliseconds of virtual time. */
export const ACTIVE_MS = 60_000;
const GREEN_MS = 120_000;
const STEP_MS = 500;
const READS_MS = 60_000;

const shownCopies = (state: ClusterState): string =>
  [...state.routing.values()]
    .flat(2)
    .filter(({ state: copy }) => copy !== 'STARTED')
    .map(
      (copy) =>
        `[${state.indices.get(copy.indexUuid)?.name}][${copy.shard}] ${copy.primary ? 'primary' : 'replica'} ` +
        `${copy.state} on ${copy.nodeId} (${copy.recoverySource}) ${copy.unassigned?.reason ?? ''} ` +
        `${copy.unassigned?.status ?? ''} ${copy.unassigned?.failedAttempts ?? 0} ${copy.unassigned?.details ?? ''}`,
    )
    .join('; ');

/** Whether all nodes follow the same master. */
function isLed(world: World): boolean {
  const masters = new Set(world.nodes.map((node) => node.running?.cluster.state().masterNodeId ?? null));
  return masters.size === 1 && !masters.has(null);
}

function stateOf(world: World): ClusterState {
  const states = world.nodes.flatMap((node) => node.running?.cluster.state() ?? []);
  return states.reduce((a, b) => (b.version > a.version ? b : a));
}

/** Whether a shard may stay without a started copy: all its in-sync copies may have been damaged. */
const isExcused = (world: World, uuid: string, shard: number): boolean => world.copies.wasDamaged(uuid, shard);

function inactivePrimaries(world: World): string[] {
  const state = stateOf(world);
  return [...state.indices.values()].flatMap((meta) =>
    (state.routing.get(meta.uuid) ?? []).flatMap((copies, shard) =>
      copies.some((copy) => copy.primary && (copy.state === 'STARTED' || copy.state === 'RELOCATING')) ||
      isExcused(world, meta.uuid, shard)
        ? []
        : [`[${meta.name}][${shard}]`],
    ),
  );
}

function isGreen(world: World): boolean {
  const state = stateOf(world);
  if (clusterHealth(state).status === 'green') return true;
  return (
    world.plan.decisions.some(({ kind }) => kind === 'bitFlip' || kind === 'lostWrite') &&
    inactivePrimaries(world).length === 0
  );
}

/** Lets time pass until a condition holds. Returns false if it does not within the limit. */
export function passUntil(world: World, limitMs: number, condition: () => boolean): boolean {
  const end = world.loop.now + limitMs;
  while (world.loop.now < end && world.violations.length === 0) {
    if (condition()) return true;
    world.run(world.loop.now + STEP_MS);
  }
  // A violation meanwhile has already been reported.
  return world.violations.length > 0 || condition();
}

/** Checks after healing: a master, active shards, all copies, empty queues (I35; docs/internals/cluster.md §12). */
export function checkConvergence(world: World): void {
  if (world.violations.length > 0) return;
  if (!passUntil(world, MASTER_MS, () => isLed(world))) {
    const seen = world.nodes
      .map(
        (node) =>
          `${node.name}: ${node.running ? (node.running.cluster.state().masterNodeId ?? 'no master') : 'not up'}`,
      )
      .join(', ');
    return world.violate('liveness', `no common master ${MASTER_MS} ms after healing: ${seen}`);
  }
  if (!passUntil(world, ACTIVE_MS, () => isLed(world) && inactivePrimaries(world).length === 0))
    return world.violate(
      'I35',
      `no active primary of ${inactivePrimaries(world).join()}: ${shownCopies(stateOf(world))}`,
    );
  if (!passUntil(world, GREEN_MS, () => isLed(world) && isGreen(world)))
    return world.violate('liveness', `not green: ${shownCopies(stateOf(world))}`);
  const { version } = stateOf(world);
  if (
    !passUntil(world, MASTER_MS, () =>
      world.nodes.every((node) => (node.running?.cluster.state().version ?? 0) >= version),
    )
  )
    world.violate('liveness', `a node does not apply version ${version}`);
}

/**
 * Runs async work as an event of the world and passes time until it is done. Returns null if it failed, which was
 * reported.
 */
export function perform<T>(world: World, what: string, work: () => Promise<T>): T | null {
  let result: { readonly value: T } | null = null;
  let failure: unknown = null;
  world.after(0, () => {
    work().then(
      (value) => void (result = { value }),
      (error: unknown) => void (failure = error),
    );
  });
  passUntil(world, READS_MS, () => result !== null || failure !== null);
  if (failure !== null)
    world.violate('liveness', `${what}: ${failure instanceof Error ? failure.stack : String(failure)}`);
  else if (result === null) world.violate('I38', `${what} has no answer after ${READS_MS} ms`);
  return (result as { readonly value: T } | null)?.value ?? null;
}

/** Opens indices that the workload left closed. They must be green and have their documents once they are open. */
export function openIndices(world: World): void {
  if (world.violations.length > 0) return;
  const closed = [...stateOf(world).indices.values()].flatMap((meta) => (meta.state === 'close' ? [meta.uuid] : []));
  if (closed.length === 0) return;
  perform(world, 'opening closed indices', () =>
    world.nodes[0]!.running!.cluster.submit(
      'open-index',
      { uuids: closed },
      { timeoutMs: READS_MS, masterTimeoutMs: READS_MS },
    ),
  );
  checkConvergence(world);
}

async function readCopy(
  node: SimulatedNode,
  meta: IndexMetadata,
  shard: number,
  ids: readonly string[],
): Promise<FoundDocument[]> {
  const request = messages.encodeGetRequest({
    shard: { indexUuid: meta.uuid, shard },
    indexName: meta.name,
    realtime: true,
    refresh: false,
    items: ids.map((id) => ({
      id,
      versionType: 0,
      routing: undefined,
      version: undefined,
    })),
  });
  const answer = await node.running!.handle(messages.methods.get.action, request, new AbortController().signal);
  return messages.decodeGetResponse(answer).items.map((item) => {
    if (item.error) throw errorOf(item.error);
    const source = item.source ? (JSON.parse(Buffer.from(item.source).toString('utf8')) as { v: number }) : null;
    return { found: item.found, opId: source?.v ?? 0, seqNo: item.seqNo, term: item.primaryTerm };
  });
}

interface ReadCopy {
  readonly node: SimulatedNode;
  readonly isPrimary: boolean;
  /** Documents; null if this read has discovered that the copy is damaged. */
  readonly found: readonly FoundDocument[] | null;
}

/** Reads a copy. Undiscovered damage shows as an error; an undamaged copy must not fail. */
async function readOrNotice(
  world: World,
  node: SimulatedNode,
  meta: IndexMetadata,
  shard: number,
  ids: readonly string[],
): Promise<Pick<ReadCopy, 'found'>> {
  try {
    return { found: await readCopy(node, meta, shard, ids) };
  } catch (error) {
    const isCorrupt = isApiError(error)
      ? error.type === 'corrupt_index_exception'
      : String(error).includes('corrupt_index_exception');
    if (isCorrupt && world.copies.isDamaged(meta.uuid, shard, node.id)) return { found: null };
    throw error;
  }
}

/** Reads the copies of a shard; null if a violation was reported. */
function readCopies(world: World, meta: IndexMetadata, shard: number, ids: readonly string[]): ReadCopy[] | null {
  const copies = stateOf(world)
    .routing.get(meta.uuid)!
    [shard]!.filter(({ state, nodeId }) => (state === 'STARTED' || state === 'RELOCATING') && nodeId !== null);
  const read: ReadCopy[] = [];
  for (const copy of copies) {
    const node = world.nodes.find(({ id }) => id === copy.nodeId)!;
    const answer = perform(world, `reading [${meta.name}][${shard}] on ${node.name}`, () =>
      readOrNotice(world, node, meta, shard, ids),
    );
    if (answer === null) return null;
    read.push({ node, isPrimary: copy.primary, found: answer.found });
  }
  return read;
}

/**
 * Reads every copy of a shard. If copies discover that they are damaged, waits for their replacement and reads all
 * again.
 */
function readWholeCopies(world: World, meta: IndexMetadata, shard: number, ids: readonly string[]): ReadCopy[] {
  for (const _attempt of world.nodes) {
    const read = readCopies(world, meta, shard, ids);
    if (read === null) return [];
    if (read.every(({ found }) => found !== null)) return read;
    passUntil(world, GREEN_MS, () =>
      stateOf(world)
        .routing.get(meta.uuid)!
        [shard]!.every(({ state }) => state === 'STARTED'),
    );
    if (inactiveShard(stateOf(world), meta.uuid, shard)) return [];
  }
  world.violate('I30', `[${meta.name}][${shard}]: damaged copies are not replaced`);
  return [];
}

/**
 * Checks the documents of a shard: all copies have the same (I20), and they match the history of acknowledged writes.
 */
function checkShard(world: World, meta: IndexMetadata, shard: number, ids: readonly string[]): number {
  const read = readWholeCopies(world, meta, shard, ids);
  const primary = read.find(({ isPrimary }) => isPrimary)?.found ?? [];
  for (const { node, isPrimary, found } of read)
    if (!isPrimary) compare(world, `[${meta.name}][${shard}] on ${node.name}`, ids, primary, found!);
  ids.forEach((id, i) => {
    const key = { place: `${meta.uuid}/${id}`, document: `${meta.name}/${id}` };
    if (primary[i]) world.documents.final(key, primary[i]);
  });
  return primary.filter(({ found }) => found).length;
}

function compare(
  world: World,
  where: string,
  ids: readonly string[],
  primary: readonly FoundDocument[],
  found: readonly FoundDocument[],
): void {
  for (const [i, mine] of found.entries()) {
    const theirs = primary[i];
    if (!theirs) return;
    if (
      mine.found === theirs.found &&
      (!mine.found || (mine.opId === theirs.opId && mine.seqNo === theirs.seqNo && mine.term === theirs.term))
    )
      continue;
    world.violate('I20', `${where}: ${ids[i]} is ${JSON.stringify(mine)}, on the primary ${JSON.stringify(theirs)}`);
  }
}

function checkSearch(world: World, meta: IndexMetadata, live: number): void {
  const index = Number(meta.name.slice(1));
  const { coordinator } = world.nodes[index % world.nodes.length]!.running!;
  const total = perform(world, `searching [${meta.name}]`, async () => {
    await coordinator.refresh([meta]);
    const answer = jsonOf((await coordinator.search(searchOf(meta.name), callOf())).chunks) as {
      hits: { total: { value: number } };
      _shards: { failed: number };
    };
    return answer._shards.failed > 0 ? -1 : answer.hits.total.value;
  });
  if (total !== null && total !== live)
    world.violate('I20', `[${meta.name}] has ${live} documents, a search finds ${total}`);
}

/** Checks every document of every index, in every copy and by search. */
export function checkDocuments(world: World): void {
  const state = stateOf(world);
  for (const meta of [...state.indices.values()].filter(isWorkload)) {
    const ids = world.documents.idsOf(meta.name);
    const isWhole = meta.inSync.every((_, shard) => !isExcused(world, meta.uuid, shard));
    let live = 0;
    for (let shard = 0; shard < meta.numberOfShards && world.violations.length === 0; shard++) {
      if (isExcused(world, meta.uuid, shard) && inactiveShard(state, meta.uuid, shard)) continue;
      live += checkShard(
        world,
        meta,
        shard,
        ids.filter((id) => routeDocument(meta, id, null) === shard),
      );
    }
    if (isWhole && world.violations.length === 0) checkSearch(world, meta, live);
  }
  world.documents.finish();
}

const inactiveShard = (state: ClusterState, uuid: string, shard: number): boolean =>
  !state.routing.get(uuid)?.[shard]?.some(({ primary, state: copy }) => primary && copy === 'STARTED');

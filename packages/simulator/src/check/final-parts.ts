import { isApiError } from '@shoal/errors';
import type { SimulatedNode } from '../cluster/simulated-node.js';
import { REPOSITORY } from '../cluster/repository.js';
import type { World } from '../cluster/world.js';
import { admitted, callOf } from '../workload/enter.js';
import { jsonOf, searchOf } from '../workload/requests.js';
import { perform } from './final-state.js';
import type { IssuedKey } from './key-history.js';
import type { TakenSnapshot } from './snapshot-history.js';

const KEYS_INDEX = '.security-7';

/** What nodes still do or count for requests, in words. */
function* workLeft(world: World): Generator<string> {
  for (const { name, running } of world.nodes) {
    if (!running) continue;
    const { work, limits } = running;
    for (const pool of ['search', 'get', 'write']) {
      const { active, queue } = work.pool(pool);
      if (active + queue > 0) yield `${name}: pool ${pool} has ${active} active and ${queue} queued`;
    }
    for (const stage of ['coordinating', 'primary', 'replica'] as const) {
      const { current } = limits.pressure[stage];
      if (current !== 0) yield `${name} still counts ${current} bytes of ${stage} writes`;
    }
  }
}

/** Whether a node works on requests. */
export const isBusy = (world: World): boolean => workLeft(world).next().done !== true;

/** Checks that pools are empty and no write holds memory when no request runs (I37). */
export function checkLimits(world: World): void {
  for (const what of workLeft(world)) world.violate('I37', what);
}

async function isAccepted(node: SimulatedNode, { authorization }: IssuedKey): Promise<boolean> {
  try {
    await admitted(node.running!, authorization);
    return true;
  } catch (error) {
    if (isApiError(error) && error.status === 401) return false;
    throw error;
  }
}

/** Checks that each valid API key works on every node, and each invalidated one on none. */
export function checkKeys(world: World): void {
  const index = [...(world.nodes[0]?.running?.cluster.state().indices.values() ?? [])].find(
    ({ name }) => name === KEYS_INDEX,
  );
  if (index && world.copies.wasDamagedAnywhere(index.uuid)) return;
  for (const key of world.keys.all) {
    if (key.validity === 'asked') continue;
    for (const node of world.nodes) {
      const isGood = perform(world, `showing a key to ${node.name}`, () => isAccepted(node, key));
      if (isGood !== null && isGood !== (key.validity === 'valid'))
        world.violate(
          'keys',
          `${node.name} ${isGood ? 'takes' : 'refuses'} the key ${key.id}, which is ${key.validity}`,
        );
    }
  }
}

interface RestoredHit {
  readonly _id: string;
  readonly _source: { readonly v: number };
}

async function restored(world: World, { name }: TakenSnapshot): Promise<readonly RestoredHit[]> {
  const { snapshots, coordinator } = world.nodes[0]!.running!;
  const info = (await snapshots.list(REPOSITORY)).find((one) => one.name === name);
  if (!info) throw new Error('it is not listed');
  const target = `restored-${name}`;
  const indices = info.indices.map((from) => ({ from, name: target, settings: from.settings, aliases: from.aliases }));
  const { failed } = await snapshots.restore(REPOSITORY, info, indices);
  if (failed > 0) throw new Error(`${failed} shards of it could not be restored`);
  const answer = jsonOf((await coordinator.search(searchOf(target), callOf())).chunks) as {
    hits: { hits: readonly RestoredHit[] };
  };
  return answer.hits.hits;
}

/** Checks that each complete snapshot can be restored, and contains the writes acknowledged before it was requested. */
export function checkSnapshots(world: World): void {
  for (const taken of world.snapshots.taken) {
    if (world.snapshots.doomed.has(taken.name)) continue;
    const hits = perform(world, `restoring ${taken.name}`, () => restored(world, taken));
    if (hits === null) return;
    const found = new Map(hits.map(({ _id, _source }) => [`${taken.indexUuid}/${_id}`, _source.v]));
    for (const write of taken.writes) {
      const opId = found.get(write.place);
      const isMissing = opId === undefined && !world.documents.mayBeGone(write);
      if (isMissing || (opId !== undefined && world.documents.isBefore(opId, write)))
        world.violate(
          'snapshots',
          `${taken.name} has ${write.place} of write ${opId ?? 'none'}, not of #${write.opId}`,
        );
    }
  }
}

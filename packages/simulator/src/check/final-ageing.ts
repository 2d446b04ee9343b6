import { dataStream, type IndexMetadata, operationMode, type ClusterState } from '@shoal/state';
import { REPOSITORY } from '../cluster/repository.js';
import type { World } from '../cluster/world.js';
import { type Ageing, GONE, KEPT } from '../workload/ageing.js';
import { callOf } from '../workload/enter.js';
import { jsonOf, searchOf } from '../workload/requests.js';
import { passUntil, perform } from './final-state.js';

/** How long policies may take to their end after healing, in milliseconds of virtual time. */
const SETTLED_MS = 180_000;
/**
 * Time for which policies must find nothing to do: three looks at sizes. A stream that was not rolled over yet, as the
 * repository or a disk had held its documents up, has nothing but its write index, as at the end.
 */
const QUIET_MS = 3000;
/** Pause before a search that some shard did not answer is repeated. */
const SEARCH_AGAIN_MS = 100;

const stateOf = (world: World): ClusterState => world.nodes[0]!.running!.cluster.state();

/** Backing indices of a stream, the write index last. */
function backing(state: ClusterState, stream: string): readonly IndexMetadata[] {
  return (dataStream(state, stream)?.indices ?? []).flatMap((uuid) => state.indices.get(uuid) ?? []);
}

const isComplete = ({ lifecycle }: IndexMetadata, phase: string): boolean =>
  lifecycle?.phase === phase && lifecycle.step === 'complete';

/** Whether policies have nothing left to do: what is kept is in its last phase, all else is deleted. */
function isSettled(state: ClusterState): boolean {
  const last = backing(state, KEPT).slice(0, -1);
  const phases = [...new Set(last.map(({ lifecycle }) => lifecycle?.phase))];
  return (
    backing(state, GONE).length <= 1 &&
    last.every((meta) => ['warm', 'cold', 'frozen'].some((phase) => isComplete(meta, phase))) &&
    phases.length <= 1
  );
}

/** Waits until policies are at their end and stay there. */
function hasSettled(world: World): boolean {
  const isDone = (): boolean => isSettled(stateOf(world));
  for (const untilMs = world.loop.now + SETTLED_MS; world.loop.now < untilMs; ) {
    if (!passUntil(world, untilMs - world.loop.now, isDone)) return false;
    if (!passUntil(world, QUIET_MS, () => !isDone())) return true;
  }
  return world.violations.length > 0;
}

const shown = (state: ClusterState): string =>
  [KEPT, GONE]
    .flatMap((stream) => backing(state, stream))
    .map(({ name, lifecycle }) => `${name} ${JSON.stringify(lifecycle)}`)
    .join('; ');

/**
 * Checks indices that age, after all has healed: policies come to their end, no document of an index that stays is
 * lost or doubled, and a repository has what its snapshots need and nothing else after a cleanup.
 */
export function checkAgeing(world: World, ageing: Ageing): void {
  if (!ageing.isMade) return;
  if (!hasSettled(world))
    return world.violate('ageing', `policies have not ended ${SETTLED_MS} ms after healing: ${shown(stateOf(world))}`);
  checkStray(world);
  for (const stream of [KEPT, GONE]) if (world.violations.length === 0) checkStream(world, ageing, stream);
  if (world.violations.length === 0) checkRepository(world);
}

/** Indices that a policy made on its way are in the stream in the end. */
function checkStray(world: World): void {
  const state = stateOf(world);
  const kept = new Set([KEPT, GONE].flatMap((stream) => backing(state, stream)).map(({ uuid }) => uuid));
  for (const { name, uuid } of state.indices.values())
    if (/\.ds-/.test(name) && !name.startsWith('again-') && !kept.has(uuid))
      world.violate('ageing', `index ${name} is left over`);
}

interface Found {
  readonly hits: { readonly hits: readonly { readonly _id: string; readonly _index: string }[] };
  readonly _shards: { readonly failed: number };
}

/** Searches a stream until all shards answer: those of an index that a rollover has just made open yet. */
async function searchWhole(world: World, stream: string): Promise<Found['hits']['hits']> {
  const { coordinator, cluster } = world.nodes[0]!.running!;
  for (;;) {
    await coordinator.refresh(backing(cluster.state(), stream));
    const answer = jsonOf((await coordinator.search(searchOf(stream), callOf())).chunks) as Found;
    if (answer._shards.failed === 0) return answer.hits.hits;
    await new Promise<void>((resolve) => world.after(SEARCH_AGAIN_MS, resolve));
  }
}

function checkStream(world: World, ageing: Ageing, stream: string): void {
  const found = perform(world, `searching ${stream}`, () => searchWhole(world, stream));
  if (found === null) return;
  const ids = new Set(found.map(({ _id }) => _id));
  if (ids.size < found.length) world.violate('ageing', `${stream} has documents twice`);
  const foreign = [...ids].find((id) => !ageing.sent.get(stream)!.has(id));
  if (foreign !== undefined) world.violate('ageing', `${stream} has ${foreign}, which nobody sent`);
  const lost = [...ageing.acked.get(stream)!].filter((id) => !ids.has(id));
  if (stream === KEPT && lost.length > 0)
    world.violate('ageing', `${stream} lacks ${lost.join()}: ${shown(stateOf(world))}`);
}

/** Ends the schedule, cleans the repository, and looks at what it has. */
function checkRepository(world: World): void {
  const { cluster, snapshots } = world.nodes[0]!.running!;
  perform(world, 'stopping the schedule', () =>
    cluster.submit('set-operation-mode', { service: 'slm', mode: 'STOPPING' }),
  );
  if (!passUntil(world, SETTLED_MS, () => operationMode(stateOf(world), 'slm') === 'STOPPED'))
    return world.violate('ageing', 'the schedule of snapshots does not stop');
  const all = perform(world, 'listing snapshots', () => snapshots.list(REPOSITORY));
  for (const { name, metadata } of all ?? [])
    if ((metadata as { policy?: string } | null)?.policy === GONE && !/^c\d/.test(name))
      world.violate('ageing', `snapshot ${name} of an index that its policy deleted is left over`);
  perform(world, 'cleaning the repository', () => snapshots.cleanup(REPOSITORY));
  const { strays } = world.blobs;
  if (strays.length > 0) world.violate('blobs', `after a cleanup no snapshot needs ${strays.slice(0, 5).join()}`);
}

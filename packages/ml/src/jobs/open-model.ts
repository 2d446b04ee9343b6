import type { Value } from '@shoal/codec';
import type { KeptGeneration } from '../checkpoint/checkpoint-store.js';
import type { MlDoors } from '../ml-doors.js';
import type { JobSurroundings, StoredJob } from './stored-job.js';

/** Opens the model of a job with a state that is kept, which is read and handed over piece by piece. */
export async function openModel(
  { checkpoints, room, clock, modelBytes: mostBytes }: MlDoors,
  { id, json }: StoredJob,
  state: KeptGeneration | null,
  surroundings: JobSurroundings,
): Promise<void> {
  let pieces = 0;
  try {
    if (state !== null)
      for await (const bytes of checkpoints.packedState(id, state))
        await room.call('state', { id, piece: pieces++, bytes });
    const opened = { id, config: json, ...surroundings, pieces, nowMs: clock.now(), mostBytes };
    await room.call('open', opened as unknown as Value);
  } catch (error) {
    // The pieces that were handed over are of no use.
    await room.call('close', { id }).catch(() => undefined);
    throw error;
  }
}

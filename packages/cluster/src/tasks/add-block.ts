import { checkIndexBlocks } from '@shoal/state';
import { refreshBlocks } from '../metadata/refresh-blocks.js';
import { withIndices } from '../metadata/edit-state.js';
import { defineTask } from './task.js';

/** Body of `addBlock`. */
export interface AddBlockBody {
  readonly uuids: readonly string[];
  readonly block: 'write' | 'read' | 'read_only' | 'metadata';
}

/** Adds a block to indices. */
export const addBlock = defineTask<AddBlockBody>({
  name: 'add-block',
  priority: 'URGENT',
  source: ({ block, uuids }) => `add-index-block-[${block}]-[${uuids.join(',')}]`,
  apply(state, { uuids, block }) {
    const metas = uuids.flatMap((uuid) => state.indices.get(uuid) ?? []);
    // Blocks of metadata may be added on top of each other: they are those that could not be removed otherwise.
    if (block === 'write' || block === 'read') checkIndexBlocks(state, metas, 'metadata_write');
    const blocked = metas.map((meta) => ({
      ...meta,
      settings: { ...meta.settings, [`index.blocks.${block}`]: 'true' },
      version: meta.version + 1,
      settingsVersion: meta.settingsVersion + 1,
    }));
    const indices = metas.map((meta) => ({ name: meta.name, blocked: true }));
    return {
      state: refreshBlocks(withIndices(state, blocked), uuids),
      answer: { acknowledged: true, shards_acknowledged: indices.length > 0, indices },
    };
  },
});

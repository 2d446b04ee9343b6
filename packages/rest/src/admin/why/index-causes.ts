import type { IndexMetadata } from '@shoal/state';
import { type Cause, indexSettings, inPath } from './cause.js';

/** What each index block forbids. */
const BLOCKS: readonly (readonly [setting: string, why: string])[] = [
  [
    'index.blocks.read_only_allow_delete',
    'it cannot be written to, only deleted: a disk was over its flood stage, or somebody set it',
  ],
  ['index.blocks.read_only', 'neither documents nor metadata can be changed'],
  ['index.blocks.write', 'documents cannot be written'],
  ['index.blocks.read', 'documents cannot be read'],
  ['index.blocks.metadata', 'its metadata can be neither read nor changed'],
];

/** Copies that enrich policies make are never written to: nothing keeps anybody from anything. */
const isMeant = ({ name }: IndexMetadata, setting: string): boolean =>
  setting === 'index.blocks.write' && name.startsWith('.enrich-');

function blocks(meta: IndexMetadata): Cause[] {
  const set = BLOCKS.filter(([name]) => String(meta.settings[name]) === 'true' && !isMeant(meta, name));
  return set.map(
    ([setting, why]): Cause => ({
      severity: 'blocked',
      about: `index ${meta.name}`,
      index: meta.name,
      why: `${why}: [${setting}] is on`,
      ...(setting === 'index.blocks.read_only_allow_delete'
        ? { advice: 'make room on the disk first: the block goes by itself once the disk is below its high watermark' }
        : {}),
      mend: [indexSettings('takes the block away', meta.name, { [setting]: null })],
    }),
  );
}

function closed(meta: IndexMetadata): Cause[] {
  if (meta.state === 'open') return [];
  return [
    {
      severity: 'blocked',
      about: `index ${meta.name}`,
      index: meta.name,
      why: 'it is closed: it can be neither searched nor written to',
      mend: [{ does: 'opens it', method: 'POST', path: `/${inPath(meta.name)}/_open` }],
    },
  ];
}

/** Causes in indices themselves, such as blocks, even if all shards have started. */
export function indexCauses(metas: readonly IndexMetadata[]): Cause[] {
  return metas.flatMap((meta) => [...closed(meta), ...blocks(meta)]);
}

import { errors } from '@shoal/errors';
import {
  aliasIndex,
  type ClusterState,
  type DataStream,
  dataStream,
  dataStreamOf,
  type IndexMetadata,
  nameIndex,
  writeIndexOf,
} from '@shoal/state';
import { withEntry, withIndex } from '../metadata/edit-state.js';
import { dataStreamTemplate } from '../metadata/create-data-stream-state.js';
import { composeIndexTemplate } from '../templates/compose.js';
import { checkTimestamp } from './modify-data-streams.js';
import { ACKNOWLEDGED, defineTask } from './task.js';

/** Body of `setStreamLifecycle`. */
export interface SetStreamLifecycleBody {
  readonly names: readonly string[];
  /** Null removes it. */
  readonly lifecycle: Readonly<Record<string, unknown>> | null;
}

/** Sets or removes the lifecycle of data streams. */
export const setStreamLifecycle = defineTask<SetStreamLifecycleBody>({
  name: 'set-stream-lifecycle',
  priority: 'HIGH',
  source: ({ names }) => `data-lifecycle-update-setting [${names.join(',')}]`,
  apply(state, { names, lifecycle }) {
    let next = state;
    for (const name of names) {
      const known = dataStream(next, name);
      if (!known) continue;
      const { lifecycle: _old, ...rest } = known;
      next = withEntry(next, 'dataStreams', name, lifecycle === null ? rest : { ...rest, lifecycle });
    }
    return { state: next, answer: ACKNOWLEDGED };
  },
});

/** Takes the alias from an index, and hides it as a backing index. */
function asBacking(meta: IndexMetadata, alias: string): IndexMetadata {
  const { [alias]: _moved, ...aliases } = meta.aliases;
  return {
    ...meta,
    aliases,
    settings: { ...meta.settings, 'index.hidden': 'true' },
    version: meta.version + 1,
    aliasesVersion: meta.aliasesVersion + 1,
    settingsVersion: meta.settingsVersion + 1,
  };
}

function membersOf(state: ClusterState, alias: string): readonly IndexMetadata[] {
  const members = aliasIndex(state).get(alias);
  if (!members) throw errors.illegalArgument(`alias [${alias}] does not exist`);
  const metas = [...members];
  if (metas.some((meta) => dataStreamOf(state, meta.uuid)))
    throw errors.illegalArgument(`alias [${alias}] is an alias of a data stream`);
  const filtered = metas.find(({ aliases }) => aliases[alias]!.filter || aliases[alias]!.searchRouting);
  if (filtered) throw errors.illegalArgument(`alias [${alias}] may not have custom filtering or routing`);
  for (const meta of metas) checkTimestamp(meta);
  return metas;
}

/** Makes a data stream of an alias: its indices become backing indices, the write index the last one. */
export const migrateToDataStream = defineTask<{ readonly alias: string }>({
  name: 'migrate-to-data-stream',
  priority: 'HIGH',
  source: ({ alias }) => `migrate-to-data-stream-[${alias}]`,
  apply(state, { alias }) {
    const members = membersOf(state, alias);
    const found = aliasIndex(state).get(alias)!;
    const write = writeIndexOf(found, alias);
    if (!write) throw errors.illegalArgument(`alias [${alias}] must specify a write index`);
    if (nameIndex(state).has(alias)) throw errors.illegalArgument(`alias [${alias}] is the name of an index`);
    const { name: templateName, template } = dataStreamTemplate(state, alias);
    const others = members.filter(({ uuid }) => uuid !== write.uuid).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    let next = state;
    for (const meta of members) next = withIndex(next, asBacking(meta, alias));
    const { lifecycle } = composeIndexTemplate(state, template);
    const stream: DataStream = {
      name: alias,
      indices: [...others, write].map(({ uuid }) => uuid),
      generation: members.length,
      hidden: template.dataStream?.hidden ?? false,
      allowCustomRouting: template.dataStream?.allowCustomRouting ?? false,
      template: templateName,
      ...(template.meta ? { meta: template.meta } : {}),
      ...(lifecycle ? { lifecycle } : {}),
    };
    return { state: withEntry(next, 'dataStreams', alias, stream), answer: ACKNOWLEDGED };
  },
});

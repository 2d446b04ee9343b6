import { errors } from '@shoal/errors';
import { type ClusterState, section, sectionEntry } from '@shoal/state';
import { selectNames } from '@shoal/values';
import { withEntry, withoutKeys, withSection } from '../metadata/edit-state.js';
import { ACKNOWLEDGED, defineTask } from './task.js';

/** Body of `putPipeline`. */
export interface PutPipelineBody {
  readonly name: string;
  /** Body of the pipeline, which the node of the request has compiled. */
  readonly value: Readonly<Record<string, unknown>>;
  /** Version that the pipeline must have now; null for any or none. */
  readonly ifVersion: number | null;
}

/** Stores a pipeline. */
export const putPipeline = defineTask<PutPipelineBody>({
  name: 'put-pipeline',
  priority: 'NORMAL',
  source: ({ name }) => `put-pipeline-${name}`,
  apply(state, { name, value, ifVersion }) {
    const known = sectionEntry(state, 'pipelines', name) as Record<string, unknown> | undefined;
    const stored = ifVersion === null ? value : nextVersion(name, { value, known, ifVersion });
    return { state: withEntry(state, 'pipelines', name, stored), answer: ACKNOWLEDGED };
  },
});

interface VersionedPut {
  readonly value: Readonly<Record<string, unknown>>;
  readonly known: Readonly<Record<string, unknown>> | undefined;
  readonly ifVersion: number;
}

/** Checks the version that a pipeline has, and gives one without a version the next. */
function nextVersion(name: string, { value, known, ifVersion }: VersionedPut): Readonly<Record<string, unknown>> {
  const conflict = `version conflict, required version [${ifVersion}] for pipeline [${name}] but`;
  if (known === undefined) throw errors.illegalArgument(`${conflict} no pipeline was found`);
  const version = known['version'] ?? null;
  if (version === null || Number(version) !== ifVersion)
    throw errors.illegalArgument(`${conflict} current version is [${String(version)}]`);
  const own = value['version'] ?? null;
  if (own === null) return { ...value, version: ifVersion + 1 };
  if (Number(own) === ifVersion)
    throw errors.illegalArgument(`cannot update pipeline [${name}] with the same version [${ifVersion}]`);
  return value;
}

/** Body of `deletePipelines`. */
export interface DeletePipelinesBody {
  /** A name, in which `*` stands for any characters. */
  readonly pattern: string;
}

/** Deletes the pipelines that a pattern matches, unless an index uses one of them. */
export const deletePipelines = defineTask<DeletePipelinesBody>({
  name: 'delete-pipelines',
  priority: 'NORMAL',
  source: ({ pattern }) => `delete-pipeline-${pattern}`,
  apply(state, { pattern }) {
    const pipelines = section(state, 'pipelines');
    const names = selectNames(Object.keys(pipelines), [pattern]);
    if (names.length === 0 && pattern !== '*') throw errors.resourceNotFound(`pipeline [${pattern}] is missing`);
    for (const name of names) checkNotUsed(state, name);
    return { state: withSection(state, 'pipelines', withoutKeys(pipelines, new Set(names))), answer: ACKNOWLEDGED };
  },
});

/** Indices that an error names. */
const NAMED_MAX = 3;

function checkNotUsed(state: ClusterState, name: string): void {
  const uses = ['default', 'final'].flatMap((kind) => {
    const indices = [...state.indices.values()].filter(({ settings }) => settings[`index.${kind}_pipeline`] === name);
    if (indices.length === 0) return [];
    const shown = indices.map((index) => index.name).sort();
    return `the ${kind} pipeline for ${indices.length} index(es) including [${shown.slice(0, NAMED_MAX).join(',')}]`;
  });
  if (uses.length === 0) return;
  throw errors.illegalArgument(`pipeline [${name}] cannot be deleted because it is ${uses.join(' and ')}`);
}

import { sectionEntry } from '../edit.js';
import { isTrue } from '../settings/index-settings.js';
import type { ClusterState, IndexMetadata } from '../state.js';
import { dataStreamOf } from './data-streams.js';
import type { StoredPolicy } from './lifecycle-execution.js';

/** Whether the work of a service on the elected master goes on. STOPPING ends in STOPPED once no step is half done. */
export type OperationMode = 'RUNNING' | 'STOPPING' | 'STOPPED';

const NO_POLICIES = {};

/** Returns the stored lifecycle policies by name. */
export function lifecyclePolicies(state: ClusterState): Readonly<Record<string, StoredPolicy>> {
  return (state.customs.get('lifecyclePolicies') ?? NO_POLICIES) as Readonly<Record<string, StoredPolicy>>;
}

/** Returns the mode of a service: `ilm`, `slm`, `ml`. */
export function operationMode(state: ClusterState, service: 'ilm' | 'slm' | 'ml'): OperationMode {
  const entry = sectionEntry(state, 'operationModes', service) as { readonly mode: OperationMode } | undefined;
  return entry?.mode ?? 'RUNNING';
}

/** Returns the name of the policy in the settings of an index; null if there is none. */
export function policyNameOf(meta: IndexMetadata): string | null {
  const name = meta.settings['index.lifecycle.name'];
  return typeof name === 'string' && name !== '' ? name : null;
}

/** What manages an index: its lifecycle policy, the lifecycle of its data stream, or nothing. */
export type ManagedBy = 'Index Lifecycle Management' | 'Data stream lifecycle' | 'Unmanaged';

/** Whether a lifecycle of a data stream is there and switched on. */
export function isEnabled(lifecycle: Readonly<Record<string, unknown>> | undefined): boolean {
  return lifecycle !== undefined && lifecycle['enabled'] !== false;
}

/** Returns what manages an index. With a policy and a lifecycle, `index.lifecycle.prefer_ilm` decides. */
export function managedBy(state: ClusterState, meta: IndexMetadata): ManagedBy {
  const hasPolicy = policyNameOf(meta) !== null;
  const streamHasLifecycle = isEnabled(dataStreamOf(state, meta.uuid)?.lifecycle);
  if (hasPolicy && (!streamHasLifecycle || isTrue(meta.settings, 'index.lifecycle.prefer_ilm')))
    return 'Index Lifecycle Management';
  return streamHasLifecycle ? 'Data stream lifecycle' : 'Unmanaged';
}

/** Returns the names of the indices whose settings name a policy, sorted. */
export function indicesOfPolicy(state: ClusterState, policy: string): string[] {
  const names = [...state.indices.values()].flatMap((meta) => (policyNameOf(meta) === policy ? [meta.name] : []));
  return names.sort();
}

import { errors } from '@shoal/errors';
import {
  type ClusterState,
  type FlatSettings,
  type IndexMetadata,
  lifecyclePolicies,
  type LifecyclePhase,
  operationMode,
  type StoredPolicy,
} from '@shoal/state';
import { withIndices, withoutKeys, withSection } from '../metadata/edit-state.js';
import { componentTemplates, indexTemplates, legacyTemplates } from '../templates/compose.js';
import { defineTask } from './task.js';

/** Body of `migrateToDataTiers`. */
export interface MigrateToDataTiersBody {
  /** Name of the attribute of nodes by which indices were allocated, such as `data`. */
  readonly attribute: string;
  readonly legacyTemplate: string | null;
}

/** What the migration changes, by names. */
export interface TierMigration {
  readonly removedLegacyTemplate: string | null;
  readonly policies: readonly string[];
  readonly indices: readonly string[];
  readonly legacyTemplates: readonly string[];
  readonly composableTemplates: readonly string[];
  readonly componentTemplates: readonly string[];
}

const PREFIX = 'index.routing.allocation';
const RULES = ['require', 'include', 'exclude'] as const;
const PREFERENCE = `${PREFIX}.include._tier_preference`;
/** Tiers from the newest data to the oldest; an index prefers its own and then the newer ones. */
const TIERS = ['hot', 'warm', 'cold', 'frozen'];

/** Settings without the rules of an attribute, and the tier that they stood for; null if there are none. */
function migrated(settings: FlatSettings, attribute: string): FlatSettings | null {
  const rules = RULES.map((rule) => `${PREFIX}.${rule}.${attribute}`).filter((name) => settings[name] !== undefined);
  if (rules.length === 0) return null;
  const at = TIERS.indexOf(
    String(settings[`${PREFIX}.require.${attribute}`] ?? settings[`${PREFIX}.include.${attribute}`]),
  );
  const preference = TIERS.slice(0, at + 1).reverse();
  const rest = withoutKeys(settings, new Set(rules));
  return at < 0 ? rest : { ...rest, [PREFERENCE]: preference.map((tier) => `data_${tier}`).join() };
}

function migratedPhase(phase: LifecyclePhase, attribute: string): LifecyclePhase | null {
  const { allocate, ...others } = phase.actions;
  if (allocate === undefined) return null;
  const rules = RULES.map((rule) => [rule, (allocate[rule] ?? {}) as Readonly<Record<string, unknown>>] as const);
  if (!rules.some(([, own]) => Object.hasOwn(own, attribute))) return null;
  const left = Object.fromEntries(rules.map(([rule, own]) => [rule, withoutKeys(own, new Set([attribute]))]));
  const isEmpty =
    allocate['number_of_replicas'] === undefined &&
    allocate['total_shards_per_node'] === undefined &&
    Object.values(left).every((own) => Object.keys(own).length === 0);
  return { ...phase, actions: isEmpty ? others : { ...others, allocate: { ...allocate, ...left } } };
}

function migratedPolicy(stored: StoredPolicy, attribute: string, nowMs: number): StoredPolicy | null {
  const changed = Object.entries(stored.policy.phases).map(
    ([name, phase]) => [name, migratedPhase(phase, attribute) ?? phase] as const,
  );
  if (changed.every(([name, phase]) => stored.policy.phases[name] === phase)) return null;
  const policy = { ...stored.policy, phases: Object.fromEntries(changed) };
  return { ...stored, policy, version: stored.version + 1, modifiedMs: nowMs };
}

/** Changes the entries of a section; returns the names of those that changed. */
function changeSection<T>(
  state: ClusterState,
  section: string,
  entries: Readonly<Record<string, T>>,
  change: (entry: T) => T | null,
): { readonly state: ClusterState; readonly names: readonly string[] } {
  const changed = Object.entries(entries).flatMap(([name, entry]): [string, T][] => {
    const next = change(entry);
    return next === null ? [] : [[name, next]];
  });
  const names = changed.map(([name]) => name).sort();
  if (names.length === 0) return { state, names };
  return { state: withSection(state, section, { ...entries, ...Object.fromEntries(changed) }), names };
}

interface WithTemplate {
  readonly template?: { readonly settings?: FlatSettings };
}

/** Changes the settings in the `template` of a composable or component template. */
function inTemplate<T extends WithTemplate>(attribute: string): (entry: T) => T | null {
  return (entry) => {
    const settings = migrated(entry.template?.settings ?? {}, attribute);
    return settings === null ? null : { ...entry, template: { ...entry.template, settings } };
  };
}

function migratedIndex(meta: IndexMetadata, attribute: string): IndexMetadata | null {
  const settings = migrated(meta.settings, attribute);
  if (settings === null) return null;
  return { ...meta, settings, version: meta.version + 1, settingsVersion: meta.settingsVersion + 1 };
}

/** Returns the state in which nothing is allocated by an attribute any more, and what that changes. */
export function tierMigration(
  state: ClusterState,
  { attribute, legacyTemplate }: MigrateToDataTiersBody,
  nowMs: number,
): { readonly state: ClusterState; readonly migration: TierMigration } {
  const own = legacyTemplates(state);
  const removes = legacyTemplate !== null && Object.hasOwn(own, legacyTemplate) ? legacyTemplate : null;
  const kept = removes === null ? own : withoutKeys(own, new Set([removes]));
  const base = removes === null ? state : withSection(state, 'legacyTemplates', kept);
  const policies = changeSection(base, 'lifecyclePolicies', lifecyclePolicies(base), (one) =>
    migratedPolicy(one, attribute, nowMs),
  );
  const legacy = changeSection(policies.state, 'legacyTemplates', kept, (one) => {
    const settings = migrated(one.settings, attribute);
    return settings === null ? null : { ...one, settings };
  });
  const composable = changeSection(legacy.state, 'indexTemplates', indexTemplates(state), inTemplate(attribute));
  const component = changeSection(
    composable.state,
    'componentTemplates',
    componentTemplates(state),
    inTemplate(attribute),
  );
  const metas = [...state.indices.values()].flatMap((meta) => migratedIndex(meta, attribute) ?? []);
  return {
    state: metas.length === 0 ? component.state : withIndices(component.state, metas),
    migration: {
      removedLegacyTemplate: removes,
      policies: policies.names,
      indices: metas.map(({ name }) => name).sort(),
      legacyTemplates: legacy.names,
      composableTemplates: composable.names,
      componentTemplates: component.names,
    },
  };
}

/** Takes the rules of an attribute of nodes from indices, policies and templates. Lifecycles must be stopped. */
export const migrateToDataTiers = defineTask<MigrateToDataTiersBody>({
  name: 'migrate-to-data-tiers',
  priority: 'HIGH',
  source: ({ attribute }) => `migrate-to-data-tiers [${attribute}]`,
  apply(state, body, { nowMs }) {
    const mode = operationMode(state, 'ilm');
    if (mode !== 'STOPPED')
      throw errors.refusedState(`stop ILM before migrating to data tiers, current state is [${mode}]`);
    const { state: next, migration } = tierMigration(state, body, nowMs);
    return { state: next, answer: migration, reroute: 'all' };
  },
});

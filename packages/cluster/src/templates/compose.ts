import { type AliasMetadata, type ClusterState, section, type FlatSettings } from '@shoal/state';
import { matchesAny } from '@shoal/values';
import { ownProperty } from '@shoal/json';
import type { ComponentTemplate, IndexTemplate, LegacyTemplate, TemplateBody } from './template.js';

/** Settings, mappings and aliases that templates give a new index. Later parts win; mappings are merged in order. */
export interface Composition {
  readonly settings: FlatSettings;
  readonly mappings: readonly Readonly<Record<string, unknown>>[];
  readonly aliases: Readonly<Record<string, AliasMetadata>>;
  readonly lifecycle: Readonly<Record<string, unknown>> | null;
  /** Whether the mappings are of legacy templates, which are merged as JSON (`mergeDefaults`). */
  readonly isLegacy?: boolean;
}

/** Returns the composable templates by name. */
export function indexTemplates(state: ClusterState): Readonly<Record<string, IndexTemplate>> {
  return section(state, 'indexTemplates') as Record<string, IndexTemplate>;
}

/** Returns the component templates by name. */
export function componentTemplates(state: ClusterState): Readonly<Record<string, ComponentTemplate>> {
  return section(state, 'componentTemplates') as Record<string, ComponentTemplate>;
}

/** Returns the legacy templates by name. */
export function legacyTemplates(state: ClusterState): Readonly<Record<string, LegacyTemplate>> {
  return section(state, 'legacyTemplates') as Record<string, LegacyTemplate>;
}

/** Composes template bodies; later ones win. */
export function compose(bodies: readonly TemplateBody[]): Composition {
  return {
    settings: Object.assign({}, ...bodies.map((body) => body.settings ?? {})) as FlatSettings,
    mappings: bodies.flatMap((body) => (body.mappings ? [body.mappings] : [])),
    aliases: Object.fromEntries(bodies.flatMap((body) => Object.entries(body.aliases ?? {}))),
    lifecycle: bodies.reduce<Readonly<Record<string, unknown>> | null>((last, body) => body.lifecycle ?? last, null),
  };
}

/** Composes a template with its component templates, in order of precedence. */
export function composeIndexTemplate(state: ClusterState, template: IndexTemplate): Composition {
  const components = (template.composedOf ?? []).flatMap(
    (name) => ownProperty(componentTemplates(state), name)?.template ?? [],
  );
  return compose(template.template ? [...components, template.template] : components);
}

/**
 * Returns the composable template of a new index: the one with the highest priority, then by name. Templates that match
 * all names do not apply to hidden indices.
 */
export function matchingTemplate(
  state: ClusterState,
  index: string,
  hidden: boolean,
): { name: string; template: IndexTemplate } | null {
  let best: { name: string; template: IndexTemplate } | null = null;
  for (const [name, template] of Object.entries(indexTemplates(state))) {
    if (!matchesAny(template.indexPatterns, index) || (hidden && template.indexPatterns.includes('*'))) continue;
    if (!best || (template.priority ?? 0) > (best.template.priority ?? 0)) best = { name, template };
  }
  return best;
}

/** Returns the legacy templates that match, lowest order first. */
export function matchingLegacyTemplates(state: ClusterState, index: string, hidden: boolean): LegacyTemplate[] {
  return Object.values(legacyTemplates(state))
    .filter(({ indexPatterns }) => matchesAny(indexPatterns, index) && !(hidden && indexPatterns.includes('*')))
    .sort((a, b) => a.order - b.order);
}

/** Returns what templates give a new index with this name. */
export function compositionFor(state: ClusterState, index: string, hidden: boolean): Composition {
  const match = matchingTemplate(state, index, hidden);
  if (match) return composeIndexTemplate(state, match.template);
  return { ...compose(matchingLegacyTemplates(state, index, hidden)), isLegacy: true };
}

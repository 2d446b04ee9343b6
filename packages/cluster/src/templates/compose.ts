import {
  type AliasMetadata,
  type ClusterState,
  matchesAny,
  ownProperty,
  section,
  type FlatSettings,
} from '@shoal/state';
import type { ComponentTemplate, IndexTemplate, LegacyTemplate, TemplateBody } from './template.js';

/** What templates say about a new index: later parts win, mappings are merged in order. */
export interface Composition {
  readonly settings: FlatSettings;
  readonly mappings: readonly Readonly<Record<string, unknown>>[];
  readonly aliases: Readonly<Record<string, AliasMetadata>>;
  readonly lifecycle: Readonly<Record<string, unknown>> | null;
}

export function indexTemplates(state: ClusterState): Readonly<Record<string, IndexTemplate>> {
  return section(state, 'indexTemplates') as Record<string, IndexTemplate>;
}

export function componentTemplates(state: ClusterState): Readonly<Record<string, ComponentTemplate>> {
  return section(state, 'componentTemplates') as Record<string, ComponentTemplate>;
}

export function legacyTemplates(state: ClusterState): Readonly<Record<string, LegacyTemplate>> {
  return section(state, 'legacyTemplates') as Record<string, LegacyTemplate>;
}

export function compose(bodies: readonly TemplateBody[]): Composition {
  return {
    settings: Object.assign({}, ...bodies.map((body) => body.settings ?? {})) as FlatSettings,
    mappings: bodies.flatMap((body) => (body.mappings ? [body.mappings] : [])),
    aliases: Object.fromEntries(bodies.flatMap((body) => Object.entries(body.aliases ?? {}))),
    lifecycle: bodies.reduce<Readonly<Record<string, unknown>> | null>((last, body) => body.lifecycle ?? last, null),
  };
}

/** A composable template with its components, in order of precedence. */
export function composeIndexTemplate(state: ClusterState, template: IndexTemplate): Composition {
  const components = (template.composedOf ?? []).flatMap(
    (name) => ownProperty(componentTemplates(state), name)?.template ?? [],
  );
  return compose(template.template ? [...components, template.template] : components);
}

/**
 * The composable template that a new index gets: highest priority, then name. Hidden indices ignore templates that
 * match everything.
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

/** Legacy templates that match, lowest order first. */
export function matchingLegacyTemplates(state: ClusterState, index: string, hidden: boolean): LegacyTemplate[] {
  return Object.values(legacyTemplates(state))
    .filter(({ indexPatterns }) => matchesAny(indexPatterns, index) && !(hidden && indexPatterns.includes('*')))
    .sort((a, b) => a.order - b.order);
}

/** What templates say about an index of a name. */
export function compositionFor(state: ClusterState, index: string, hidden: boolean): Composition {
  const match = matchingTemplate(state, index, hidden);
  return match ? composeIndexTemplate(state, match.template) : compose(matchingLegacyTemplates(state, index, hidden));
}

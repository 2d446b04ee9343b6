import { errors } from '@shoal/errors';
import { patternsOverlap } from './patterns-overlap.js';
import { aliasesToJson, nestedSettings, type ClusterState } from '@shoal/state';
import { ownProperty } from '@shoal/json';
import type { TaskContext } from '../tasks/task.js';
import { withSeriesSettings } from '../metadata/series-window.js';
import { composeIndexTemplate, indexTemplates, legacyTemplates, matchingTemplate } from './compose.js';
import { checkComponents, checkIndexTemplate, mergeComposition } from './validate-template.js';
import type { IndexTemplate } from './template.js';

interface Overlap {
  readonly name: string;
  readonly index_patterns: readonly string[];
}

function overlapping(state: ClusterState, name: string | null, patterns: readonly string[]): Overlap[] {
  const others = [...Object.entries(legacyTemplates(state)), ...Object.entries(indexTemplates(state))];
  return others
    .filter(
      ([other, { indexPatterns }]) =>
        other !== name && patterns.some((a) => indexPatterns.some((b) => patternsOverlap(a, b))),
    )
    .map(([other, { indexPatterns }]) => ({ name: other, index_patterns: indexPatterns }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function answer(
  state: ClusterState,
  name: string | null,
  template: IndexTemplate,
  context: TaskContext,
): Record<string, unknown> {
  const composed = composeIndexTemplate(state, template);
  const composition = template.dataStream ? withSeriesSettings(composed, null, context) : composed;
  const { settings, mapping } = mergeComposition(composition, context);
  return {
    template: {
      settings: nestedSettings(settings),
      ...(Object.keys(mapping).length > 0 ? { mappings: mapping } : {}),
      aliases: aliasesToJson(composition.aliases),
    },
    overlapping: overlapping(state, name, template.indexPatterns),
  };
}

/** Returns what templates would give an index with this name. `extra`: a template that is not stored yet. */
export function simulateIndex(
  state: ClusterState,
  index: string,
  extra: IndexTemplate | null,
  context: TaskContext,
): Record<string, unknown> {
  if (extra) checkIndexTemplate(state, `simulate_index_template_${context.newUuid().toLowerCase()}`, extra, context);
  const match = extra ? { name: null, template: extra } : matchingTemplate(state, index, false);
  return match ? answer(state, match.name, match.template, context) : {};
}

/** Returns the composition of a template: the stored one with a name, or the given one. */
export function simulateTemplate(
  state: ClusterState,
  name: string | null,
  given: IndexTemplate | null,
  context: TaskContext,
): Record<string, unknown> {
  const template = given ?? ownProperty(indexTemplates(state), name ?? '');
  if (!template) throw errors.illegalArgument(`unable to simulate template [${name}] that does not exist`);
  if (given) checkIndexTemplate(state, name ?? `simulate_template_${context.newUuid().toLowerCase()}`, given, context);
  else checkComponents(state, name ?? '', template);
  return answer(state, name, template, context);
}

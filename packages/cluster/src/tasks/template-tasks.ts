import { errors } from '@shoal/errors';
import { patternsOverlap } from '../templates/patterns-overlap.js';
import { selectNames } from '@shoal/values';
import { deepEqual, ownProperty } from '@shoal/json';
import { section, type ClusterState, validateIndexSettings, dataStreams } from '@shoal/state';
import { withoutKeys, withEntry, withSection } from '../metadata/edit-state.js';
import { componentTemplates, indexTemplates, legacyTemplates } from '../templates/compose.js';
import { parseComponentTemplate, parseIndexTemplate, parseLegacyTemplate } from '../templates/template.js';
import {
  checkComposition,
  checkIndexTemplate,
  mergeComposition,
  validateTemplateParts,
} from '../templates/validate-template.js';
import { ACKNOWLEDGED, defineTask, type TaskContext, type TaskResult } from './task.js';

interface PutTemplateBody {
  readonly name: string;
  readonly create?: boolean;
  readonly body: Record<string, unknown>;
}

interface PutLegacyTemplateBody extends PutTemplateBody {
  readonly order?: number | null;
}

interface DeleteTemplateBody {
  readonly names: readonly string[];
}

function putIndexTemplateState(
  state: ClusterState,
  { name, create, body }: PutTemplateBody,
  context: TaskContext,
): TaskResult {
  const template = parseIndexTemplate(body);
  if (create && ownProperty(indexTemplates(state), name))
    throw errors.illegalArgument(`index template [${name}] already exists`);
  checkIndexTemplate(state, name, template, context);
  return { state: withEntry(state, 'indexTemplates', name, template), answer: ACKNOWLEDGED };
}

/** Creates or replaces a composable template. */
export const putIndexTemplate = defineTask<PutTemplateBody>({
  name: 'put-index-template',
  priority: 'URGENT',
  source: ({ name }) => `create-index-template-v2 [${name}], cause [api]`,
  apply: putIndexTemplateState,
});

function putComponent(state: ClusterState, { name, create, body }: PutTemplateBody, context: TaskContext): TaskResult {
  const component = parseComponentTemplate(body);
  if (create && ownProperty(componentTemplates(state), name))
    throw errors.illegalArgument(`component template [${name}] already exists`);
  const { settings = {}, aliases = {} } = component.template;
  validateIndexSettings(settings);
  validateTemplateParts('component_template', name, { patterns: [], settings: {}, aliases: Object.keys(aliases) });
  mergeComposition(
    { settings, mappings: component.template.mappings ? [component.template.mappings] : [], aliases, lifecycle: null },
    context,
  );
  const next = withEntry(state, 'componentTemplates', name, component);
  for (const [user, template] of Object.entries(indexTemplates(next))) {
    if (template.composedOf?.includes(name)) checkComposition(next, user, template, context);
  }
  return { state: next, answer: ACKNOWLEDGED };
}

/** Creates or replaces a component template. */
export const putComponentTemplate = defineTask<PutTemplateBody>({
  name: 'put-component-template',
  priority: 'URGENT',
  source: ({ name }) => `create-component-template [${name}], cause [api]`,
  apply: putComponent,
});

/**
 * Returns the deprecation warning of a legacy template that composable templates override; null if there are none.
 * Throws for a template that is new or gets other patterns, unless it matches all names.
 */
export function checkLegacyShadow(
  state: ClusterState,
  name: string,
  patterns: readonly string[],
  isKnown: boolean,
): string | null {
  const shadows = Object.entries(indexTemplates(state)).filter(([, { indexPatterns }]) =>
    patterns.some((a) => indexPatterns.some((b) => patternsOverlap(a, b))),
  );
  if (shadows.length === 0) return null;
  const names = shadows.map(([other]) => other).join(',');
  const list = shadows.map(([other, { indexPatterns }]) => `${other} => [${indexPatterns.join(', ')}]`).join(',');
  const text =
    `legacy template [${name}] has index patterns [${patterns.join(', ')}] matching patterns from existing ` +
    `composable templates [${names}] with patterns (${list})`;
  if (!isKnown && !patterns.includes('*'))
    throw errors.illegalArgument(`${text}, use composable templates (/_index_template) instead`);
  return `${text}; this template [${name}] may be ignored in favor of a composable template at index creation time`;
}

function putLegacy(
  state: ClusterState,
  { name, create, order, body }: PutLegacyTemplateBody,
  context: TaskContext,
): TaskResult {
  const template = parseLegacyTemplate(body, order ?? null);
  const known = ownProperty(legacyTemplates(state), name);
  if (create && known) throw errors.illegalArgument(`index_template [${name}] already exists`);
  const { settings, mappings, aliases, indexPatterns } = template;
  validateIndexSettings(settings);
  validateTemplateParts('index_template', name, {
    patterns: indexPatterns,
    settings: {},
    aliases: Object.keys(aliases),
  });
  mergeComposition({ settings, mappings: [mappings], aliases, lifecycle: null }, context);
  const isKnown = known !== undefined && deepEqual(known.indexPatterns, indexPatterns);
  const warning = checkLegacyShadow(state, name, indexPatterns, isKnown);
  return { state: withEntry(state, 'legacyTemplates', name, template), answer: { ...ACKNOWLEDGED, warning } };
}

/** Creates or replaces a legacy template. */
export const putLegacyTemplate = defineTask<PutLegacyTemplateBody>({
  name: 'put-legacy-template',
  priority: 'URGENT',
  source: ({ name }) => `create-index-template [${name}], cause [api]`,
  apply: putLegacy,
});

/**
 * Removes the entries of a section that match names or wildcards. `missing` makes the error of a name without entry.
 */
function removeSelected(
  state: ClusterState,
  sectionName: string,
  names: readonly string[],
  missing: (names: readonly string[]) => Error,
): { state: ClusterState; removed: string[] } {
  const entries = section(state, sectionName);
  const removed = selectNames(Object.keys(entries), names);
  const absent = names.filter((name) => !name.includes('*') && !removed.includes(name));
  if (absent.length > 0) throw missing(absent);
  const matchesAll = names.every((name) => name === '*');
  if (removed.length === 0 && !matchesAll) throw missing(names);
  return {
    state: removed.length === 0 ? state : withSection(state, sectionName, withoutKeys(entries, new Set(removed))),
    removed,
  };
}

const indexTemplateMissing = (names: readonly string[]): Error =>
  errors.indexTemplateMissing(`index_template [${names.join(',')}] missing`);

/** Deletes composable templates. */
export const deleteIndexTemplate = defineTask<DeleteTemplateBody>({
  name: 'delete-index-template',
  priority: 'URGENT',
  source: ({ names }) => `remove-index-template-v2 [${names.join(',')}]`,
  apply(state, { names }) {
    const { state: next, removed } = removeSelected(state, 'indexTemplates', names, indexTemplateMissing);
    const used = dataStreams(state).filter((stream) => removed.includes(stream.template));
    if (used.length > 0) {
      const templates = [...new Set(used.map((stream) => stream.template))].join(',');
      throw errors.illegalArgument(
        `unable to remove composable templates [${templates}] as they are in use by a data streams ` +
          `[${used.map((stream) => stream.name).join(',')}]`,
      );
    }
    return { state: next, answer: ACKNOWLEDGED };
  },
});

/** Deletes component templates. */
export const deleteComponentTemplate = defineTask<DeleteTemplateBody>({
  name: 'delete-component-template',
  priority: 'URGENT',
  source: ({ names }) => `remove-component-template [${names.join(',')}]`,
  apply(state, { names }) {
    const { state: next, removed } = removeSelected(state, 'componentTemplates', names, (absent) =>
      errors.resourceNotFound(absent.join(',')),
    );
    const users = Object.entries(indexTemplates(state)).filter(([, { composedOf, ignoreMissing }]) =>
      composedOf?.some((name) => removed.includes(name) && !ignoreMissing?.includes(name)),
    );
    if (users.length > 0) {
      const inUse = removed.filter((name) => users.some(([, { composedOf }]) => composedOf?.includes(name)));
      throw errors.illegalArgument(
        `component templates [${inUse.join(',')}] cannot be removed as they are still in use by index templates ` +
          `[${users.map(([name]) => name).join(',')}]`,
      );
    }
    return { state: next, answer: ACKNOWLEDGED };
  },
});

/** Deletes legacy templates. */
export const deleteLegacyTemplate = defineTask<DeleteTemplateBody>({
  name: 'delete-legacy-template',
  priority: 'URGENT',
  source: ({ names }) => `remove-index-template [${names.join(',')}]`,
  apply(state, { names }) {
    const { state: next } = removeSelected(state, 'legacyTemplates', names, indexTemplateMissing);
    return { state: next, answer: ACKNOWLEDGED };
  },
});

import { type ApiError, errors, toApiError } from '@shoal/errors';
import { checkTimestampField } from '../metadata/timestamp-field.js';
import { ownProperty } from '@shoal/json';
import { validateAliasName, validateIndexSettings, type FlatSettings, type ClusterState } from '@shoal/state';
import { patternsOverlap } from './patterns-overlap.js';
import { completeSettings } from '../metadata/build-index.js';
import { withSeriesSettings } from '../metadata/series-window.js';
import { refuseNestedSort } from '../metadata/index-sort.js';
import { validateSimilarities } from '../metadata/validate-similarities.js';
import type { TaskContext } from '../tasks/task.js';
import { type Composition, componentTemplates, composeIndexTemplate, indexTemplates } from './compose.js';
import type { IndexTemplate } from './template.js';

function invalid(kind: string, name: string, cause: string): ApiError {
  return errors.invalidIndexTemplate(`${kind} [${name}] invalid, cause [${cause}]`);
}

function nameProblem(name: string): string | null {
  if (name.includes(' ')) return 'name must not contain a space';
  if (name.includes(',')) return "name must not contain a ','";
  if (name.includes('#')) return "name must not contain a '#'";
  if (name.startsWith('_')) return "name must not start with '_'";
  return name === name.toLowerCase() ? null : 'name must be lower cased';
}

function patternProblem(pattern: string): string | null {
  if (pattern.includes(' ')) return `index_patterns [${pattern}] must not contain a space`;
  if (pattern.includes(',')) return `index_pattern [${pattern}] must not contain a ','`;
  if (pattern.includes('#')) return `index_pattern [${pattern}] must not contain a '#'`;
  if (pattern.includes(':')) return `index_pattern [${pattern}] must not contain a ':'`;
  return pattern.startsWith('_') ? `index_pattern [${pattern}] must not start with '_'` : null;
}

function settingsProblem(settings: FlatSettings): string | null {
  try {
    validateIndexSettings(settings);
    return null;
  } catch (error) {
    return toApiError(error).reason;
  }
}

/** Throws if name, patterns, settings or aliases of a template are invalid. `kind` begins the message. */
export function validateTemplateParts(
  kind: string,
  name: string,
  parts: { patterns: readonly string[]; settings: FlatSettings; aliases: readonly string[] },
): void {
  const problems = [nameProblem(name), ...parts.patterns.map(patternProblem), settingsProblem(parts.settings)].flatMap(
    (problem) => problem ?? [],
  );
  if (problems.length > 0) {
    const list = problems.map((problem, i) => `${i + 1}: ${problem};`).join('');
    throw invalid(kind, name, `Validation Failed: ${list}`);
  }
  for (const alias of parts.aliases) {
    if (alias.includes('{index}')) continue;
    validateAliasName(alias);
    if (parts.patterns.includes(alias))
      throw errors.illegalArgument(
        `alias [${alias}] cannot be the same as any pattern in [${parts.patterns.join(', ')}]`,
      );
  }
}

/**
 * Throws if a template names component templates that do not exist and are not in `ignore_missing_component_templates`.
 */
export function checkComponents(state: ClusterState, name: string, template: IndexTemplate): void {
  const optional = new Set(template.ignoreMissing ?? []);
  const missing = (template.composedOf ?? []).filter(
    (component) => !ownProperty(componentTemplates(state), component) && !optional.has(component),
  );
  if (missing.length > 0) {
    throw invalid(
      'index_template',
      name,
      `index template [${name}] specifies component templates [${missing.join(', ')}] that do not exist`,
    );
  }
}

/** Throws if a template has the lifecycle of a data stream, by itself or by a component, and makes no data stream. */
function checkLifecycle(state: ClusterState, name: string, template: IndexTemplate): void {
  if (template.dataStream || composeIndexTemplate(state, template).lifecycle === null) return;
  throw errors.illegalArgument(
    `index template [${name}] specifies lifecycle configuration that can only be used in combination with a data ` +
      'stream',
  );
}

/** Throws if another template with the same priority may match the same index. */
function checkPriority(state: ClusterState, name: string, template: IndexTemplate): void {
  const rivals = Object.entries(indexTemplates(state)).filter(
    ([other, { indexPatterns, priority }]) =>
      other !== name &&
      (priority ?? 0) === (template.priority ?? 0) &&
      template.indexPatterns.some((a) => indexPatterns.some((b) => patternsOverlap(a, b))),
  );
  if (rivals.length === 0) return;
  const names = rivals.map(([other]) => other).join(',');
  const patterns = rivals.map(([other, { indexPatterns }]) => `${other} => [${indexPatterns.join(', ')}]`).join(',');
  throw errors.illegalArgument(
    `index template [${name}] has index patterns [${template.indexPatterns.join(', ')}] matching patterns from ` +
      `existing templates [${names}] with patterns (${patterns}) that have the same priority ` +
      `[${template.priority ?? 0}], multiple index templates may not match during index creation, please use a ` +
      'different priority',
  );
}

/** Merges the settings and mappings of a composition. Throws what creating an index from it would throw. */
export function mergeComposition(
  composition: Composition,
  context: TaskContext,
): { settings: FlatSettings; mapping: Record<string, unknown> } {
  validateSimilarities(composition.settings);
  const facts = { providedName: 'validate', uuid: 'validate', nowMs: context.nowMs };
  const options = context.mappings.options(completeSettings(composition.settings, facts, false));
  const [first = {}, ...rest] = composition.mappings;
  const merged = rest.reduce(
    (mapping, next) => context.mappings.merge(mapping, next, options, 'template'),
    context.mappings.parse(first, options),
  );
  refuseNestedSort(composition.settings, merged);
  return { settings: composition.settings, mapping: merged.toJson() };
}

/** Throws if the mapping of a template is none for data streams. */
function checkStreamMapping(
  { allowCustomRouting }: NonNullable<IndexTemplate['dataStream']>,
  { mapping }: ReturnType<typeof mergeComposition>,
): void {
  const routing = (mapping['_routing'] ?? {}) as Record<string, unknown>;
  if (routing['required'] === true && !allowCustomRouting)
    throw errors.mapperParsing('contradicting `_routing.required` settings');
  const properties = (mapping['properties'] ?? {}) as Record<string, Record<string, unknown> | undefined>;
  const timestamp = properties['@timestamp'];
  if (timestamp !== undefined) checkTimestampField(timestamp);
}

/** Throws if no index could be created from a template. */
export function checkComposition(
  state: ClusterState,
  name: string,
  template: IndexTemplate,
  context: TaskContext,
): void {
  try {
    const composition = composeIndexTemplate(state, template);
    if (template.dataStream)
      checkStreamMapping(
        template.dataStream,
        mergeComposition(withSeriesSettings(composition, null, context), context),
      );
    else mergeComposition(composition, context);
  } catch (error) {
    const cause = errors.illegalArgument(`invalid composite mappings for [${name}]`, { cause: toApiError(error) });
    throw errors.illegalArgument(`composable template [${name}] template after composition is invalid`, { cause });
  }
}

/** Throws what storing a composable template under a name would throw. */
export function checkIndexTemplate(
  state: ClusterState,
  name: string,
  template: IndexTemplate,
  context: TaskContext,
): void {
  checkComponents(state, name, template);
  if (template.indexPatterns.length === 0)
    throw errors.illegalArgument('There must be at least one pattern, zero given');
  checkPriority(state, name, template);
  checkLifecycle(state, name, template);
  const { settings = {}, aliases = {} } = template.template ?? {};
  validateTemplateParts('index_template', name, {
    patterns: template.indexPatterns,
    settings,
    aliases: Object.keys(aliases),
  });
  checkComposition(state, name, template, context);
}

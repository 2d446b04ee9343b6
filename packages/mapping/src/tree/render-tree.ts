import { deepEqual, type Json } from '@shoal/json';
import type { Parameter } from '../parameter.js';
import type { FieldNode, MappingNode, MappingTree, ObjectNode } from './node.js';

function byName<Value>(entries: ReadonlyMap<string, Value>): [string, Value][] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Creates an object that may have any key, `__proto__` too: names are chosen by users. */
function toObject(entries: readonly (readonly [string, unknown])[]): Json {
  return Object.fromEntries(entries);
}

function valueOf(node: FieldNode, name: string): unknown {
  return node.values.has(name)
    ? node.values.get(name)
    : node.definition.parameters.find((parameter) => parameter.name === name)?.byDefault;
}

function showParameter(
  node: FieldNode,
  parameter: Parameter,
  includeDefaults: boolean,
): readonly [string, unknown] | null {
  const isSet = node.values.has(parameter.name);
  const value = isSet ? node.values.get(parameter.name) : parameter.byDefault;
  const differs = isSet && (parameter.isShownWhenSet || !deepEqual(value, parameter.byDefault));
  if (parameter.isHidden((name) => valueOf(node, name))) return null;
  if (!differs && !parameter.isAlwaysShown && !(includeDefaults && !parameter.isHiddenByDefault)) return null;
  return [parameter.name, parameter.show(value)];
}

/**
 * Renders analyzers. If defaults are included, or a search analyzer is set, the index analyzer is rendered too; the
 * others fall back to it.
 */
function analyzerEntries(node: FieldNode, entries: Json, includeDefaults: boolean): void {
  const hasAnalyzer = node.definition.parameters.some(({ name }) => name === 'search_analyzer');
  if (!hasAnalyzer || (!includeDefaults && !('search_analyzer' in entries) && !('search_quote_analyzer' in entries)))
    return;
  const analyzer = valueOf(node, 'analyzer');
  entries['analyzer'] = analyzer;
  entries['search_analyzer'] = node.values.get('search_analyzer') ?? analyzer;
  if (
    node.definition.parameters.some(({ name }) => name === 'search_quote_analyzer') &&
    (includeDefaults || 'search_quote_analyzer' in entries)
  ) {
    entries['search_quote_analyzer'] = node.values.get('search_quote_analyzer') ?? entries['search_analyzer'];
  }
}

/** A leaf field in the form of the mapping API: `type`, then the parameters that differ from their defaults. */
export function fieldJson(node: FieldNode, includeDefaults: boolean): Json {
  const entries: Json = { type: node.definition.name };
  for (const parameter of node.definition.parameters) {
    const shown = showParameter(node, parameter, includeDefaults);
    if (shown) entries[shown[0]] = shown[1];
  }
  analyzerEntries(node, entries, includeDefaults);
  if (node.multiFields.size > 0) {
    entries['fields'] = toObject(
      byName(node.multiFields).map(([name, field]) => [name, fieldJson(field, includeDefaults)]),
    );
  }
  if (node.copyTo.length > 0) entries['copy_to'] = [...node.copyTo];
  return entries;
}

function objectSettings(node: ObjectNode): Json {
  const entries: Json = {};
  if (node.includeInParent === true) entries['include_in_parent'] = true;
  if (node.includeInRoot === true) entries['include_in_root'] = true;
  if (node.dynamic !== null) entries['dynamic'] = node.dynamic;
  if (node.enabled === false) entries['enabled'] = false;
  if (node.subobjects !== null) entries['subobjects'] = node.subobjects;
  return entries;
}

function childrenJson(children: ReadonlyMap<string, MappingNode>): Json {
  return toObject(byName(children).map(([name, child]) => [name, nodeJson(child)]));
}

function nodeJson(node: MappingNode): Json {
  if (node.kind === 'alias') return { type: 'alias', path: node.target };
  if (node.kind === 'field') return fieldJson(node, false);
  const settings = objectSettings(node);
  if (node.isNested) return { type: 'nested', ...settings, ...propertiesJson(node) };
  if (node.children.size === 0) return { type: 'object', ...settings };
  return { ...settings, ...propertiesJson(node) };
}

function propertiesJson(node: ObjectNode): Json {
  return node.children.size > 0 ? { properties: childrenJson(node.children) } : {};
}

/** Definition of a field or alias; null for an object. */
export function leafJson(node: MappingNode, includeDefaults: boolean): Json | null {
  if (node.kind === 'alias') return { type: 'alias', path: node.target };
  return node.kind === 'field' ? fieldJson(node, includeDefaults) : null;
}

function sourceJson({ options }: MappingTree): Json {
  const { source } = options;
  if (source === null) return {};
  const entries: Json = {};
  if (!source.enabled) entries['enabled'] = false;
  if (source.includes.length > 0) entries['includes'] = [...source.includes];
  if (source.excludes.length > 0) entries['excludes'] = [...source.excludes];
  return Object.keys(entries).length > 0 ? { _source: entries } : {};
}

/** A whole mapping in the form of the mapping API; parsing the result gives an equal tree. */
export function treeJson(tree: MappingTree): Json {
  const { root, options } = tree;
  const runtime = byName(options.runtime).filter(([, definition]) => definition !== null);
  return {
    ...objectSettings(root),
    ...(options.meta === null ? {} : { _meta: options.meta }),
    ...(options.hasTimestamp === true ? { _data_stream_timestamp: { enabled: true } } : {}),
    ...(options.routingRequired === true ? { _routing: { required: true } } : {}),
    ...sourceJson(tree),
    ...(options.dynamicDateFormats === null ? {} : { dynamic_date_formats: [...options.dynamicDateFormats] }),
    ...(options.dynamicTemplates === null
      ? {}
      : { dynamic_templates: options.dynamicTemplates.map(({ name, json }) => toObject([[name, json]])) }),
    ...(options.dateDetection === null ? {} : { date_detection: options.dateDetection }),
    ...(options.numericDetection === null ? {} : { numeric_detection: options.numericDetection }),
    ...(runtime.length === 0 ? {} : { runtime: toObject(runtime) }),
    ...propertiesJson(root),
  };
}

import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { FieldLayout } from '@shoal/segments';
import type { FieldType } from '../field-type.js';
import { booleanParameter, javaText, meta, parameter } from '../parameter.js';
import { type FieldConfig, type FieldTypeDefinition, termsLayout } from './definition.js';
import { keywordField } from './keyword.js';

type Relations = Readonly<Record<string, readonly string[]>>;

function parseRelations(value: unknown): unknown {
  if (!isPlainObject(value)) throw errors.mapperParsing('[relations] must be an object');
  return Object.fromEntries(
    Object.entries(value).map(([parent, children]) => [
      parent,
      Array.isArray(children) ? children.map(javaText) : [javaText(children)],
    ]),
  );
}

function showRelations(value: unknown): unknown {
  const entries = Object.entries(value as Relations).map(([parent, children]) => [
    parent,
    children.length === 1 ? children[0] : children,
  ]);
  return Object.fromEntries(entries);
}

/** Parent of a relation, or null. */
function parentOf(relations: Relations, child: string): string | null {
  return Object.keys(relations).find((parent) => relations[parent]?.includes(child)) ?? null;
}

function create(config: FieldConfig): FieldType {
  const { name } = config;
  const relations = (config.value('relations') ?? {}) as Relations;
  const layout = termsLayout(name, true, true);
  const parents = new Map<string, FieldLayout | null>(
    Object.keys(relations).map((parent) => [parent, termsLayout(`${name}#${parent}`, true, true)]),
  );
  const addParentId = (parent: string, id: string, sink: Parameters<FieldType['parse']>[1]): void => {
    const parentLayout = parents.get(parent);
    if (parentLayout) sink.addTerm(parentLayout, id);
  };
  return {
    ...keywordField(config, { layout, ignoreAbove: 2147483647, nullValue: null, normalize: (value) => value }),
    parse(value, sink) {
      if (value === null || layout === null) return;
      const relation = isPlainObject(value) ? javaText(value['name'] ?? '') : sink.textOf(value);
      const parent = parentOf(relations, relation);
      if (parent === null && !Object.hasOwn(relations, relation))
        throw errors.illegalArgument(`unknown join name [${relation}] for field [${name}]`);
      sink.addTerm(layout, relation);
      if (parent !== null) {
        const parentId = isPlainObject(value) ? value['parent'] : undefined;
        if (parentId === undefined || parentId === null)
          throw errors.illegalArgument(`[parent] is missing for join field [${name}]`);
        addParentId(parent, javaText(parentId), sink);
      }
      if (Object.hasOwn(relations, relation) && sink.id !== null) addParentId(relation, sink.id, sink);
    },
    fetchValue: (value) => value,
  };
}

/** `join`: the relation of a document; the field `f#parent` holds the parent's id, for the parent and its children. */
export const join: FieldTypeDefinition = {
  name: 'join',
  parameters: [
    booleanParameter('eager_global_ordinals', true, { isAlwaysShown: true, updates: true }),
    { ...parameter('relations', {}, parseRelations, { updates: true }), show: showRelations },
    meta,
  ],
  create,
  cannotBeMultiField: true,
};

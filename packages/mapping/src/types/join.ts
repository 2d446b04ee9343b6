import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { FieldLayout } from '@shoal/segments';
import type { DocumentSink, FieldType } from '../field-type.js';
import { simpleTokenName } from '../document-fault.js';
import { booleanParameter, javaText, meta, parameter } from '../parameter.js';
import { type FieldConfig, type FieldTypeDefinition, termsLayout } from './definition.js';
import { type JoinRelations, joinRelations, relationConflicts } from './join-relations.js';
import { keywordField } from './keyword.js';

type Relations = Readonly<Record<string, readonly string[]>>;

function parseRelations(value: unknown): unknown {
  if (!isPlainObject(value)) {
    const type = Array.isArray(value) ? 'java.util.ArrayList' : `java.lang.${javaClassOf(value)}`;
    throw errors.parse(`relations should be a hash but was of type: class ${type}`);
  }
  return Object.fromEntries(
    Object.entries(value).map(([parent, children]) => [
      parent,
      Array.isArray(children) ? [...new Set(children.map(javaText))] : [javaText(children)],
    ]),
  );
}

function javaClassOf(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'Integer' : 'Double';
  return typeof value === 'boolean' ? 'Boolean' : 'String';
}

function showRelations(value: unknown): unknown {
  const entries = Object.entries(value as Relations).map(([parent, children]) => [
    parent,
    children.length === 1 ? children[0] : children,
  ]);
  return Object.fromEntries(entries);
}

/** Name of a relation and id of the parent, as a document gives them. */
interface JoinValue {
  readonly relation: string;
  readonly parent: string | null;
}

function readValue(name: string, value: unknown, sink: DocumentSink): JoinValue {
  if (typeof value === 'string') return { relation: value, parent: null };
  if (!isPlainObject(value))
    throw errors.illegalState(`[${name}] expected START_OBJECT or VALUE_STRING but was: ${simpleTokenName(value)}`);
  let relation: string | null = null;
  let parent: string | null = null;
  for (const [key, entry] of Object.entries(value)) {
    const isNumber = typeof entry === 'number' || typeof entry === 'bigint';
    if (typeof entry !== 'string' && !isNumber) continue;
    if (key === 'parent') parent = isNumber ? sink.textOf(entry) : entry;
    else if (key === 'name' && !isNumber) relation = entry;
    else throw errors.illegalArgument(`unknown field name [${key}] in join field [${name}]`);
  }
  if (relation === null) throw errors.illegalArgument(`null join name in field [${name}]`);
  return { relation, parent };
}

/** Adds the id that joins a child with its parent. */
function addParent({ relation, parent }: JoinValue, relations: JoinRelations, sink: DocumentSink): void {
  const type = relations.parentOf.get(relation);
  if (type === undefined) return;
  if (parent === null) throw errors.illegalArgument(`[parent] is missing for join field [${relations.field}]`);
  if (sink.routing === null) throw errors.illegalArgument(`[routing] is missing for join field [${relations.field}]`);
  sink.addTerm(idLayout(relations.idField(type)), parent);
}

const idLayout = (name: string): FieldLayout => termsLayout(name, true, true)!;

function create(config: FieldConfig): FieldType {
  const { name } = config;
  if (name.includes('.'))
    throw errors.illegalArgument(`join field [${name}] cannot be added inside an object or in a multi-field`);
  const relations = joinRelations(name, (config.value('relations') ?? {}) as Relations);
  const layout = termsLayout(name, true, true)!;
  return {
    ...keywordField(config, { layout, ignoreAbove: 2147483647, nullValue: null, normalize: (value) => value }),
    relations,
    parse(value, sink) {
      const given = readValue(name, value, sink);
      const { relation } = given;
      if (!relations.parentOf.has(relation) && !relations.childrenOf.has(relation))
        throw errors.illegalArgument(`unknown join name [${relation}] for field [${name}]`);
      addParent(given, relations, sink);
      if (relations.childrenOf.has(relation) && sink.id !== null)
        sink.addTerm(idLayout(relations.idField(relation)), sink.id);
      sink.addTerm(layout, relation);
    },
    fetchValue: (value) => value,
  };
}

/** The fields of the ids: their values come from the field of the relations. */
function subfields(config: FieldConfig): readonly FieldType[] {
  const relations = joinRelations(config.name, (config.value('relations') ?? {}) as Relations);
  return [...relations.childrenOf.keys()].map((parent) => {
    const name = relations.idField(parent);
    const own = { ...config, name, typeName: 'parent' };
    return {
      ...keywordField(own, {
        layout: idLayout(name),
        ignoreAbove: 2147483647,
        nullValue: null,
        normalize: (value) => value,
      }),
      parse: () => {},
      fetchValue: () => undefined,
    };
  });
}

/** `join`: the relation of a document; the field `f#parent` holds the parent's id, for the parent and its children. */
export const join: FieldTypeDefinition = {
  name: 'join',
  parameters: [
    booleanParameter('eager_global_ordinals', true, { isAlwaysShown: true, updates: true }),
    {
      ...parameter('relations', {}, parseRelations),
      show: showRelations,
      conflicts: (from, to) => relationConflicts(from as Relations, to as Relations),
    },
    meta,
  ],
  create,
  subfields,
  faultStyle: 'cause',
  cannotBeMultiField: true,
};

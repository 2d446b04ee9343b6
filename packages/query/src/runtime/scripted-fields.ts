import { type ApiError, errors } from '@shoal/errors';
import { stringify } from '@shoal/json';
import { type FieldType, type Mapping, type RuntimeSource, VERSION_FORMAT, versionTerm } from '@shoal/mapping';
import { compiled, type SearchScript } from '../scripts/segment-script.js';

/** Types of the values that a script returns. */
export type ScriptedType = 'double' | 'long' | 'keyword' | 'version' | 'date' | 'boolean' | 'ip';

/**
 * The values that the script of an aggregation or a sort returns: a field that exists for one search. Its name holds
 * all else, so that fields of one name are equal.
 */
export interface ScriptedField {
  readonly name: string;
  readonly script: SearchScript;
  /** The field whose values the script gets as `_value`, and whose type its own values have; null for none. */
  readonly input: string | null;
  /** Type of the values where no input tells it. */
  readonly type: ScriptedType;
  /** Whether the aggregation is below `nested`. */
  readonly isOfNested: boolean;
}

/** Makes a scripted field of its parts. */
export function scriptedField(parts: Omit<ScriptedField, 'name'>): ScriptedField {
  const { script, input, type, isOfNested } = parts;
  const { context, lang, source, id, params } = script;
  return { ...parts, name: `(script) ${stringify([context, type, input, isOfNested, lang, source, id, params])}` };
}

/** Returns a mapping that has scripted fields too. They are found by their names alone, not by patterns. */
export function withScriptedFields(mapping: Mapping, scripted: readonly ScriptedField[]): Mapping {
  if (scripted.length === 0) return mapping;
  const types = new Map(scripted.map((field) => [field.name, scriptedType(field, mapping)]));
  return {
    ...mapping,
    runtime: new Map([...mapping.runtime, ...types]),
    field: (path) => types.get(path) ?? mapping.field(path),
  };
}

const unsupported = (what: string): ApiError =>
  errors.aggregationExecution(`value source of type [${what}] is not supported by scripts`, { status: 400 });

/** Types of scripts over the values of a mapped field. */
function typeOver(input: FieldType): ScriptedType {
  if (input.capabilities.rangesOver !== null || input.typeName === 'ip_range') throw unsupported('range');
  switch (input.valueKind) {
    case 'geo':
      throw unsupported('geo_point');
    case 'date':
    case 'boolean':
    case 'ip':
      return input.valueKind;
    case 'keyword':
      return 'keyword';
    default:
      return 'double';
  }
}

function scriptedType({ name, script, input, type, isOfNested }: ScriptedField, mapping: Mapping): FieldType {
  const { uses } = compiled(script);
  const over = input === null ? null : mapping.field(input);
  const own = over === null ? type : typeOver(over);
  const runtimeType = own === 'version' ? 'keyword' : own;
  const made = mapping.runtimeTypes(new Map([[name, { type: runtimeType }]])).get(name)!;
  const runtime: RuntimeSource = {
    key: name,
    emittedAs: null,
    script: {
      field: name,
      context: script.context,
      source: script.source!,
      lang: script.lang,
      params: script.params,
      continuesOnError: false,
    },
    returned: { input: over === null ? null : input, isOfNested, needsScore: uses.variables.has('_score') },
  };
  // Values are doubles also where those of the field are not: a script makes 2.5 of 5.
  const isDecimal = over !== null && (own === 'date' || own === 'boolean');
  return {
    ...made,
    ...(over !== null && own === 'date' ? { format: over.format.bind(over) } : {}),
    ...(own === 'version' ? { normalize: versionTerm, format: () => VERSION_FORMAT } : {}),
    ...(isDecimal ? { layout: { ...made.layout!, column: 'double' as const } } : {}),
    runtime,
  };
}

import { namedGroups } from '../painless/allow/extract.js';
import { toJson } from '../runtime/to-json.js';
import type { ContextFunction } from './context.js';

/** What a script of a runtime field hands its values to: the variable `#emit` of its context. */
export type Emit = (...values: unknown[]) => void;

const emitAs = (parameters: string): readonly ContextFunction[] => [
  {
    signature: `void emit(${parameters})`,
    variables: ['#emit'],
    implementation: (emit: Emit, ...values: unknown[]) => emit(...values),
  },
];

/** Functions that take texts apart, in all these contexts. */
const EXTRACTING: readonly ContextFunction[] = (['grok', 'dissect'] as const).map((syntax) => ({
  signature: `NamedGroupExtractor ${syntax}(String)`,
  variables: [],
  implementation: (expression: string) => namedGroups(syntax, expression),
}));

/** The functions by which scripts of runtime fields give values, by the name of the context. */
const EMITTING: Readonly<Record<string, readonly ContextFunction[]>> = {
  boolean_field: emitAs('boolean'),
  composite_field: [
    {
      signature: 'void emit(String,def)',
      variables: ['#emit'],
      implementation: (emit: Emit, name: string, value: unknown) => emit(name, toJson(value)),
    },
    {
      signature: 'void emit(Map)',
      variables: ['#emit'],
      implementation: (emit: Emit, values: unknown) => {
        for (const [name, value] of Object.entries(toJson(values) as object)) emit(name, value);
      },
    },
  ],
  date_field: emitAs('long'),
  double_field: emitAs('double'),
  geo_point_field: emitAs('double,double'),
  ip_field: emitAs('String'),
  keyword_field: emitAs('String'),
  long_field: emitAs('long'),
};

/** Functions of scripts of runtime fields, by the name of the context. */
export const FIELD_FUNCTIONS: readonly (readonly [context: string, functions: readonly ContextFunction[]])[] =
  Object.entries(EMITTING).map(([name, functions]) => [name, [...functions, ...EXTRACTING]]);

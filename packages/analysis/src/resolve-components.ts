import { errors } from '@shoal/errors';
import { charFilters, filters, tokenizers } from './catalogue.js';
import { type BuildContext, NO_PARAMETERS, type Parameters, parametersOf, scalarText } from './component.js';
import type { CharFilter, TokenFilter, Tokenizer } from './token.js';

/** Definitions of one kind of component, by name. */
export type Definitions = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/** Definitions under `index.analysis`. */
export interface AnalysisDefinitions {
  readonly analyzer: Definitions;
  readonly tokenizer: Definitions;
  readonly filter: Definitions;
  readonly char_filter: Definitions;
  readonly normalizer: Definitions;
}

/** Finds or builds single components by name; null for an unknown name. */
export interface Components {
  tokenizer(name: string, context: BuildContext): Tokenizer | null;
  filter(name: string, context: BuildContext): TokenFilter | null;
  charFilter(name: string): CharFilter | null;
  /** Whether normalizers may use the filter of this name. */
  isNormalizingFilter(name: string): boolean;
}

interface Factory<Made> {
  create(name: string, parameters: Parameters, context: BuildContext): Made;
  readonly needsSettings?: boolean;
}

const NEEDS_SETTINGS = "Analysis settings required - can't instantiate analysis factory";

/** Type of a definition. Throws illegal_argument_exception if it is missing or has no factory. */
export function typeOf(
  kind: string,
  name: string,
  definition: Readonly<Record<string, unknown>>,
  known: ReadonlyMap<string, unknown>,
): string {
  const type = definition['type'];
  if (type === undefined || type === null) {
    throw errors.illegalArgument(`${kind} [${name}] must specify either an analyzer type, or a tokenizer`);
  }
  if (kind === 'filter' && type === 'standard')
    throw errors.illegalArgument('The [standard] token filter has been removed.');
  if (!known.has(scalarText(type)))
    throw errors.illegalArgument(`Unknown ${kind} type [${scalarText(type)}] for [${name}]`);
  return scalarText(type);
}

function resolve<Made>(
  kind: string,
  name: string,
  definitions: Definitions,
  known: ReadonlyMap<string, Factory<Made>>,
  context: BuildContext,
): Made | null {
  const definition = definitions.get(name);
  if (definition)
    return known.get(typeOf(kind, name, definition, known))!.create(name, parametersOf(definition), context);
  const factory = known.get(name);
  if (!factory) return null;
  if (factory.needsSettings) throw errors.illegalArgument(NEEDS_SETTINGS);
  return factory.create(name, NO_PARAMETERS, context);
}

/** Components of one index: its own definitions take precedence over the built-in ones. */
export function componentsOf(definitions: AnalysisDefinitions): Components {
  const typeOfFilter = (name: string): string => scalarText(definitions.filter.get(name)?.['type'] ?? name);
  return {
    tokenizer: (name, context) => resolve('tokenizer', name, definitions.tokenizer, tokenizers, context),
    filter: (name, context) => resolve('filter', name, definitions.filter, filters, context),
    charFilter: (name) => resolve('char_filter', name, definitions.char_filter, charFilters, {} as BuildContext),
    isNormalizingFilter: (name) => filters.get(typeOfFilter(name))?.normalizes ?? false,
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The settings of a component in the order in which 8.12 prints them: by key. */
function orderedByKey(definition: object): object {
  return Object.fromEntries(Object.entries(definition).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Builds an inline component of an `_analyze` request: `{"type": …, parameters}`. */
export function inlineComponent<Made>(
  kind: string,
  definition: object,
  known: ReadonlyMap<string, Factory<Made>>,
  context: BuildContext,
): Made {
  const parameters = { ...definition } as Record<string, unknown>;
  const type = parameters['type'];
  if (type === undefined || type === null) {
    throw errors.illegalArgument(
      `Missing [type] setting for anonymous ${kind}: ${scalarText(orderedByKey(definition))}`,
    );
  }
  const factory = known.get(scalarText(type));
  if (!factory) throw errors.illegalArgument(`failed to find global ${kind} under [${scalarText(type)}]`);
  return factory.create(`__anonymous__${scalarText(type)}`, parametersOf(parameters), context);
}

/** Definitions of `index.analysis`. Lists that come as objects with the keys `0`, `1` … become lists again. */
export function definitionsOf(settings: Readonly<Record<string, unknown>>): AnalysisDefinitions {
  const group = (key: string): Definitions => {
    const value = settings[key];
    const entries = isObject(value) ? Object.entries(value) : [];
    return new Map(
      entries.map(([name, definition]) => [
        name,
        isObject(definition) ? normalizeLists(definition) : refuseScalar(key, name),
      ]),
    );
  };
  return {
    analyzer: group('analyzer'),
    tokenizer: group('tokenizer'),
    filter: group('filter'),
    char_filter: group('char_filter'),
    normalizer: group('normalizer'),
  };
}

function refuseScalar(key: string, name: string): never {
  const prefix = `index.analysis.${key}`;
  throw errors.settings(
    `Failed to get setting group for [${prefix}.] setting prefix and setting [${prefix}.${name}] because of a ` +
      `missing '.'`,
  );
}

function normalizeLists(definition: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(definition).map(
    ([key, value]) => [key, isObject(value) && isIndexed(value) ? Object.values(value) : value] as const,
  );
  return Object.fromEntries(entries);
}

function isIndexed(value: Record<string, unknown>): boolean {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key, i) => key === String(i));
}

import { errors } from '@shoal/errors';
import type { AnalysisRegistry, Analyzer, AnalyzerStage, CustomDefinition } from './analyzer.js';
import { builtInAnalyzers, type BuiltAnalyzer, fromParts, unknownAnalyzerType } from './built-in-analyzers.js';
import { charFilters, filters, tokenizers } from './catalogue.js';
import { type BuildContext, NO_PARAMETERS, type Parameters, parametersOf, scalarText } from './component.js';
import { type AnalyzerParts, runParts, stagesOf } from './pipeline-analyzer.js';
import {
  type AnalysisDefinitions,
  componentsOf,
  type Components,
  definitionsOf,
  inlineComponent,
  typeOf,
} from './resolve-components.js';
import type { CharFilter, TokenFilter, Tokenizer } from './token.js';
import type { PredicateCompiler } from './token-predicate.js';
import { keywordTokenizer } from './tokenizers/keyword.js';

/** Settings of a registry that are not under `index.analysis`. */
export interface RegistryOptions {
  /** `index.max_ngram_diff`, 1 by default. */
  readonly maxNgramDiff?: number;
  /** `index.max_shingle_diff`, 3 by default. */
  readonly maxShingleDiff?: number;
  /** Whether the registry is for `_analyze` without an index: then errors name global components. */
  readonly isGlobal?: boolean;
  /** Compiles the scripts of filters; absent where none run. */
  readonly predicate?: PredicateCompiler;
}

/** Builds analyzers and normalizers by name, each once. */
interface Builder {
  analyzer(name: string): BuiltAnalyzer | null;
  normalizer(name: string): BuiltAnalyzer | null;
  contextFor(preceding: AnalyzerParts | null): BuildContext;
}

/** Options of a registry from the flat settings of an index. */
export function registryOptions(settings: Readonly<Record<string, unknown>>): RegistryOptions {
  return {
    maxNgramDiff: Number(settings['index.max_ngram_diff'] ?? 1),
    maxShingleDiff: Number(settings['index.max_shingle_diff'] ?? 3),
  };
}

function emptyParts(): AnalyzerParts {
  return { charFilters: [], tokenizer: keywordTokenizer('keyword'), filters: [] };
}

function found<Part>(part: Part | null, owner: string, kind: string, name: string): Part {
  if (part === null) throw errors.illegalArgument(`${owner} failed to find ${kind} under name [${name}]`);
  return part;
}

/** Builds filters in order. Each knows the filters before it, with which synonym rules are analysed. */
function buildFilters(
  names: readonly string[],
  parts: Omit<AnalyzerParts, 'filters'>,
  builder: Builder,
  find: (name: string, context: BuildContext) => TokenFilter,
): readonly TokenFilter[] {
  const built: TokenFilter[] = [];
  for (const name of names) built.push(find(name, builder.contextFor({ ...parts, filters: [...built] })));
  return built;
}

function customAnalyzer(name: string, parameters: Parameters, components: Components, builder: Builder): BuiltAnalyzer {
  if (!parameters.has('tokenizer'))
    throw errors.illegalArgument(`Custom Analyzer [${name}] must be configured with a tokenizer`);
  const owner = `Custom Analyzer [${name}]`;
  const tokenizerName = parameters.text('tokenizer', '');
  const tokenizer = found(
    components.tokenizer(tokenizerName, builder.contextFor(null)),
    owner,
    'tokenizer',
    tokenizerName,
  );
  const charParts = (parameters.list('char_filter') ?? []).map((part) =>
    found(components.charFilter(part), owner, 'char_filter', part),
  );
  const names = parameters.list('filter') ?? [];
  const tokenFilters = buildFilters(names, { charFilters: charParts, tokenizer }, builder, (part, context) =>
    found(components.filter(part, context), owner, 'filter', part),
  );
  const gap = parameters.integer('position_increment_gap', 100);
  return fromParts(name, { charFilters: charParts, tokenizer, filters: tokenFilters }, gap);
}

function customNormalizer(
  name: string,
  parameters: Parameters,
  components: Components,
  builder: Builder,
): BuiltAnalyzer {
  if (parameters.has('tokenizer'))
    throw errors.illegalArgument(`Custom normalizer [${name}] cannot configure a tokenizer`);
  const charParts = (parameters.list('char_filter') ?? []).map((part) => {
    const filter = found(components.charFilter(part), `Custom normalizer [${name}]`, 'char_filter', part);
    if (!filter.isNormalizing)
      throw errors.illegalArgument(`Custom normalizer [${name}] may not use char filter [${part}]`);
    return filter;
  });
  const tokenFilters = (parameters.list('filter') ?? []).map((part) => {
    const filter = found(
      components.filter(part, builder.contextFor(null)),
      `Custom Analyzer [${name}]`,
      'filter',
      part,
    );
    if (!components.isNormalizingFilter(part))
      throw errors.illegalArgument(`Custom normalizer [${name}] may not use filter [${part}]`);
    return filter;
  });
  return fromParts(name, { charFilters: charParts, tokenizer: keywordTokenizer('keyword'), filters: tokenFilters });
}

function buildAnalyzer(
  name: string,
  definition: Readonly<Record<string, unknown>>,
  components: Components,
  builder: Builder,
): BuiltAnalyzer | null {
  if (name.startsWith('_')) throw errors.illegalArgument(`analyzer name must not start with '_'. got "${name}"`);
  const parameters = parametersOf(definition);
  const type = parameters.has('type') ? parameters.text('type', '') : parameters.has('tokenizer') ? 'custom' : null;
  if (type === null) {
    if (Object.keys(definition).length === 0) return null;
    throw errors.illegalArgument(`analyzer [${name}] must specify either an analyzer type, or a tokenizer`);
  }
  if (type === 'custom') return customAnalyzer(name, parameters, components, builder);
  const factory = builtInAnalyzers.get(type);
  if (!factory) throw unknownAnalyzerType(type, name);
  return factory(name, parameters, builder.contextFor(null));
}

function builtInNormalizer(name: string, components: Components, builder: Builder): BuiltAnalyzer | null {
  if (name !== 'lowercase') return null;
  return customNormalizer('lowercase', parametersOf({ filter: ['lowercase'] }), components, builder);
}

function buildNormalizer(
  name: string,
  definition: Readonly<Record<string, unknown>>,
  components: Components,
  builder: Builder,
): BuiltAnalyzer {
  const type = definition['type'] ?? 'custom';
  if (type !== 'custom') throw errors.illegalArgument(`Unknown normalizer type [${scalarText(type)}] for [${name}]`);
  return customNormalizer(name, parametersOf(definition), components, builder);
}

/** A `Builder` that builds on first use. There are no cycles, because only conditional filters name analyzers. */
function createBuilder(definitions: AnalysisDefinitions, components: Components, options: RegistryOptions): Builder {
  const analyzers = new Map<string, BuiltAnalyzer | null>();
  const normalizers = new Map<string, BuiltAnalyzer | null>();
  const memo = (
    cache: Map<string, BuiltAnalyzer | null>,
    name: string,
    build: () => BuiltAnalyzer | null,
  ): BuiltAnalyzer | null => {
    let built = cache.get(name);
    if (built === undefined) {
      built = build();
      cache.set(name, built);
    }
    return built;
  };
  const builtIn = (name: string): BuiltAnalyzer | null =>
    builtInAnalyzers.get(name)?.(name, NO_PARAMETERS, builder.contextFor(null)) ?? null;
  const builder: Builder = {
    analyzer: (name) =>
      memo(analyzers, name, () => {
        const definition = definitions.analyzer.get(name);
        return definition ? buildAnalyzer(name, definition, components, builder) : builtIn(name);
      }),
    normalizer: (name) =>
      memo(normalizers, name, () => {
        const definition = definitions.normalizer.get(name);
        return definition
          ? buildNormalizer(name, definition, components, builder)
          : builtInNormalizer(name, components, builder);
      }),
    contextFor: (preceding) => ({
      maxNgramDiff: options.maxNgramDiff ?? 1,
      maxShingleDiff: options.maxShingleDiff ?? 3,
      predicate: options.predicate ?? null,
      filter: (name) => components.filter(name, builder.contextFor(preceding)),
      analyzeRule: (text) => runParts(preceding ?? emptyParts(), text),
      analyzer: (name) => builder.analyzer(name)?.analyzer ?? null,
    }),
  };
  return builder;
}

/** Builds all definitions of the settings once, so that an invalid one fails when the settings are applied. */
function checkDefinitions(definitions: AnalysisDefinitions, components: Components, builder: Builder): void {
  const context = builder.contextFor(null);
  for (const name of definitions.char_filter.keys())
    if (!isEmpty(definitions.char_filter.get(name))) components.charFilter(name);
  for (const name of definitions.tokenizer.keys())
    if (!isEmpty(definitions.tokenizer.get(name))) components.tokenizer(name, context);
  for (const [name, definition] of definitions.filter) {
    if (!isEmpty(definition) && !isChainDependent(typeOf('filter', name, definition, filters)))
      components.filter(name, context);
  }
  for (const name of definitions.analyzer.keys()) builder.analyzer(name);
  for (const name of definitions.normalizer.keys()) builder.normalizer(name);
}

function isEmpty(definition: Readonly<Record<string, unknown>> | undefined): boolean {
  return Object.keys(definition ?? {}).length === 0;
}

/** Whether the filter depends on the chain that uses it: synonym rules are analysed with the filters before it. */
function isChainDependent(type: string): boolean {
  return type === 'synonym' || type === 'synonym_graph';
}

function customName(kind: string, value: unknown, isGlobal: boolean): Error {
  return errors.illegalArgument(`failed to find ${isGlobal ? 'global ' : ''}${kind} under [${scalarText(value)}]`);
}

function asList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** Parts of an `_analyze` request: names of components of the index or built-in ones, or inline definitions. */
function inlineParts(
  definition: CustomDefinition,
  components: Components,
  builder: Builder,
  isGlobal: boolean,
): AnalyzerParts {
  const context = builder.contextFor(null);
  const pick = <Part>(
    kind: string,
    value: unknown,
    byName: (name: string) => Part | null,
    byDefinition: (given: object) => Part,
  ): Part => {
    if (typeof value === 'object' && value !== null) return byDefinition(value);
    const part = byName(scalarText(value));
    if (part === null) throw customName(kind, value, isGlobal);
    return part;
  };
  const charParts = asList(definition.char_filter).map((value) =>
    pick<CharFilter>('char_filter', value, components.charFilter, (given) =>
      inlineComponent('char_filter', given, charFilters, context),
    ),
  );
  const tokenizer =
    definition.tokenizer === undefined || definition.tokenizer === null
      ? keywordTokenizer('keyword')
      : pick<Tokenizer>(
          'tokenizer',
          definition.tokenizer,
          (name) => components.tokenizer(name, context),
          (given) => inlineComponent('tokenizer', given, tokenizers, context),
        );
  const built: TokenFilter[] = [];
  for (const value of asList(definition.filter)) {
    const chain = builder.contextFor({ charFilters: charParts, tokenizer, filters: [...built] });
    built.push(
      pick<TokenFilter>(
        'filter',
        value,
        (name) => components.filter(name, chain),
        (given) => inlineComponent('filter', given, filters, chain),
      ),
    );
  }
  return { charFilters: charParts, tokenizer, filters: built };
}

/**
 * Builds the registry of one index from the object under `index.analysis`. Throws illegal_argument_exception at once if
 * a definition is invalid; built-in analyzers are built on first use.
 */
export function buildAnalysisRegistry(
  settings: Readonly<Record<string, unknown>>,
  options: RegistryOptions = {},
): AnalysisRegistry {
  const definitions = definitionsOf(settings);
  const components = componentsOf(definitions);
  const builder = createBuilder(definitions, components, options);
  checkDefinitions(definitions, components, builder);
  const stages = new WeakMap<Analyzer, AnalyzerParts>();
  const named = (name: string): BuiltAnalyzer | null =>
    builder.analyzer(name) ?? (name === 'default' ? builder.analyzer('standard') : null);
  const own = (built: BuiltAnalyzer | null, isCustom: boolean): Analyzer | null => {
    if (built?.parts && isCustom) stages.set(built.analyzer, built.parts);
    return built?.analyzer ?? null;
  };
  const isCustom = (name: string): boolean => {
    const definition = definitions.analyzer.get(name);
    return definition !== undefined && (definition['type'] ?? 'custom') === 'custom';
  };
  const analyzer = (name: string): Analyzer | null => own(named(name), isCustom(name));
  const defaultAnalyzer = analyzer('default')!;
  return {
    analyzer,
    normalizer: (name) => own(builder.normalizer(name), true),
    defaultAnalyzer,
    defaultSearchAnalyzer: analyzer('default_search') ?? defaultAnalyzer,
    custom: (definition) =>
      own(fromParts('__custom__', inlineParts(definition, components, builder, options.isGlobal ?? false)), true)!,
    stages: (built): readonly AnalyzerStage[] | null => {
      const parts = stages.get(built);
      return parts ? stagesOf(parts) : null;
    },
  };
}

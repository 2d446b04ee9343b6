import type { FieldType } from '@shoal/mapping';
import {
  type AnalysisRegistry,
  type Analyzer,
  type AnalyzerStage,
  type TokenList,
  buildAnalysisRegistry,
} from '@shoal/analysis';
import type { IndexMetadata } from '@shoal/state';
import { errors, notBoolean } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { compileTokenPredicate } from '@shoal/script';
import { didYouMean } from '@shoal/values';
import { validationError } from '../bulk/validate-operation.js';
import type { CallContext } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { takeTurns, type Turns } from '../turns.js';

/** Default of `index.analyze.max_token_count`. */
const TOKENS_MAX = 10_000;
const KEYS = ['text', 'analyzer', 'field', 'tokenizer', 'filter', 'char_filter', 'explain', 'attributes', 'normalizer'];

interface Token {
  readonly token: string;
  readonly start_offset: number;
  readonly end_offset: number;
  readonly type: string;
  readonly position: number;
  readonly positionLength?: number;
}

/** The analyzer of a request, and whether `explain` shows its stages. */
interface ChosenAnalyzer {
  readonly analyzer: Analyzer;
  readonly name: string;
  readonly gap: number;
  /** Whether the request makes it up of stages. */
  readonly isAnonymous?: true;
}

function unknownKey(body: JsonObject, key: string): Error {
  return errors.xContentParse(`[analyze_request] unknown field [${key}]${didYouMean(key, KEYS)}`, {
    location: { container: body, key, at: 'key' },
  });
}

/** JSON types that each key of the body accepts. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  text: ['VALUE_STRING', 'START_ARRAY'],
  analyzer: ['VALUE_STRING'],
  field: ['VALUE_STRING'],
  normalizer: ['VALUE_STRING'],
  tokenizer: ['VALUE_STRING', 'START_OBJECT'],
  filter: ['START_ARRAY', 'START_OBJECT'],
  char_filter: ['START_ARRAY', 'START_OBJECT'],
  explain: ['VALUE_BOOLEAN', 'VALUE_STRING'],
  attributes: ['START_ARRAY', 'VALUE_STRING'],
};

function tokenType(value: unknown): string {
  if (value === null) return 'VALUE_NULL';
  if (Array.isArray(value)) return 'START_ARRAY';
  const names: Readonly<Record<string, string>> = {
    string: 'VALUE_STRING',
    boolean: 'VALUE_BOOLEAN',
    object: 'START_OBJECT',
  };
  return names[typeof value] ?? 'VALUE_NUMBER';
}

/** Lists of the body whose items are scalars; those of filters may be objects too. */
const LISTS = new Set(['text', 'attributes', 'filter', 'char_filter']);

/** Refuses a list with items that are no scalars. */
function checkItems(key: string, items: readonly unknown[]): void {
  const areFilters = key === 'filter' || key === 'char_filter';
  const wrong = items.findIndex((item) => typeof item === 'object' && (!areFilters || Array.isArray(item)));
  if (wrong < 0) return;
  const location = { container: items, key: wrong };
  const type = tokenType(items[wrong]);
  throw errors.xContentParse(`[analyze_request] failed to parse field [${key}]`, {
    cause: Array.isArray(items[wrong])
      ? errors.refusedState(`expected value but got [${type}]`)
      : errors.refusedState(`Can't get text on a ${type}`, { location: { ...location, isAppended: 'bare' } }),
    location,
  });
}

/** Refuses keys and values in the order of the body. */
function checkEntries(body: JsonObject): void {
  for (const [key, value] of Object.entries(body)) {
    if (!KEYS.includes(key)) throw unknownKey(body, key);
    const type = tokenType(value);
    if (TYPES[key]?.includes(type)) {
      if (LISTS.has(key) && Array.isArray(value)) checkItems(key, value);
      if (key === 'explain') checkExplain(body);
      continue;
    }
    throw errors.xContentParse(`[analyze_request] ${key} doesn't support values of type: ${type}`, {
      location: { container: body, key },
    });
  }
}

function checkExplain(body: JsonObject): void {
  const { explain } = body;
  if (typeof explain !== 'string' || explain === 'true' || explain === 'false') return;
  throw errors.xContentParse('[analyze_request] failed to parse field [explain]', {
    cause: notBoolean(explain),
    location: { container: body, key: 'explain' },
  });
}

/** Returns a body whose keys are those of `_analyze`, with values of their kinds. Throws for others. */
export function analyzeBody(body: unknown): JsonObject {
  if (!isPlainObject(body))
    throw errors.parsing('Failed to parse object: expecting token of type [START_OBJECT]', {
      meta: { line: 1, col: 1 },
    });
  checkEntries(body);
  return body;
}

function texts(body: JsonObject): string[] {
  const text = body['text'];
  if (text === undefined || (Array.isArray(text) && text.length === 0)) throw validationError(['text is missing']);
  return (Array.isArray(text) ? text : [text]).map(String);
}

/** Limit on the characters of all texts. They have 10,000 tokens at most, unless an index allows more. */
const CHARACTERS_MAX = 1_000_000;

function checkLength(inputs: readonly string[]): void {
  const length = inputs.reduce((sum, text) => sum + text.length, 0);
  if (length > CHARACTERS_MAX)
    throw errors.illegalArgument(
      `The length [${length}] of the texts of [_analyze] exceeds the allowed maximum of [${CHARACTERS_MAX}]`,
    );
}

function named(registry: AnalysisRegistry, name: string, index: IndexMetadata | null): ChosenAnalyzer {
  const analyzer = registry.analyzer(name);
  if (!analyzer) throw errors.illegalArgument(`failed to find ${index === null ? 'global ' : ''}analyzer [${name}]`);
  return { analyzer, name, gap: gapOf(analyzer, index) };
}

/** Positions between texts: the analyzers that an index gets by name leave gaps, the same without an index do not. */
function gapOf({ positionIncrementGap }: ChosenAnalyzer['analyzer'], index: IndexMetadata | null): number {
  return index === null ? 0 : positionIncrementGap;
}

function custom(registry: AnalysisRegistry, body: JsonObject): ChosenAnalyzer {
  const { tokenizer, filter, char_filter: charFilter } = body;
  const isNormalizer = tokenizer === undefined;
  const analyzer = registry.custom({
    ...(isNormalizer ? { normalizer: true } : { tokenizer }),
    ...(filter === undefined ? {} : { filter }),
    ...(charFilter === undefined ? {} : { char_filter: charFilter }),
  });
  const gap = isNormalizer ? 0 : analyzer.positionIncrementGap;
  return { analyzer, name: '_anonymous_analyzer', gap, isAnonymous: true };
}

/** The analyzer of a field of text, the normalizer of a keyword; null for others. Flattened values are keywords. */
function analyzerOf(type: FieldType, registry: AnalysisRegistry): ChosenAnalyzer['analyzer'] | null {
  if (type.capabilities.completes) return null;
  if (type.keyed !== undefined) return registry.analyzer('keyword') ?? null;
  const normalizer = type.toJson(false)['normalizer'];
  return type.indexAnalyzer ?? (typeof normalizer === 'string' ? (registry.normalizer(normalizer) ?? null) : null);
}

function ofField(
  context: CoordinatorContext,
  registry: AnalysisRegistry,
  index: IndexMetadata | null,
  field: string,
): ChosenAnalyzer {
  if (index === null) throw errors.illegalArgument('analysis based on a specific field requires an index');
  const type = context.mappings.current(index).mapping.field(field);
  if (!type) return byDefault(registry, index);
  // All keys of a `flattened` field are one field there.
  if (type.keyOf !== undefined) throw errors.illegalArgument(`No analyzer configured for field ${type.keyOf}._keyed`);
  const analyzer = analyzerOf(type, registry);
  if (!analyzer)
    throw errors.illegalArgument(
      `Can't process field [${field}], Analysis requests are only supported on tokenized fields`,
    );
  const { position_increment_gap: gap, analyzer: given } = type.toJson(true);
  // A field with a gap of its own has another analyzer of the same name.
  const name = analyzer === registry.defaultAnalyzer || given === 'default' ? 'default' : analyzer.name;
  if (typeof gap === 'number') return { analyzer, name, gap };
  // Keywords are whole: their analyzer has a name of its own and leaves no gaps.
  if (type.valueKind === 'keyword') return { analyzer, name: keywordName(type, analyzer), gap: 0 };
  return { analyzer, name: analyzer.name, gap: analyzer.positionIncrementGap };
}

const keywordName = (type: FieldType, { name }: ChosenAnalyzer['analyzer']): string =>
  typeof type.toJson(false)['normalizer'] === 'string' ? name : '_keyword';

function ofNormalizer(registry: AnalysisRegistry, index: IndexMetadata | null, name: string): ChosenAnalyzer {
  if (index === null) throw validationError(['index is required if normalizer is specified']);
  const analyzer = registry.normalizer(name);
  if (!analyzer) throw errors.illegalArgument(`failed to find normalizer under [${name}]`);
  return { analyzer, name, gap: 0 };
}

function checkCombination(body: JsonObject): void {
  const problems: string[] = [];
  if (body['normalizer'] !== undefined && (body['tokenizer'] !== undefined || body['analyzer'] !== undefined))
    problems.push('tokenizer/analyze should be null if normalizer is specified');
  if (
    body['analyzer'] !== undefined &&
    (body['tokenizer'] !== undefined || body['filter'] !== undefined || body['char_filter'] !== undefined)
  ) {
    problems.push('cannot define extra components on a named analyzer');
  }
  if (body['normalizer'] !== undefined && (body['filter'] !== undefined || body['char_filter'] !== undefined))
    problems.push('cannot define extra components on a named normalizer');
  if (problems.length > 0) throw validationError(problems);
}

function choose(
  context: CoordinatorContext,
  registry: AnalysisRegistry,
  index: IndexMetadata | null,
  body: JsonObject,
): ChosenAnalyzer {
  if (body['analyzer'] !== undefined) return named(registry, String(body['analyzer']), index);
  if (body['normalizer'] !== undefined) return ofNormalizer(registry, index, String(body['normalizer']));
  if (body['field'] !== undefined) return ofField(context, registry, index, String(body['field']));
  if (body['tokenizer'] !== undefined || body['filter'] !== undefined || body['char_filter'] !== undefined)
    return custom(registry, body);
  return byDefault(registry, index);
}

/** The default analyzer, which is called `default` where an index has it. */
function byDefault({ defaultAnalyzer }: AnalysisRegistry, index: IndexMetadata | null): ChosenAnalyzer {
  const name = index === null ? defaultAnalyzer.name : 'default';
  return { analyzer: defaultAnalyzer, name, gap: gapOf(defaultAnalyzer, index) };
}

/** How a request's texts become tokens. */
interface Gathering {
  readonly gap: number;
  readonly tokensMax: number;
  readonly turns: Turns;
  readonly analyze: (text: string) => TokenList;
}

/** Characters of a long text that are analysed first, to see whether it has too many tokens. */
const PROBE_CHARACTERS = 1 << 17;
const TEXTS_AT_ONCE = 256;

/**
 * Collects the tokens of several texts. Positions and offsets of each text continue those of the previous one. The
 * beginning of a long text is analysed by itself: the text has too many tokens if that has.
 */
async function gather(
  inputs: readonly string[],
  { gap, tokensMax, turns, analyze: tokensOf }: Gathering,
): Promise<Token[]> {
  const tokens: Token[] = [];
  let position = 0;
  let offset = 0;
  for (let t = 0; t < inputs.length; t++) {
    const text = inputs[t]!;
    if (text.length > PROBE_CHARACTERS * 2 && tokensOf(text.slice(0, PROBE_CHARACTERS)).count > tokensMax)
      throw tooManyTokens(tokensMax);
    const list = tokensOf(text);
    if (tokens.length + list.count > tokensMax) throw tooManyTokens(tokensMax);
    for (let i = 0; i < list.count; i++) {
      tokens.push({
        token: list.terms[i]!,
        start_offset: offset + list.startOffsets[i]!,
        end_offset: offset + list.endOffsets[i]!,
        type: list.types[i] ?? 'word',
        position: position + list.positions[i]!,
        ...(list.positionLengths[i]! > 1 ? { positionLength: list.positionLengths[i]! } : {}),
      });
    }
    position += list.endPosition + gap;
    offset += text.length + 1;
    if (t % TEXTS_AT_ONCE === TEXTS_AT_ONCE - 1) await turns.pause();
  }
  return tokens;
}

function tooManyTokens(tokensMax: number): Error {
  return errors.refusedState(
    `The number of tokens produced by calling _analyze has exceeded the allowed maximum of [${tokensMax}]. This ` +
      'limit can be set by changing the [index.analyze.max_token_count] index level setting.',
  );
}

/** Options of `explain`: which attributes of tokens it shows (null: all). */
interface Detail {
  readonly tokensMax: number;
  readonly turns: Turns;
  readonly attributes: ReadonlySet<string> | null;
}

function detailed(token: Token, { attributes }: Detail): Record<string, unknown> {
  const hex = [...Buffer.from(token.token)].map((byte) => byte.toString(16)).join(' ');
  const extra = Object.entries({ bytes: `[${hex}]`, positionLength: token.positionLength ?? 1, termFrequency: 1 });
  return {
    ...token,
    ...Object.fromEntries(attributes === null ? extra : extra.filter(([name]) => attributes.has(name))),
  };
}

async function stageJson(
  stage: AnalyzerStage,
  inputs: readonly string[],
  gap: number,
  detail: Detail,
): Promise<Record<string, unknown>> {
  if (stage.kind === 'char_filter')
    return { name: stage.name, filtered_text: inputs.map((text) => stage.run(text).text) };
  const found = await gather(inputs, { ...detail, gap, analyze: (text) => stage.run(text).tokens! });
  return { name: stage.name, tokens: found.map((token) => detailed(token, detail)) };
}

async function explained(
  registry: AnalysisRegistry,
  chosen: ChosenAnalyzer,
  inputs: readonly string[],
  detail: Detail,
): Promise<JsonObject> {
  const stages = registry.stages(chosen.analyzer);
  if (!stages) {
    const found = await gather(inputs, {
      ...detail,
      gap: chosen.gap,
      analyze: (text) => chosen.analyzer.analyze(text, true),
    });
    const tokens = found.map((token) => detailed(token, detail));
    return { detail: { custom_analyzer: false, analyzer: { name: chosen.name, tokens } } };
  }
  // The stages of an analyzer that the request makes up leave no gaps.
  const gap = chosen.isAnonymous ? 0 : chosen.gap;
  const of = async (kind: AnalyzerStage['kind']): Promise<Record<string, unknown>[]> => {
    const shown: Record<string, unknown>[] = [];
    for (const stage of stages) if (stage.kind === kind) shown.push(await stageJson(stage, inputs, gap, detail));
    return shown;
  };
  return {
    detail: {
      custom_analyzer: true,
      charfilters: await of('char_filter'),
      tokenizer: (await of('tokenizer'))[0],
      tokenfilters: await of('filter'),
    },
  };
}

function attributesOf(value: unknown): ReadonlySet<string> | null {
  if (value === undefined) return null;
  return new Set(Array.isArray(value) ? value.map(String) : String(value).split(','));
}

/** Returns the answer of `_analyze`: the tokens that a named, custom or field analyzer makes of texts. */
export async function analyze(
  context: CoordinatorContext,
  index: IndexMetadata | null,
  given: unknown,
  call: CallContext,
): Promise<JsonObject> {
  const body = analyzeBody(given);
  checkCombination(body);
  const inputs = texts(body);
  checkLength(inputs);
  const registry =
    index === null
      ? buildAnalysisRegistry({}, { isGlobal: true, predicate: compileTokenPredicate })
      : context.mappings.current(index).options.analysis;
  const chosen = choose(context, registry, index, body);
  const tokensMax = Number(index?.settings['index.analyze.max_token_count'] ?? TOKENS_MAX);
  const turns = takeTurns(context.clock, call.signal);
  if (String(body['explain']) === 'true')
    return explained(registry, chosen, inputs, { tokensMax, turns, attributes: attributesOf(body['attributes']) });
  const analyzeText = (text: string): TokenList => chosen.analyzer.analyze(text, true);
  return { tokens: await gather(inputs, { gap: chosen.gap, tokensMax, turns, analyze: analyzeText }) };
}

import { type ApiError, errors } from '@shoal/errors';
import { bodyReader, isPlainObject, type JsonObject } from '@shoal/json';
import { parseModel, type TreeModel } from '@shoal/learning';
import { VERSION } from '@shoal/values';
import { MODELS_INDEX } from '../documents/ml-indices.js';
import { checkId, selectByExpression } from '../jobs/job-id.js';
import type { MlDoors } from '../ml-doors.js';
import { configJson, inferOne, type InferenceConfig, parseInferenceConfig, parseInputs } from './inference-config.js';
import { checkFeatures, type RankModel } from './ranking-config.js';
import { LANGUAGE_CONFIG, LANGUAGE_FIELD, LANGUAGE_MODEL_ID, openLanguageModel } from './language-model.js';
import { definitionParts, deflateInTurns, inflateDefinition } from './model-definition.js';

const MODELS_MAX = 10_000;
const PARTS_MAX = 200;
/** Documents of one call. */
const DOCUMENTS_MAX = 10_000;
/** Share of the bytes of models of a node that cached trained models may have. */
const CACHE_SHARE = 0.25;
/** Largest compressed definition of a model that ranks: it goes to shards with each search. */
const RANK_DEFINITION_MAX = 4 * 1024 * 1024;

const configId = (id: string): string => `trained_model_config-${id}`;
const partId = (id: string, part: number): string => `trained_model_definition_doc-${id}-${part}`;
const aliasId = (alias: string): string => `model_alias-${alias}`;
const missing = (id: string): ApiError => errors.resourceNotFound(`Could not find trained model [${id}]`);

interface LoadedModel {
  readonly id: string;
  readonly model: TreeModel;
  readonly config: InferenceConfig;
  readonly inputs: readonly string[];
  readonly fieldMap: Readonly<Record<string, string>>;
  /** Differs for models of one id. */
  readonly version: string;
  /** The compressed definition of a model that ranks hits, else empty. */
  readonly definition: string;
}

/** A model that answers questions. */
interface LoadedPredictor {
  readonly kind: string;
  infer(fields: JsonObject, config: JsonObject | null): JsonObject;
}

interface ModelCounters {
  inferences: number;
  failures: number;
  misses: number;
  missingAll: number;
}

/** A question to a model: the fields of a document, or texts. */
export interface InferenceQuestion {
  readonly modelId: string;
  readonly input:
    | { readonly kind: 'fields'; readonly fields: JsonObject }
    | { readonly kind: 'texts'; readonly texts: readonly string[] };
  readonly config: JsonObject | null;
}

const KEYS = [
  ...['model_id', 'description', 'model_type', 'input', 'inference_config', 'definition', 'compressed_definition'],
  ...[
    'metadata',
    'tags',
    'default_field_map',
    'model_size_bytes',
    'platform_architecture',
    'location',
    'prefix_strings',
  ],
];

/** What models of texts put before them; kept and shown, as 8.12 does for models of trees. */
function prefixStrings(json: unknown): JsonObject {
  const reader = bodyReader('trained_model_config_prefix_strings', json);
  reader.onlyKeys(['ingest', 'search']);
  const entries = ['ingest', 'search'].map((key) => [key, reader.optionalText(key)] as const);
  return Object.fromEntries(entries.filter(([, text]) => text !== null));
}

/** Trained models: kept in documents, parsed once on each node that uses them. */
export class TrainedModels {
  readonly #doors: MlDoors;
  readonly #cache = new Map<string, Promise<LoadedModel>>();
  readonly #counters = new Map<string, ModelCounters>();
  #cachedBytes = 0;

  constructor(doors: MlDoors) {
    this.#doors = doors;
  }

  /** Bytes of the models that are parsed on this node. */
  get cachedBytes(): number {
    return this.#cachedBytes;
  }

  /** Makes a model; returns its configuration. */
  async put(id: string, body: unknown): Promise<JsonObject> {
    const reader = bodyReader('trained_model_config', body);
    reader.onlyKeys(KEYS);
    checkId('model_id', id);
    const given = body as JsonObject;
    const type = reader.optionalText('model_type') ?? 'tree_ensemble';
    refuseType(type);
    const inferenceConfig = given['inference_config'];
    if (inferenceConfig === undefined)
      throw errors.actionRequestValidation('Validation Failed: 1: [inference_config] must not be null;');
    const config = parseInferenceConfig(inferenceConfig, null);
    const compressed = reader.optionalText('compressed_definition');
    if ((compressed === null) === (given['definition'] === undefined))
      throw errors.actionRequestValidation(
        'Validation Failed: 1: either [definition] or [compressed_definition] must be set, and not both;',
      );
    const definition = compressed === null ? given['definition'] : await this.#inflate(compressed);
    await this.#doors.clock.yield();
    const model = parseModel(definition);
    await this.#doors.clock.yield();
    if (model.target !== (config.kind === 'classification' ? 'classification' : 'regression'))
      throw errors.illegalArgument(
        `[inference_config] of type [${config.kind}] does not fit a model of type [${model.target}]`,
      );
    const isRanking = config.ranking !== null;
    if (isRanking && given['input'] !== undefined)
      throw errors.actionRequestValidation(
        'Validation Failed: 1: cannot specify [input.field_names] for a model of type [learning_to_rank];',
      );
    if (isRanking) checkFeatures(config, model.featureNames);
    const inputs = parseInputs(given['input']) ?? (isRanking ? [] : model.featureNames);
    const source: JsonObject = {
      ...{ model_id: id, model_type: 'tree_ensemble', created_by: 'api_user', version: VERSION },
      create_time: this.#doors.clock.now(),
      ...{ model_size_bytes: model.bytes, estimated_operations: model.operations, license_level: 'basic' },
      ...(given['description'] === undefined ? {} : { description: given['description'] }),
      tags: [...reader.texts('tags')],
      ...(given['metadata'] === undefined ? {} : { metadata: reader.optionalObject('metadata') }),
      input: { field_names: [...inputs] },
      ...(given['default_field_map'] === undefined
        ? {}
        : { default_field_map: reader.optionalObject('default_field_map') }),
      inference_config: configJson(config),
      ...(given['prefix_strings'] === undefined ? {} : { prefix_strings: prefixStrings(given['prefix_strings']) }),
    };
    const turn = (): Promise<void> => this.#doors.clock.yield();
    await this.#write(id, source, compressed ?? (await deflateInTurns(definition, turn)));
    return source;
  }

  /** Keeps a model that was trained here; `source` says the rest of its configuration. */
  async keep(id: string, compressed: string, source: JsonObject): Promise<void> {
    const model = parseModel(await this.#inflate(compressed));
    const own: JsonObject = {
      ...{ model_id: id, model_type: 'tree_ensemble', created_by: '_xpack' },
      create_time: this.#doors.clock.now(),
      ...{ model_size_bytes: model.bytes, estimated_operations: model.operations, license_level: 'basic' },
      ...source,
    };
    await this.#write(id, own, compressed);
  }

  #inflate(compressed: string): Promise<unknown> {
    return inflateDefinition(compressed, this.#doors.modelBytes, () => this.#doors.clock.yield());
  }

  async #write(id: string, source: JsonObject, compressed: string): Promise<void> {
    const { documents } = this.#doors;
    if (id === LANGUAGE_MODEL_ID)
      throw errors.resourceAlreadyExists(`Trained machine learning model [${id}] already exists`);
    if ((await documents.get(MODELS_INDEX, aliasId(id))) !== null)
      throw errors.resourceAlreadyExists(`requested model_id [${id}] is the same as an existing model_alias`);
    if ((await documents.get(MODELS_INDEX, configId(id))) !== null)
      throw errors.resourceAlreadyExists(`Trained machine learning model [${id}] already exists`);
    const parts = [...definitionParts(compressed)];
    if (parts.length > PARTS_MAX) throw errors.illegalArgument(`the definition has more than [${PARTS_MAX}] parts`);
    for (const [part, text] of parts.entries()) {
      const own = { model_id: id, doc_type: 'trained_model_definition_doc', definition_num: part, definition: text };
      await documents.put(MODELS_INDEX, partId(id, part), own, null, false);
    }
    const stored = { ...source, doc_type: 'trained_model_config', parts: parts.length };
    try {
      await documents.put(MODELS_INDEX, configId(id), stored, 'new', true);
    } catch (error) {
      if ((error as { status?: number }).status !== 409) throw error;
      throw errors.resourceAlreadyExists(`Trained machine learning model [${id}] already exists`);
    }
  }

  async #all(): Promise<{ id: string; source: JsonObject }[]> {
    const body = { size: MODELS_MAX, query: { term: { doc_type: 'trained_model_config' } } };
    const { hits } = await this.#doors.documents.search(MODELS_INDEX, body);
    const own = hits.map(({ source }) => ({ id: String(source['model_id']), source }));
    return [...own, { id: LANGUAGE_MODEL_ID, source: LANGUAGE_CONFIG }];
  }

  async #aliases(): Promise<{ alias: string; modelId: string }[]> {
    const body = { size: MODELS_MAX, query: { term: { doc_type: 'model_alias' } } };
    const { hits } = await this.#doors.documents.search(MODELS_INDEX, body);
    return hits.map(({ source }) => ({ alias: String(source['alias']), modelId: String(source['model_id']) }));
  }

  /** Returns models of an expression; `include` may name the definition. */
  async find(
    expression: string,
    allowNoMatch: boolean,
    tags: readonly string[],
  ): Promise<{ id: string; source: JsonObject }[]> {
    const aliases = await this.#aliases();
    const aliasesOf = ({ id }: { id: string }): string[] =>
      aliases.filter(({ modelId }) => modelId === id).map(({ alias }) => alias);
    const found = selectByExpression(await this.#all(), expression, allowNoMatch, missing, aliasesOf);
    const tagged = found.filter(({ source }) => tags.every((tag) => (source['tags'] as string[]).includes(tag)));
    return tagged.map(({ id, source: { doc_type: _type, parts: _parts, ...source } }) => {
      const own = aliasesOf({ id });
      return {
        id,
        source:
          own.length === 0
            ? source
            : { ...source, metadata: { ...(source['metadata'] as JsonObject), model_aliases: own } },
      };
    });
  }

  /** Returns the definition of a model, compressed or not. */
  async definition(id: string, isInflated: boolean): Promise<JsonObject> {
    const compressed = await this.#compressed(id);
    return isInflated ? { definition: await this.#inflate(compressed) } : { compressed_definition: compressed };
  }

  async #compressed(id: string): Promise<string> {
    if (id === LANGUAGE_MODEL_ID)
      throw errors.illegalArgument(`the definition of [${id}] is part of the program and cannot be shown`);
    const { documents } = this.#doors;
    const found = await documents.get(MODELS_INDEX, configId(id));
    if (found === null) throw missing(id);
    const texts: string[] = [];
    for (let part = 0; part < Number(found.source['parts']); part++) {
      const own = await documents.get(MODELS_INDEX, partId(id, part));
      if (own === null) throw errors.resourceNotFound(`part [${part}] of the definition of model [${id}] is missing`);
      texts.push(String(own.source['definition']));
    }
    return texts.join('');
  }

  async remove(id: string, force: boolean, usedBy: readonly string[]): Promise<void> {
    const { documents } = this.#doors;
    if (id === LANGUAGE_MODEL_ID) throw errors.illegalArgument(`Unable to delete model [${id}] as it is built in`);
    if ((await documents.get(MODELS_INDEX, configId(id))) === null) throw missing(id);
    if (usedBy.length > 0 && !force)
      throw errors.status(
        `Cannot delete model [${id}] as it is still referenced by ingest processors; use force to delete the model`,
        { status: 409 },
      );
    await documents.calls.deleteMatching(MODELS_INDEX, { term: { model_id: id } });
    await this.#changed();
  }

  /** Names a model. Without `reassigns` an alias of another model is refused. */
  async putAlias(alias: string, id: string, reassigns: boolean): Promise<void> {
    const { documents } = this.#doors;
    checkId('model_alias', alias);
    if ((await documents.get(MODELS_INDEX, configId(alias))) !== null)
      throw errors.status('model_alias cannot be the same as an existing trained model_id', { status: 409 });
    if (id !== LANGUAGE_MODEL_ID && (await documents.get(MODELS_INDEX, configId(id))) === null) throw missing(id);
    const known = await documents.get(MODELS_INDEX, aliasId(alias));
    if (known !== null && known.source['model_id'] !== id && !reassigns)
      throw errors.illegalArgument(
        `cannot assign model_alias [${alias}] to model_id [${id}] as model_alias already refers to ` +
          `[${String(known.source['model_id'])}]. ` +
          'Set parameter [reassign] to [true] if model_alias should be reassigned.',
      );
    await documents.put(MODELS_INDEX, aliasId(alias), { doc_type: 'model_alias', alias, model_id: id }, null, true);
    await this.#changed();
  }

  async removeAlias(alias: string, id: string): Promise<void> {
    const { documents } = this.#doors;
    const known = await documents.get(MODELS_INDEX, aliasId(alias));
    if (known?.source['model_id'] !== id)
      throw errors.resourceNotFound(`model_alias [${alias}] does not refer to provided model_id [${id}]`);
    await documents.remove(MODELS_INDEX, aliasId(alias), true);
    await this.#changed();
  }

  /** Lets all nodes forget what they have parsed: a model or an alias has gone. */
  async #changed(): Promise<void> {
    const ids = [...this.#doors.cluster.state().nodes.keys()];
    await this.#doors.coordinator.callNodes(ids, 'ml-models-changed', {});
  }

  /** Answers calls of other nodes, and of this one. */
  readonly calls = {
    'ml-models-changed': () => {
      this.#cache.clear();
      this.#cachedBytes = 0;
      return {};
    },
    'ml-model-counters': () => Object.fromEntries(this.#counters),
  };

  #load(name: string): Promise<LoadedModel> {
    const known = this.#cache.get(name);
    if (known !== undefined) {
      // Used last: evicted last.
      this.#cache.delete(name);
      this.#cache.set(name, known);
      return known;
    }
    const loading = this.#read(name);
    this.#cache.set(name, loading);
    loading.then(
      ({ model }) => this.#makeRoom(model.bytes),
      () => this.#cache.delete(name),
    );
    return loading;
  }

  #makeRoom(bytes: number): void {
    this.#cachedBytes += bytes;
    const most = CACHE_SHARE * this.#doors.modelBytes;
    if (this.#cachedBytes <= most || this.#cache.size <= 1) return;
    const last = [...this.#cache].at(-1)!;
    this.#cache.clear();
    this.#cache.set(...last);
    this.#cachedBytes = bytes;
  }

  async #read(name: string): Promise<LoadedModel> {
    const { documents } = this.#doors;
    const alias = await documents.get(MODELS_INDEX, aliasId(name));
    const id = alias === null ? name : String(alias.source['model_id']);
    if (id === LANGUAGE_MODEL_ID) return this.#languageModel();
    const found = await documents.get(MODELS_INDEX, configId(id));
    if (found === null) throw missing(name);
    const definition = await this.#compressed(id);
    const model = parseModel(await this.#inflate(definition));
    const { field_names: inputs } = found.source['input'] as { field_names: readonly string[] };
    const config = parseInferenceConfig(found.source['inference_config'], null);
    const fieldMap = (found.source['default_field_map'] ?? {}) as Readonly<Record<string, string>>;
    this.#countersOf(id).misses++;
    const version = `${String(found.source['create_time'])}-${definition.length}`;
    return { id, model, config, inputs, fieldMap, version, definition: config.ranking === null ? '' : definition };
  }

  #languageModel(): LoadedModel {
    this.#countersOf(LANGUAGE_MODEL_ID).misses++;
    return {
      id: LANGUAGE_MODEL_ID,
      model: openLanguageModel(),
      config: parseInferenceConfig(LANGUAGE_CONFIG['inference_config'], null),
      inputs: [LANGUAGE_FIELD],
      ...{ fieldMap: {}, version: '', definition: '' },
    };
  }

  #countersOf(id: string): ModelCounters {
    let counters = this.#counters.get(id);
    if (counters === undefined) {
      counters = { inferences: 0, failures: 0, misses: 0, missingAll: 0 };
      this.#counters.set(id, counters);
    }
    return counters;
  }

  /** Answers a question to a model: what processors and aggregations call. */
  async infer({ modelId, input, config }: InferenceQuestion): Promise<readonly JsonObject[]> {
    if (input.kind === 'texts') {
      const { id } = await this.#load(modelId);
      if (id === LANGUAGE_MODEL_ID)
        return this.inferAll(
          modelId,
          input.texts.map((text) => ({ text })),
          config,
        );
      throw errors.illegalArgument(`model [${modelId}] takes fields, not texts: [input_output] is for models of texts`);
    }
    return this.inferAll(modelId, [input.fields], config);
  }

  /** Answers a question for each document. */
  async inferAll(
    modelId: string,
    fields: readonly JsonObject[],
    config: JsonObject | null,
  ): Promise<readonly JsonObject[]> {
    if (fields.length > DOCUMENTS_MAX)
      throw errors.illegalArgument(`[docs] has more than [${DOCUMENTS_MAX}] documents`);
    const { infer } = await this.predictor(modelId);
    return fields.map((document) => infer(document, config));
  }

  /** Loads a model or an alias. */
  async predictor(modelId: string): Promise<LoadedPredictor> {
    const loaded = await this.#load(modelId);
    if (loaded.config.ranking !== null)
      throw errors.illegalArgument(
        `model [${modelId}] ranks hits of searches: it can be used by the rescorer [learning_to_rank] alone`,
      );
    const counters = this.#countersOf(loaded.id);
    let last: { readonly json: JsonObject; readonly config: InferenceConfig } | null = null;
    return {
      kind: loaded.config.kind,
      infer: (document, json) => {
        if (json !== null && last?.json !== json) last = { json, config: parseInferenceConfig(json, loaded.config) };
        const own = json === null ? loaded.config : last!.config;
        const result = inferOne(loaded.model, modelId, own, loaded.inputs, readerOf(document, loaded.fieldMap));
        counters.inferences++;
        if (result['warning'] !== undefined) counters.missingAll++;
        return result;
      },
    };
  }

  /** Loads a model that ranks hits, with the queries of its features. */
  async rankModel(modelId: string): Promise<RankModel> {
    const { id, config, version, definition } = await this.#load(modelId);
    if (config.ranking === null)
      throw errors.illegalArgument(
        `model [${modelId}] has inference config of type [${config.kind}] which is not supported by rescorer ` +
          '[learning_to_rank]',
      );
    if (definition.length > RANK_DEFINITION_MAX)
      throw errors.illegalArgument(
        `the definition of model [${modelId}] is larger than the [${RANK_DEFINITION_MAX}] bytes that go with a search`,
      );
    this.#countersOf(id).inferences++;
    const { features, defaultParams } = config.ranking;
    return { id, version, definition, features, defaultParams };
  }

  /** Statistics of models; `pipelines` counts the pipelines that use one. */
  async stats(
    models: readonly { id: string; source: JsonObject }[],
    pipelines: (id: string) => number,
  ): Promise<JsonObject[]> {
    const ids = [...this.#doors.cluster.state().nodes.keys()];
    const answers = await this.#doors.coordinator.callNodes(ids, 'ml-model-counters', {});
    const all = answers.flatMap(({ error, body }) => (error === null ? [body as Record<string, ModelCounters>] : []));
    return models.map(({ id, source }) => {
      const sum = (key: keyof ModelCounters): number => all.reduce((total, one) => total + (one[id]?.[key] ?? 0), 0);
      return {
        model_id: id,
        model_size_stats: { model_size_bytes: source['model_size_bytes'], required_native_memory_bytes: 0 },
        pipeline_count: pipelines(id),
        ...(sum('inferences') + sum('misses') === 0
          ? {}
          : {
              inference_stats: {
                failure_count: sum('failures'),
                inference_count: sum('inferences'),
                cache_miss_count: sum('misses'),
                missing_all_fields_count: sum('missingAll'),
                timestamp: this.#doors.clock.now(),
              },
            }),
      };
    });
  }
}

function refuseType(type: string): void {
  if (type === 'tree_ensemble') return;
  if (type === 'pytorch')
    throw errors.illegalArgument(
      '[model_type] [pytorch] is not supported: this program has no runtime of PyTorch; use a model of trees, or ' +
        'compute the results of the model outside and index them',
    );
  throw errors.illegalArgument(`[model_type] [${type}] is not supported: only [tree_ensemble] is`);
}

/** Reads fields of a document by whole names or along dots, under the names that the model has for them. */
function readerOf(document: JsonObject, fieldMap: Readonly<Record<string, string>>): (field: string) => unknown {
  const sources = new Map(Object.entries(fieldMap).map(([from, to]) => [to, from]));
  const read = (name: string): unknown => {
    if (Object.hasOwn(document, name)) return document[name];
    let value: unknown = document;
    for (const part of name.split('.')) {
      if (!isPlainObject(value) || !Object.hasOwn(value, part)) return undefined;
      value = value[part];
    }
    return value;
  };
  return (name) => read(name) ?? (sources.has(name) ? read(sources.get(name)!) : undefined);
}

import { type ApiError, type ErrorLocation, errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { ParseContext, ScriptedField } from '@shoal/query';
import { didYouMean } from '@shoal/values';
import type { AggregationNode, AggregationTree, ParseSite, PipelineNode } from '../aggregation-type.js';
import { aggregationTypes, pipelineTypes } from '../catalogue.js';
import { tokenName } from './body-fields.js';
import { orderPipelines } from './order-pipelines.js';

/** Limit for levels of aggregations in a request. Partial results nest as deeply. */
export const AGGREGATION_DEPTH_MAX = 40;

type Body = Readonly<Record<string, unknown>>;
interface Level {
  readonly nodes: AggregationNode[];
  readonly pipelines: PipelineNode[];
}

const parsing = (reason: string, location: ErrorLocation): ApiError => errors.parsing(reason, { location });

function asBody(value: unknown, container: object, key: string, reason: string): Body {
  if (!isPlainObject(value)) throw parsing(reason, { container, key });
  return value as Body;
}

function unknownType(type: string, location: ErrorLocation): ApiError {
  const hint = didYouMean(type, [...aggregationTypes.keys(), ...pipelineTypes.keys()]);
  const cause = errors.namedObjectNotFound(`unknown field [${type}]`, { location });
  return errors.parsing(`Unknown aggregation type [${type}]${hint}`, { location, cause });
}

interface Parts {
  readonly type: string;
  readonly subs: Body | null;
  readonly meta: Body | null;
}

/** Splits the body of one aggregation into type, sub-aggregations and `meta`. */
function partsOf(name: string, body: Body): Parts | null {
  let type: string | null = null;
  let subs: Body | null = null;
  let meta: Body | null = null;
  for (const key of Object.keys(body)) {
    const value = asBody(
      body[key],
      body,
      key,
      `Expected [START_OBJECT] under [${key}], but got a [${tokenName(body[key])}] in [${name}]`,
    );
    if (key === 'meta') meta = value;
    else if (key === 'aggs' || key === 'aggregations') {
      if (subs) throw parsing(`Found two sub aggregation definitions under [${name}]`, { container: body, key });
      subs = value;
    } else if (type === null) type = key;
    else
      throw parsing(`Found two aggregation type definitions in [${name}]: [${type}] and [${key}]`, {
        container: body,
        key,
      });
  }
  return type === null ? null : { type, subs, meta };
}

function checkName(name: string, container: object): void {
  if (/^[^[\]>]+$/.test(name)) return;
  throw parsing(
    `Invalid aggregation name [${name}]. Aggregation names can contain any character except '[', ']', and '>'`,
    { container, key: name, at: 'key' },
  );
}

function parsePipeline(site: ParseSite, meta: Body | null, location: ErrorLocation): PipelineNode {
  try {
    const definition = pipelineTypes.get(site.type)!;
    return { name: site.name, type: site.type, definition, behaviour: definition.parse(site), meta };
  } catch (thrown) {
    throw located(thrown, location);
  }
}

/** Sets the location of a parsing_exception without one to that of the body of the aggregation. */
function located(thrown: unknown, location: ErrorLocation): unknown {
  const error = thrown as ApiError;
  if (error.type === 'parsing_exception' && !error.location) error.location = location;
  return error;
}

/** What all aggregations of a level share. */
interface LevelSite {
  readonly context: ParseContext;
  readonly scripted: ScriptedField[];
  readonly isBelowNested: boolean;
}

const siteBelow = (type: string, around: LevelSite): LevelSite =>
  type === 'nested' ? { ...around, isBelowNested: true } : around;

function parseAggregation(site: ParseSite, parts: Parts, depth: number, around: LevelSite): AggregationNode {
  const definition = aggregationTypes.get(site.type)!;
  const behaviour = definition.parse(site);
  const below = parts.subs
    ? parseLevel(parts.subs, siteBelow(site.type, around), depth + 1)
    : { nodes: [], pipelines: [] };
  if (!behaviour.acceptsSubs && (below.nodes.length > 0 || below.pipelines.length > 0)) {
    throw errors.aggregationInitialization(
      `Aggregator [${site.name}] of type [${site.type}] cannot accept sub-aggregations`,
    );
  }
  const node: AggregationNode = {
    name: site.name,
    type: site.type,
    definition,
    behaviour,
    subs: below.nodes,
    pipelines: below.pipelines,
    meta: parts.meta,
    parent: null,
  };
  for (const sub of below.nodes) sub.parent = node;
  return node;
}

function parseOne(container: Body, name: string, around: LevelSite, depth: number, level: Level): void {
  checkName(name, container);
  const body = asBody(
    container[name],
    container,
    name,
    `Aggregation definition for [${name} starts with a [${tokenName(container[name])}], expected a [START_OBJECT].`,
  );
  const parts = partsOf(name, body);
  if (!parts) throw parsing(`Missing definition for aggregation [${name}]`, { container, key: name, at: 'end' });
  const location = { container: body, key: parts.type };
  const site: ParseSite = {
    name,
    type: parts.type,
    body: body[parts.type] as Body,
    ...around,
    hasSubs: parts.subs !== null && Object.keys(parts.subs).length > 0,
  };
  if (aggregationTypes.has(parts.type)) level.nodes.push(parseAggregation(site, parts, depth, around));
  else if (!pipelineTypes.has(parts.type)) throw unknownType(parts.type, location);
  else if (site.hasSubs) throw parsing(`Aggregation [${name}] cannot define sub-aggregations`, location);
  else level.pipelines.push(parsePipeline(site, parts.meta, location));
}

function parseLevel(body: Body, around: LevelSite, depth: number): Level {
  if (depth > AGGREGATION_DEPTH_MAX)
    throw errors.illegalArgument(`aggregations are nested deeper than [${AGGREGATION_DEPTH_MAX}] levels`);
  const level: Level = { nodes: [], pipelines: [] };
  for (const name of Object.keys(body)) parseOne(body, name, around, depth, level);
  return level;
}

function anyNeedsScores(nodes: readonly AggregationNode[]): boolean {
  return nodes.some((node) => node.behaviour.needsScores === true || anyNeedsScores(node.subs));
}

/** Trained models that the pipelines of a level and of those below name. */
function modelsOf({
  nodes,
  pipelines,
}: {
  nodes: readonly AggregationNode[];
  pipelines: readonly PipelineNode[];
}): string[] {
  const own = pipelines.flatMap(({ behaviour }) => (behaviour.modelId === undefined ? [] : [behaviour.modelId]));
  return [...own, ...nodes.flatMap(({ subs, pipelines: below }) => modelsOf({ nodes: subs, pipelines: below }))];
}

function anyNeedsAllShards(nodes: readonly AggregationNode[]): boolean {
  return nodes.some((node) => node.behaviour.needsAllShards === true || anyNeedsAllShards(node.subs));
}

function anyRunsScripts(nodes: readonly AggregationNode[]): boolean {
  return nodes.some((node) => node.behaviour.runsScripts === true || anyRunsScripts(node.subs));
}

function anySlow(nodes: readonly AggregationNode[]): boolean {
  return nodes.some((node) => node.behaviour.isSlow === true || anySlow(node.subs));
}

/**
 * Parses the aggregations of a search. `body` is the value of `aggs` or `aggregations`, `container` the object that has
 * this key. Throws parsing_exception, x_content_parse_exception and the validation errors of pipelines.
 */
export function parseAggregations(body: unknown, container: object, context: ParseContext): AggregationTree {
  const key = Object.hasOwn(container, 'aggregations') && !Object.hasOwn(container, 'aggs') ? 'aggregations' : 'aggs';
  const scripted: ScriptedField[] = [];
  const level = parseLevel(
    asBody(body, container, key, `Unknown key for a ${tokenName(body)} in [${key}].`),
    { context, scripted, isBelowNested: false },
    1,
  );
  return {
    nodes: level.nodes,
    pipelines: orderPipelines(level.nodes, level.pipelines),
    needsScores: anyNeedsScores(level.nodes),
    needsAllShards: anyNeedsAllShards(level.nodes),
    runsScripts: anyRunsScripts(level.nodes),
    isSlow: anyRunsScripts(level.nodes) || anySlow(level.nodes),
    scripted,
    modelIds: [...new Set(modelsOf(level))],
  };
}

import { dashboardPanel, type DashboardPanel, type KibanaChart } from './kibana-charts.js';
import type { ObjectReference } from './object-types.js';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member that is an object; an empty one for what is none. */
export const objectIn = (value: Json, name: string): Json => (isObject(value[name]) ? value[name] : {});

/** A member that is a text; empty for what is none. */
export const textIn = (value: Json, name: string): string => (typeof value[name] === 'string' ? value[name] : '');

/** A member that is a list of objects. */
export const objectsIn = (value: Json, name: string): readonly Json[] =>
  Array.isArray(value[name]) ? value[name].filter(isObject) : [];

/** The object that a member holds as JSON within a text. */
export function parsedIn(value: Json, name: string): Json {
  try {
    const parsed: unknown = JSON.parse(textIn(value, name));
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/** Tells the title of an index pattern by its id; null if it is not known. */
export type PatternOf = (id: string) => string | null;

/** Operations of Lens and of visualizations by the name of ours. */
const OPERATIONS: Readonly<Record<string, string>> = {
  ...{ count: 'count', sum: 'sum', min: 'min', max: 'max' },
  ...{ average: 'avg', avg: 'avg', unique_count: 'cardinality', cardinality: 'cardinality' },
};
const LENS_CHARTS: Readonly<Record<string, KibanaChart>> = {
  ...{ lnsXY: 'xy', lnsPie: 'pie', lnsDatatable: 'table', lnsMetric: 'metric', lnsLegacyMetric: 'metric' },
  ...{ lnsGauge: 'gauge', lnsHeatmap: 'heat_map' },
};
const VISUALIZATION_CHARTS: Readonly<Record<string, KibanaChart>> = {
  ...{ histogram: 'xy', line: 'xy', area: 'xy', horizontal_bar: 'xy', pie: 'pie', table: 'table', metric: 'metric' },
  ...{ gauge: 'gauge', goal: 'gauge', heatmap: 'heat_map' },
};
const PIE_SHAPES = ['', 'pie', 'donut'];

/** Whether a chart has a query or filters of its own, which a panel of ours has not: its numbers would be others. */
const isNarrowed = (source: Json, filters: string): boolean =>
  textIn(objectIn(source, 'query'), 'query').trim() !== '' || objectsIn(source, filters).length > 0;

/** A chart of Lens with one layer as a panel of ours; null if it has no counterpart. */
export function panelOfLens(
  attributes: Json,
  references: readonly ObjectReference[],
  patternOf: PatternOf,
): DashboardPanel | null {
  const state = objectIn(attributes, 'state');
  const sources = objectIn(state, 'datasourceStates');
  const layers = Object.entries(objectIn(objectIn(sources, 'formBased'), 'layers')).concat(
    Object.entries(objectIn(objectIn(sources, 'indexpattern'), 'layers')),
  );
  const [name, layer] = layers[0] ?? ['', {}];
  if (layers.length !== 1 || !isObject(layer) || isNarrowed(state, 'filters')) return null;
  const shape = textIn(objectIn(state, 'visualization'), 'shape');
  const chart = LENS_CHARTS[textIn(attributes, 'visualizationType')];
  const pattern = references.find((one) => one.name.endsWith(`indexpattern-datasource-layer-${name}`));
  const indices = pattern === undefined ? null : patternOf(pattern.id);
  const columns = Object.values(objectIn(layer, 'columns')).filter(isObject);
  const isFiltered = columns.some((column) => isObject(column['filter']));
  if (chart === undefined || indices === null || isFiltered || !PIE_SHAPES.includes(shape)) return null;
  return dashboardPanel(
    chart,
    indices,
    columns.map((column) => partOf(textIn(column, 'operationType'), textIn(column, 'sourceField'))),
  );
}

/** A visualization as a panel of ours; null if it has no counterpart. */
export function panelOfVisualization(
  {
    type,
    params,
    aggs,
    source,
  }: { readonly type: string; readonly params: Json; readonly aggs: readonly Json[]; readonly source: Json },
  references: readonly ObjectReference[],
  patternOf: PatternOf,
): DashboardPanel | null {
  if (type === 'markdown') return { kind: 'text', text: textIn(params, 'markdown') };
  const chart = VISUALIZATION_CHARTS[type];
  if (chart === undefined || isNarrowed(source, 'filter')) return null;
  const named = textIn(source, 'indexRefName');
  const id = references.find(({ name }) => name === named)?.id ?? textIn(source, 'index');
  const indices = patternOf(id);
  if (indices === null) return null;
  const used = aggs.filter(({ enabled }) => enabled !== false);
  return dashboardPanel(
    chart,
    indices,
    used.map((agg) => partOf(textIn(agg, 'type'), textIn(objectIn(agg, 'params'), 'field'))),
  );
}

function partOf(operation: string, field: string): Parameters<typeof dashboardPanel>[2][number] {
  if (operation === 'date_histogram' || operation === 'terms') return { bucket: operation, field };
  const op = OPERATIONS[operation];
  return op === undefined ? null : { op, field: op === 'count' ? '' : field };
}

import type { DashboardPanel } from './kibana-charts.js';
import { filterOfKibana } from './kibana-objects.js';
import {
  objectIn,
  objectsIn,
  panelOfLens,
  panelOfVisualization,
  parsedIn,
  type PatternOf,
  textIn,
} from './kibana-panels.js';
import type { NewObject } from './object-store.js';
import type { ObjectReference } from './object-types.js';

type Json = Readonly<Record<string, unknown>>;

/** An object of a file that is kept only as a panel of a dashboard. */
export interface PanelObject {
  readonly attributes: Json;
  readonly references: readonly ObjectReference[];
}

/** Tells an object of the file by its type and id. */
export type PanelObjectOf = (type: string, id: string) => PanelObject | undefined;

/** A dashboard of Kibana as one of ours, and what of it has no counterpart. */
export interface TakenDashboard {
  readonly object: NewObject;
  /** Panels that are left out, by name and kind. */
  readonly left: readonly string[];
  /** Objects that became panels, as `type id`. */
  readonly used: readonly string[];
}

/** Panels of our dashboards at most. */
const PANELS_MAX = 100;
/** Panels of Kibana that are looked at: each that is left out is named. */
const LISTED_MAX = 1_000;
/** Columns of Kibana's grid beyond which a panel takes the whole width of ours. */
const HALF_WIDTH = 24;

/** A dashboard of Kibana as one of ours; null if none of its panels has a counterpart. */
export function dashboardOfKibana(
  dashboard: NewObject,
  objectOf: PanelObjectOf,
  patternOf: PatternOf,
): TakenDashboard | null {
  const { attributes, references } = dashboard;
  const listed = objectsIn({ list: parsedList(attributes) }, 'list')
    .slice(0, LISTED_MAX)
    .toSorted((a, b) => placeOf(a) - placeOf(b));
  const panels: Json[] = [];
  const left: string[] = [];
  const used: string[] = [];
  for (const panel of listed) {
    const reference = referenceOf(panel, references);
    const panelObject = reference === undefined ? undefined : objectOf(reference.type, reference.id);
    const made = madePanel(panel, { references, reference, panelObject, patternOf });
    const name = nameOf(panel, panelObject);
    if (made === null || panels.length === PANELS_MAX)
      left.push(`${name || 'without a title'} (${kindOf(panel, panelObject)})`);
    else {
      if (panelObject !== undefined) used.push(`${reference!.type} ${reference!.id}`);
      const isWide = gridNumber(panel, 'w') > HALF_WIDTH;
      panels.push({ id: `panel-${panels.length + 1}`, ...(name === '' ? {} : { title: name }), ...made, isWide });
    }
  }
  if (panels.length === 0) return null;
  return { object: { ...dashboard, references: [], attributes: { ...sharedOf(attributes), panels } }, left, used };
}

function parsedList(attributes: Json): unknown {
  try {
    return JSON.parse(textIn(attributes, 'panelsJSON'));
  } catch {
    return [];
  }
}

/** Panels in the order that people read them. */
const placeOf = (panel: Json): number => gridNumber(panel, 'y') * 1_000 + gridNumber(panel, 'x');

function gridNumber(panel: Json, name: string): number {
  const value = objectIn(panel, 'gridData')[name];
  return typeof value === 'number' ? value : 0;
}

/** What a panel shows that is an object of its own; its name has the number of the panel before it since 8.0. */
function referenceOf(panel: Json, references: readonly ObjectReference[]): ObjectReference | undefined {
  const named = textIn(panel, 'panelRefName');
  if (named === '') return undefined;
  return references.find(({ name }) => name === named || name === `${textIn(panel, 'panelIndex')}:${named}`);
}

/** What a panel is made of. */
interface PanelParts {
  /** References of the dashboard. */
  readonly references: readonly ObjectReference[];
  readonly reference: ObjectReference | undefined;
  readonly panelObject: PanelObject | undefined;
  readonly patternOf: PatternOf;
}

function madePanel(panel: Json, { references, reference, panelObject, patternOf }: PanelParts): DashboardPanel | null {
  if (reference?.type === 'search') return { kind: 'search', search: reference.id };
  const config = objectIn(panel, 'embeddableConfig');
  const type = reference?.type ?? textIn(panel, 'type');
  // Those of a chart within the dashboard begin with the number of its panel.
  const own = references.filter(({ name }) => name.startsWith(`${textIn(panel, 'panelIndex')}:`));
  if (type === 'lens') {
    const attributes = panelObject?.attributes ?? objectIn(config, 'attributes');
    const inside = objectsIn(attributes, 'references') as unknown as readonly ObjectReference[];
    return panelOfLens(attributes, [...(panelObject?.references ?? []), ...inside, ...own].filter(isNamed), patternOf);
  }
  if (type !== 'visualization') return null;
  if (panelObject === undefined) {
    const saved = objectIn(config, 'savedVis');
    const data = objectIn(saved, 'data');
    const [params, source] = [objectIn(saved, 'params'), objectIn(data, 'searchSource')];
    const chart = { type: textIn(saved, 'type'), params, aggs: objectsIn(data, 'aggs'), source };
    return panelOfVisualization(chart, own, patternOf);
  }
  const state = parsedIn(panelObject.attributes, 'visState');
  const source = parsedIn(objectIn(panelObject.attributes, 'kibanaSavedObjectMeta'), 'searchSourceJSON');
  const chart = {
    type: textIn(state, 'type'),
    params: objectIn(state, 'params'),
    aggs: objectsIn(state, 'aggs'),
    source,
  };
  return panelOfVisualization(chart, panelObject.references, patternOf);
}

const isNamed = ({ name, id }: ObjectReference): boolean => typeof name === 'string' && typeof id === 'string';

function nameOf(panel: Json, panelObject: PanelObject | undefined): string {
  const config = objectIn(panel, 'embeddableConfig');
  const names = [
    textIn(panel, 'title'),
    textIn(config, 'title'),
    textIn(objectIn(config, 'attributes'), 'title'),
    textIn(objectIn(config, 'savedVis'), 'title'),
    panelObject === undefined ? '' : textIn(panelObject.attributes, 'title'),
  ];
  return names.find((name) => name !== '') ?? '';
}

function kindOf(panel: Json, panelObject: PanelObject | undefined): string {
  const config = objectIn(panel, 'embeddableConfig');
  const kinds = [
    textIn(panelObject?.attributes ?? objectIn(config, 'attributes'), 'visualizationType'),
    textIn(
      panelObject === undefined ? objectIn(config, 'savedVis') : parsedIn(panelObject.attributes, 'visState'),
      'type',
    ),
    textIn(panel, 'type'),
  ];
  return kinds.find((kind) => kind !== '') ?? 'of no known kind';
}

/** Title, range and query over all panels. */
function sharedOf(attributes: Json): Json {
  const source = parsedIn(objectIn(attributes, 'kibanaSavedObjectMeta'), 'searchSourceJSON');
  const query = objectIn(source, 'query');
  const [from, to] = [textIn(attributes, 'timeFrom'), textIn(attributes, 'timeTo')];
  return {
    title: textIn(attributes, 'title'),
    range: attributes['timeRestore'] === true && from !== '' && to !== '' ? { from, to } : 'all',
    text: textIn(query, 'query'),
    language: textIn(query, 'language') === 'lucene' ? 'lucene' : 'kql',
    filters: objectsIn(source, 'filter').flatMap(filterOfKibana),
  };
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dashboardOfKibana } from './kibana-dashboard.js';
import { importObjects } from './import-objects.js';
import type { NewObject, SavedObjectStore } from './object-store.js';

const patternOf = (id: string): string | null => (id === 'p' ? 'logs-*' : null);
const layerReference = { type: 'index-pattern', id: 'p', name: 'indexpattern-datasource-layer-l' };

/** A chart of Lens with one layer of columns. */
const lens = (visualizationType: string, columns: object, more: object = {}) => ({
  title: visualizationType,
  visualizationType,
  references: [layerReference],
  state: {
    query: { query: '' },
    filters: [],
    datasourceStates: { formBased: { layers: { l: { columns } } } },
    ...more,
  },
});
const COUNT = { operationType: 'count', isBucketed: false };
const TERMS = { operationType: 'terms', sourceField: 'host', isBucketed: true };
const TIMES = { operationType: 'date_histogram', sourceField: '@timestamp', isBucketed: true };

function dashboard(panels: readonly object[], references: NewObject['references'] = []): NewObject {
  const listed = panels.map((panel, i) => ({ panelIndex: String(i), gridData: { x: 0, y: i, w: 24 }, ...panel }));
  return { type: 'dashboard', id: 'd', references, attributes: { title: 'Old', panelsJSON: JSON.stringify(listed) } };
}
const byValue = (attributes: object) => ({ type: 'lens', embeddableConfig: { attributes } });
const panelsOf = (object: NewObject | undefined) => object?.attributes['panels'] as readonly Record<string, unknown>[];

test('charts of Lens become panels of the kinds that fit, and the others are named', () => {
  const average = { operationType: 'average', sourceField: 'size' };
  const charts = [
    lens('lnsXY', { a: TIMES, b: TERMS, c: average }),
    lens('lnsPie', { a: TERMS, b: COUNT }, { visualization: { shape: 'donut' } }),
    lens('lnsMetric', { a: { operationType: 'unique_count', sourceField: 'host' } }),
    lens('lnsHeatmap', { a: TIMES, b: TERMS, c: COUNT }),
    lens('lnsPie', { a: TERMS, b: COUNT }, { visualization: { shape: 'treemap' } }),
    lens('lnsXY', { a: TIMES, b: { operationType: 'percentile', sourceField: 'size' } }),
    lens('lnsMetric', { a: COUNT }, { query: { query: 'level: error' } }),
    lens('lnsChoropleth', { a: TERMS, b: COUNT }),
  ];
  const taken = dashboardOfKibana(dashboard(charts.map(byValue)), () => undefined, patternOf);
  assert.deepEqual(
    panelsOf(taken?.object).map(({ kind, field, split, measure }) => [kind, field, split, measure]),
    [
      ['date_histogram', '@timestamp', 'host', { op: 'avg', field: 'size' }],
      ['pie', 'host', undefined, { op: 'count', field: '' }],
      ['metric', undefined, undefined, { op: 'cardinality', field: 'host' }],
      ['heat_map', 'host', undefined, { op: 'count', field: '' }],
    ],
  );
  assert.deepEqual(taken?.left, [
    'lnsPie (lnsPie)',
    'lnsXY (lnsXY)',
    'lnsMetric (lnsMetric)',
    'lnsChoropleth (lnsChoropleth)',
  ]);
});

test('visualizations, texts and saved searches become panels in the order that people read', () => {
  const source = { query: { query: '' }, filter: [], indexRefName: 'r' };
  const state = {
    type: 'pie',
    aggs: [
      { type: 'sum', params: { field: 'size' } },
      { type: 'terms', params: { field: 'host' } },
    ],
  };
  const pie = {
    attributes: {
      title: 'By host',
      visState: JSON.stringify(state),
      kibanaSavedObjectMeta: { searchSourceJSON: JSON.stringify(source) },
    },
    references: [{ type: 'index-pattern', id: 'p', name: 'r' }],
  };
  const note = {
    type: 'visualization',
    embeddableConfig: { savedVis: { type: 'markdown', params: { markdown: 'Read *this*.' } } },
  };
  const panels = [
    { panelRefName: 'panel_0', gridData: { x: 0, y: 9, w: 48 } },
    { panelRefName: 'panel_1', gridData: { x: 24, y: 0, w: 24 } },
    { ...note, gridData: { x: 0, y: 0, w: 24 } },
  ];
  const references = [
    { type: 'visualization', id: 'v', name: 'panel_0' },
    { type: 'search', id: 's', name: '1:panel_1' },
  ];
  const taken = dashboardOfKibana(
    dashboard(panels, references),
    (type, id) => (`${type} ${id}` === 'visualization v' ? pie : undefined),
    patternOf,
  );
  assert.deepEqual(panelsOf(taken?.object), [
    { id: 'panel-1', kind: 'text', text: 'Read *this*.', isWide: false },
    { id: 'panel-2', kind: 'search', search: 's', isWide: false },
    {
      id: 'panel-3',
      title: 'By host',
      kind: 'pie',
      field: 'host',
      indices: 'logs-*',
      measure: { op: 'sum', field: 'size' },
      isWide: true,
    },
  ]);
  assert.deepEqual(taken?.used, ['visualization v']);
});

test('a dashboard without any panel of ours, or with broken ones, is not taken', () => {
  for (const panelsJSON of ['[]', '{', '[1,null]', '[{"type":"lens"}]', '[{"gridData":{"y":{"toString":1}}},{}]']) {
    const object: NewObject = { type: 'dashboard', id: 'd', references: [], attributes: { title: 'x', panelsJSON } };
    assert.equal(
      dashboardOfKibana(object, () => undefined, patternOf),
      null,
      panelsJSON,
    );
  }
});

test('an import takes a dashboard with what it refers to, and names in warnings what is left out', async () => {
  const written: NewObject[] = [];
  const store = {
    writeAll: async (objects: readonly NewObject[]) => {
      written.push(...objects);
      return objects.map(() => ({ kind: 'written' }));
    },
  } as unknown as SavedObjectStore;
  const panels = [{ panelRefName: 'a' }, byValue(lens('lnsTagcloud', { a: TERMS, b: COUNT }))];
  const lines = [
    { type: 'index-pattern', id: 'p', attributes: { title: 'logs-*' }, references: [] },
    { type: 'lens', id: 'x', attributes: lens('lnsMetric', { a: COUNT }), references: [layerReference] },
    { type: 'lens', id: 'unused', attributes: lens('lnsMetric', { a: COUNT }), references: [layerReference] },
    dashboard(panels, [{ type: 'lens', id: 'x', name: 'a' }]),
  ];
  const file = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
  const { errors, warnings, successCount } = await importObjects(file, store, { isOverwrite: false, objectsMax: 10 });
  assert.equal(successCount, 2);
  assert.deepEqual(
    errors?.map(({ type, id }) => [type, id]),
    [['lens', 'unused']],
  );
  assert.deepEqual(warnings, [
    { type: 'simple', message: 'The dashboard [Old] is taken without its panel [lnsTagcloud (lnsTagcloud)].' },
  ]);
  assert.deepEqual(
    panelsOf(written.find(({ type }) => type === 'dashboard')).map(({ kind, indices }) => [kind, indices]),
    [['metric', 'logs-*']],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY_DASHBOARD, type Measure, type Panel, readDashboard } from './panel.js';
import { needsSpan, panelBody, panelQuery, panelStep, panelTimeField, spanBefore } from './panel-request.js';

const field = (name: string, type: string) => ({
  name,
  type,
  isSearchable: true,
  isAggregatable: true,
  isVariant: false,
});
const context = { fields: [field('when', 'date'), field('host', 'keyword')], timeZone: 'UTC' };
const span = { from: 0, to: 60_000 };
const COUNT: Measure = { op: 'count', field: '' };

const panel = (part: Partial<Panel>): Panel => ({
  ...readDashboard({ panels: [{ kind: 'text' }] }).panels[0]!,
  ...part,
});
const aggsOf = (part: Partial<Panel>): unknown =>
  (panelBody(panel(part), {}, context, 'when', span) as { readonly aggs?: unknown }).aggs;

test('each kind asks for what it shows', () => {
  const avg: Measure = { op: 'avg', field: 'size' };
  const m = { m: { avg: { field: 'size' } } };
  assert.deepEqual(aggsOf({ kind: 'terms', field: 'host', measure: COUNT }), {
    values: { terms: { field: 'host', size: 10 } },
  });
  assert.deepEqual(aggsOf({ kind: 'table', field: 'host', measure: avg }), {
    values: { terms: { field: 'host', size: 100, order: { m: 'desc' } }, aggs: m },
  });
  assert.deepEqual(aggsOf({ kind: 'pie', field: 'host', measure: { op: 'sum', field: 'size' } }), {
    values: {
      terms: { field: 'host', size: 4, order: { m: 'desc' } },
      aggs: { m: { sum: { field: 'size' } } },
    },
    whole: { filter: { exists: { field: 'host' } }, aggs: { m: { sum: { field: 'size' } } } },
  });
  assert.deepEqual(aggsOf({ kind: 'gauge', measure: avg }), m);
  assert.deepEqual(
    [aggsOf({ kind: 'metric', measure: avg }), aggsOf({ kind: 'metric', measure: COUNT })],
    [m, undefined],
  );
  const time = {
    date_histogram: {
      field: 'when',
      fixed_interval: '1s',
      time_zone: 'UTC',
      min_doc_count: 0,
      extended_bounds: { min: 0, max: 60_000 },
    },
  };
  assert.deepEqual(aggsOf({ kind: 'date_histogram', measure: avg }), { time: { ...time, aggs: m } });
  assert.deepEqual(aggsOf({ kind: 'date_histogram', split: 'host', measure: COUNT }), {
    time: { ...time, aggs: { split: { terms: { field: 'host', size: 4 } } } },
    series: { terms: { field: 'host', size: 4 } },
  });
  assert.deepEqual(aggsOf({ kind: 'heat_map', field: 'host', measure: COUNT }), {
    values: {
      terms: { field: 'host', size: 10 },
      aggs: { time: { date_histogram: { ...time.date_histogram, fixed_interval: '5s' } } },
    },
  });
  assert.deepEqual(aggsOf({ kind: 'map', field: 'place', measure: COUNT }), {
    cells: { geotile_grid: { field: 'place', precision: 5, size: 1_000 } },
  });
  assert.equal(panelStep(panel({ kind: 'heat_map' }), span).ms, 5_000);
});

test('the query of the dashboard is within the span, where there is a time', () => {
  assert.deepEqual(panelQuery(EMPTY_DASHBOARD, context, null, span), { bool: { filter: [] } });
  const within = panelQuery(EMPTY_DASHBOARD, context, 'when', span) as { bool: { filter: readonly unknown[] } };
  assert.equal(within.bool.filter.length, 1);
  assert.equal(panelTimeField(panel({ kind: 'date_histogram', field: 'when' }), context.fields), 'when');
  assert.deepEqual([needsSpan(panel({ kind: 'heat_map' })), needsSpan(panel({ kind: 'terms' }))], [true, false]);
  assert.deepEqual(spanBefore({ from: 100, to: 199 }), { from: 0, to: 99 });
});

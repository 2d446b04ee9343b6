import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapPlace, movedView, viewAfterKey, viewOf, zoomedView } from './map-view.js';

const WORLD = { x: 0, y: 0, width: 360, height: 360 };

test('places are those of Web Mercator, and a view has all of them', () => {
  assert.deepEqual(mapPlace([0, 0]), { x: 180, y: 180 });
  assert.ok(Math.abs(mapPlace([180, 85.05]).y) < 0.1);
  assert.equal(mapPlace([0, 90]).y, mapPlace([0, 85.05]).y);
  assert.deepEqual(viewOf([{ x: 180, y: 180 }]), { x: 165, y: 165, width: 30, height: 30 });
  assert.deepEqual(viewOf([mapPlace([-180, 85.05]), mapPlace([180, -85.05])]).width, 360);
});

test('a zoom keeps its place, ends at two degrees and at the whole map', () => {
  assert.deepEqual(zoomedView(WORLD, 2), { x: 90, y: 90, width: 180, height: 180 });
  assert.deepEqual(zoomedView(WORLD, 2, [0, 1]), { x: 0, y: 180, width: 180, height: 180 });
  let view = WORLD;
  for (let i = 0; i < 50; i++) view = zoomedView(view, 1.5);
  assert.ok(Math.abs(view.width - 2) < 1e-9, String(view.width));
  for (let i = 0; i < 50; i++) view = zoomedView(view, 1 / 1.5);
  assert.deepEqual(view, WORLD);
});

test('keys move and zoom, within the map', () => {
  const view = zoomedView(WORLD, 4);
  assert.equal(viewAfterKey('ArrowLeft', view, WORLD)!.x, view.x - 18);
  assert.equal(viewAfterKey('ArrowDown', view, WORLD)!.y, view.y + 18);
  assert.deepEqual(viewAfterKey('+', view, WORLD), zoomedView(view, 1.5));
  assert.equal(viewAfterKey('0', view, WORLD), WORLD);
  assert.equal(viewAfterKey('a', view, WORLD), null);
  assert.deepEqual(movedView(view, 50, -50), { ...view, x: 270, y: 0 });
});

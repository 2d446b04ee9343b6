import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EARTH_RADIUS_METERS, haversineMeters } from '@shoal/values';
import { areaTest } from './geo-area.js';

const RADIANS = Math.PI / 180;

/** The point at a distance in metres from another, in a direction in radians. */
function travel(lat: number, lon: number, meters: number, direction: number): { lat: number; lon: number } {
  const angle = meters / EARTH_RADIUS_METERS;
  const sine =
    Math.sin(lat * RADIANS) * Math.cos(angle) + Math.cos(lat * RADIANS) * Math.sin(angle) * Math.cos(direction);
  const east = Math.atan2(
    Math.sin(direction) * Math.sin(angle) * Math.cos(lat * RADIANS),
    Math.cos(angle) - Math.sin(lat * RADIANS) * sine,
  );
  const turned = lon + east / RADIANS;
  return { lat: Math.asin(Math.max(-1, Math.min(1, sine))) / RADIANS, lon: turned - 360 * Math.round(turned / 360) };
}

test('a circle contains the points that are not farther from its centre, wherever it lies', () => {
  // Lehmer's generator, with the multiplier of Park and Miller.
  let state = 2026;
  const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const between = (low: number, high: number): number => low + random() * (high - low);
  let [inside, outside] = [0, 0];
  for (let circle = 0; circle < 400; circle++) {
    const lat = circle % 5 === 0 ? between(84, 90) * Math.sign(between(-1, 1)) : between(-85, 85);
    const lon = circle % 7 === 0 ? between(178, 182) : between(-180, 180);
    const meters = 10 ** between(-1, 7.2);
    const { contains } = areaTest({ kind: 'distance', lat, lon, meters });
    for (let i = 0; i < 200; i++) {
      const away = i % 2 === 0 ? between(0, 2 * meters) : meters + 10 ** between(-3, 3) * Math.sign(between(-1, 1));
      const point = travel(lat, lon, Math.max(0, away), between(0, 2 * Math.PI));
      const isNear = haversineMeters(lat, lon, point.lat, point.lon) <= meters;
      assert.equal(contains(point.lat, point.lon), isNear, JSON.stringify({ lat, lon, meters, point }));
      if (isNear) inside++;
      else outside++;
    }
  }
  assert.ok(inside > 20_000 && outside > 20_000, `${inside} ${outside}`);
});

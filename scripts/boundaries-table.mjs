// The table of rooms (docs/internals/architecture.md §1): who may import whom.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');

export function readTable() {
  return JSON.parse(fs.readFileSync(path.join(root, 'scripts', 'boundaries.json'), 'utf8'));
}

/** Rooms that tests, benchmarks and `testing/` folders of `room` may import besides. */
export function roomsInTests(table, room) {
  return table.inTests.filter((name) => name !== room);
}

/** Rooms that `room` may import: its row, the pure floor from level 2 up, and `errors`. */
export function allowedRooms(table, room) {
  const spec = table.rooms[room];
  if (spec.may.includes('*'))
    return Object.keys(table.rooms).filter(
      (r) => table.rooms[r].level < spec.level && !table.inTests.includes(r) && !table.rooms[r].browser,
    );
  const floor = spec.level >= 2 ? table.floor : [];
  const every = room === 'errors' || table.inTests.includes(room) ? [] : table.everywhere;
  const all = new Set([...every, ...floor, ...spec.may]);
  for (const r of all) {
    if (r !== 'errors' && table.rooms[r].level >= spec.level)
      throw new Error(`${room} (level ${spec.level}) may not import ${r}`);
  }
  return [...all];
}

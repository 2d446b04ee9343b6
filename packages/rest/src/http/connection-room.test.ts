import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectionRoom } from './connection-room.js';

test('beyond the limit who has never asked is closed, the oldest first, then who is idle for longest', () => {
  const room = new ConnectionRoom<string>(4);
  for (const one of ['busy', 'early', 'late', 'silent']) assert.equal(room.enter(one), null);
  room.asked('busy');
  for (const one of ['early', 'late', 'early']) room.asked(one)();
  assert.equal(room.enter('second silent'), 'silent');
  assert.equal(room.enter('third silent'), 'second silent');
  room.asked('third silent');
  assert.equal(room.enter('fourth silent'), 'late');
  room.asked('fourth silent');
  assert.equal(room.enter('fifth silent'), 'early');
});

test('a newcomer is refused while all others have requests in progress', () => {
  const room = new ConnectionRoom<string>(1);
  room.enter('busy');
  const answered = room.asked('busy');
  assert.equal(room.enter('newcomer'), 'newcomer');
  answered();
  assert.equal(room.enter('newcomer'), 'busy');
});

test('connections that are closed make room', () => {
  const room = new ConnectionRoom<string>(1);
  room.enter('first');
  room.leave('first');
  room.asked('first')();
  assert.equal(room.enter('second'), null);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CalendarUnit, calendarRounding, fixedRounding } from './rounding.js';
import { timeZone, UTC } from './zone.js';

const ms = (text: string): number => Date.parse(text);
const iso = (value: number): string => new Date(value).toISOString();

test('calendar units follow wall time through clock changes', () => {
  const berlin = timeZone('Europe/Berlin');
  const day = calendarRounding('day', berlin, 0);
  assert.equal(iso(day.floor(ms('2024-03-31T12:00:00Z'))), '2024-03-30T23:00:00.000Z');
  assert.equal(iso(day.next(ms('2024-03-30T23:00:00Z'))), '2024-03-31T22:00:00.000Z');
  const hour = calendarRounding('hour', berlin, 0);
  assert.equal(iso(hour.floor(ms('2024-10-27T00:30:00Z'))), '2024-10-27T00:00:00.000Z');
  assert.equal(iso(hour.floor(ms('2024-10-27T01:30:00Z'))), '2024-10-27T01:00:00.000Z');
  const month = calendarRounding('month', berlin, 0);
  assert.equal(iso(month.floor(ms('2024-04-01T00:00:00Z'))), '2024-03-31T22:00:00.000Z');
});

test('midnights that do not exist start at the first moment after the gap', () => {
  const saoPaulo = timeZone('America/Sao_Paulo');
  const day = calendarRounding('day', saoPaulo, 0);
  assert.equal(iso(day.floor(ms('2018-11-04T12:00:00Z'))), '2018-11-04T03:00:00.000Z');
});

test('weeks start on Monday, fixed intervals at the local epoch', () => {
  assert.equal(iso(calendarRounding('week', UTC, 0).floor(ms('2024-01-07T23:59:59Z'))), '2024-01-01T00:00:00.000Z');
  assert.equal(
    iso(fixedRounding(30 * 86_400_000, timeZone('+02:00'), 0).floor(ms('2024-01-02T00:00:00Z'))),
    '2023-12-18T22:00:00.000Z',
  );
  assert.equal(
    iso(calendarRounding('month', UTC, 86_400_000).floor(ms('2024-02-01T12:00:00Z'))),
    '2024-01-02T00:00:00.000Z',
  );
});

const units: CalendarUnit[] = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'];
const zones = ['UTC', '+05:30', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Sao_Paulo'].map(
  timeZone,
);

test('a stretch holds its values, starts where it says, and floorMany agrees with floor', () => {
  const moment = fc.integer({ min: Date.UTC(1950, 0, 1), max: Date.UTC(2100, 0, 1) });
  fc.assert(
    fc.property(
      fc.array(moment, { minLength: 1, maxLength: 20 }),
      fc.constantFrom(...zones),
      fc.constantFrom(...units),
      fc.constantFrom(0, 3_600_000),
      (values, zone, unit, offset) => {
        for (const isFixed of [false, true]) {
          const rounding = isFixed ? fixedRounding(5_400_000, zone, offset) : calendarRounding(unit, zone, offset);
          const many = Float64Array.from(values);
          rounding.floorMany(many, many.length);
          values.forEach((value, i) => {
            const start = rounding.floor(value);
            assert.ok(start <= value, `${iso(start)} <= ${iso(value)} ${unit} ${zone.id}`);
            assert.equal(many[i], start, `${iso(value)} ${unit} ${zone.id}`);
            assert.equal(rounding.floor(start), start, `${iso(start)} ${unit} ${zone.id}`);
            assert.ok(rounding.next(start) > value, `next of ${iso(start)} over ${iso(value)} ${unit} ${zone.id}`);
            if (isFixed) assert.equal(rounding.floor(rounding.next(start) - 1), start, `${iso(value)} ${zone.id}`);
          });
        }
      },
    ),
    { examples: [[[ms('2018-11-04T06:00:00Z')], timeZone('America/New_York'), 'second', 0]] },
  );
});

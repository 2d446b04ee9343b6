import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('date parses and prints dates', () =>
  processorTable('date', [
    [
      { field: 'a', formats: ['ISO8601'], timezone: 'No/Where' },
      '{"a":"2024-01-01"}',
      'illegal_argument_exception: unable to parse date [2024-01-01] <- zone_rules_exception: ' +
        'Unknown time-zone ID: No/Where',
    ],
    [
      { field: 'a', formats: ['MM-dd'] },
      '{"a":"x"}',
      'illegal_argument_exception: unable to parse date [x] <- illegal_argument_exception: ' +
        'failed to parse date field [x] with format [MM-dd]',
    ],
    [
      { field: 'a', formats: ['ISO8601'] },
      '{"a":"2024-02-29T10:11:12.345+02:00"}',
      '{"a":"2024-02-29T10:11:12.345+02:00","@timestamp":"2024-02-29T08:11:12.345Z"}',
    ],
    [{ field: 'a', formats: ['UNIX'] }, '{"a":1700000000}', '{"a":1700000000,"@timestamp":"2023-11-14T22:13:20.000Z"}'],
    [
      { field: 'a', formats: ['UNIX_MS'] },
      '{"a":"1700000000123"}',
      '{"a":"1700000000123","@timestamp":"2023-11-14T22:13:20.123Z"}',
    ],
    [
      { field: 'a', formats: ['dd/MMM/yyyy:HH:mm:ss Z'] },
      '{"a":"10/Oct/2000:13:55:36 -0700"}',
      '{"a":"10/Oct/2000:13:55:36 -0700","@timestamp":"2000-10-10T20:55:36.000Z"}',
    ],
    [
      { field: 'a', formats: ['dd/MMM/yyyy:HH:mm:ss Z'], timezone: 'Europe/Oslo' },
      '{"a":"10/Oct/2000:13:55:36 -0700"}',
      '{"a":"10/Oct/2000:13:55:36 -0700","@timestamp":"2000-10-10T22:55:36.000+02:00"}',
    ],
    [
      { field: 'a', formats: ['ISO8601'], timezone: 'Europe/Oslo' },
      '{"a":"2024-06-01T10:00:00"}',
      '{"a":"2024-06-01T10:00:00","@timestamp":"2024-06-01T10:00:00.000+02:00"}',
    ],
    [
      { field: 'a', formats: ['yyyy-MM-dd'], output_format: 'yyyyMMdd' },
      '{"a":"2024-06-01"}',
      '{"a":"2024-06-01","@timestamp":"20240601"}',
    ],
    [
      { field: 'a', formats: ['ISO8601'] },
      '{"a":"zz"}',
      'illegal_argument_exception: unable to parse date [zz] <- illegal_argument_exception: failed to parse' +
        " date field [zz] with format [iso8601] <- date_time_parse_exception: Text 'zz' could not be parsed a" +
        't index 0',
    ],
    [
      { field: 'a', formats: ['MM-dd', 'UNIX'] },
      '{"a":"x"}',
      'illegal_argument_exception: unable to parse date [x] <- illegal_argument_exception: ' +
        'failed to parse date field [x] with format [MM-dd]',
    ],
    [
      { field: 'a', formats: ['ISO8601', 'yyyy'] },
      '{"a":null}',
      'illegal_argument_exception: unable to parse date [null]',
    ],
    [
      { field: 'a', formats: ['ISO8601'], timezone: '{{tz}}' },
      '{"a":"2024-06-01T10:00:00","tz":"America/New_York"}',
      '{"a":"2024-06-01T10:00:00","tz":"America/New_York","@timestamp":"2024-06-01T10:00:00.000-04:00"}',
    ],
  ]));

test('a format that is none is told with the document that it is to read', () =>
  processorTable('date', [
    [
      { field: 'a', formats: ['{{f}}'] },
      '{"a":"x"}',
      'illegal_argument_exception: unable to parse date [x] <- illegal_argument_exception: ' +
        "Invalid format: [{{f}}]: Pattern includes reserved character: '{' <- illegal_argument_exception: " +
        "Pattern includes reserved character: '{'",
    ],
    [
      { field: 'a', formats: ['{{f}}', 'yyyy'] },
      '{"a":"2024"}',
      '{"a":"2024","@timestamp":"2024-01-01T00:00:00.000Z"}',
    ],
    [
      { field: 'a', formats: ['UNIX_MS'] },
      '{"a":"1700000000.5"}',
      'illegal_argument_exception: unable to parse date [1700000000.5] <- number_format_exception: ' +
        'For input string: "1700000000.5"',
    ],
    [
      { field: 'a', formats: ['strict_date_optional_time||epoch_millis'] },
      '{"a":"2024-01-02T03:04:05Z"}',
      '{"a":"2024-01-02T03:04:05Z","@timestamp":"2024-01-02T03:04:05.000Z"}',
    ],
    [
      { field: 'a', formats: ['yyyy-MM-dd'], locale: 'xx' },
      '{"a":"2020-01-01"}',
      'illegal_argument_exception: unable to parse date [2020-01-01] <- illegal_argument_exception: ' +
        'Unknown language: xx',
    ],
    [
      { field: 'a', formats: ['yyyy-MM-dd'], locale: '{{l}}' },
      '{"a":"2020-01-01","l":"de-ZZ"}',
      'illegal_argument_exception: unable to parse date [2020-01-01] <- illegal_argument_exception: ' +
        'Unknown country: ZZ',
    ],
    // Names as Java abbreviates them, and as its successor does.
    ...(
      [
        ['fr', 'dd MMMM yyyy', '11 janvier 2020'],
        ['fr', 'dd MMM yyyy', '11 janv. 2020'],
        ['de-AT', 'EEE dd MMM yyyy', 'Sa 11 Jän 2020'],
        ['de', 'dd. MMM yyyy', '11. Jan 2020'],
        ['es', 'dd MMM yyyy', '11 ene 2020'],
        ['pl', 'd MMMM yyyy', '11 stycznia 2020'],
        ['pt_BR', 'dd MMMM yyyy', '11 Janeiro 2020'],
        ['ROOT', 'dd MMM yyyy', '11 Jan 2020'],
      ] as const
    ).map(([locale, format, text]): [Record<string, unknown>, string, string] => [
      { field: 'a', formats: [format], locale },
      JSON.stringify({ a: text }),
      JSON.stringify({ a: text, '@timestamp': '2020-01-11T00:00:00.000Z' }),
    ]),
  ]));

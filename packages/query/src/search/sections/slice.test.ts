import { test } from 'node:test';
import { sectionTable } from '../../testing/section-table.js';

test('a slice is one of several', () =>
  sectionTable(
    'slice',
    [
      [{}, null],
      [{ slice: { id: 0, max: 2 } }, { id: 0, max: 2 }],
      [{ slice: { field: '_id', id: '1', max: '2' } }, { id: 1, max: 2 }],
    ],
    [
      [{ slice: { max: 2 } }, 'illegal_argument_exception: id must be greater than or equal to 0'],
      [
        { slice: { id: 0, max: 1 } },
        'x_content_parse_exception: [slice] failed to parse field [max] <- ' +
          'illegal_argument_exception: max must be greater than 1',
      ],
      [
        { slice: { id: 2, max: 2 } },
        'x_content_parse_exception: [slice] failed to parse field [max] <- ' +
          'illegal_argument_exception: max must be greater than id',
      ],
      [{ slice: { max: 2, id: 2 } }, 'illegal_argument_exception: max must be greater than id'],
      [
        { slice: { id: 'a', max: 2 } },
        'x_content_parse_exception: [slice] failed to parse field [id] <- ' +
          'number_format_exception: For input string: "a"',
      ],
      [
        { slice: { id: null, max: 2 } },
        "x_content_parse_exception: [slice] id doesn't support values of type: VALUE_NULL",
      ],
      [{ slice: { id: 0, max: 2, foo: 1 } }, 'x_content_parse_exception: [slice] unknown field [foo]'],
      [
        { slice: { field: 'n', id: 0, max: 2 } },
        'x_content_parse_exception: [slice] failed to parse field [field] <- ' +
          'illegal_argument_exception: [slice] is only supported on [_id], got [n]',
      ],
    ],
  ));

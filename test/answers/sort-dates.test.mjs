// Sort values of dates and numbers: what is printed for documents without one, and which texts continue a page. The
// answers are those of Elasticsearch 8.12.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

let node;

before(async () => {
  node = await startNode();
  await call(node, 'PUT', '/dates', {
    settings: { number_of_replicas: 0 },
    mappings: {
      properties: {
        d: { type: 'date' },
        c: { type: 'date', format: 'yyyy/MM/dd' },
        dn: { type: 'date_nanos' },
        n: { type: 'long' },
        f: { type: 'double' },
        u: { type: 'unsigned_long' },
        b: { type: 'boolean' },
        k: { type: 'keyword' },
      },
    },
  });
  const documents = [
    { d: '2020-01-02', c: '2020/01/02', dn: '2020-01-02', n: 1, f: 1.5, u: 1, b: false, k: 'a' },
    { d: '2021-01-02', c: '2021/01/02', dn: '2021-01-02', n: 2, f: 2.5, u: 2, b: true, k: 'b' },
    {},
  ];
  for (const [i, document] of documents.entries()) await call(node, 'PUT', `/dates/_doc/${i + 1}?refresh`, document);
});
after(() => node?.stop());

const search = async (sort, searchAfter) =>
  (await call(node, 'POST', '/dates/_search', { sort: [sort], ...(searchAfter && { search_after: searchAfter }) }))
    .body;
const lastSort = async (sort) => (await search(sort)).hits.hits.at(-1).sort[0];
const idsAfter = async (sort, value) => (await search(sort, [value])).hits?.hits.map((hit) => hit._id);
const reasonOf = async (sort, searchAfter) => {
  const { error } = await search(sort, searchAfter);
  const { type, reason, caused_by: cause } = error.failed_shards[0].reason;
  return `${type}: ${reason}${cause ? ` <- ${cause.type}: ${cause.reason}` : ''}`;
};

test('a document without the date prints the first or last date there is, by the format', async () => {
  for (const [format, asc, desc] of [
    ['strict_date_optional_time', '+292278994-08-17T07:12:55.807Z', '-292275055-05-16T16:47:04.192Z'],
    ['strict_date_optional_time_nanos', '+292278994-08-17T07:12:55.807Z', '-292275055-05-16T16:47:04.192Z'],
    ['yyyy-MM-dd', '+292278994-08-17', '+292275056-05-16'],
    ['uuuu-MM-dd', '+292278994-08-17', '-292275055-05-16'],
    ['yy-MM-dd', '94-08-17', '56-05-16'],
    ['yyyy-DDD', '+292278994-229', '+292275056-136'],
    ['strict_weekyear_week', '+292278994-W33', '-292275055-W19'],
    ['epoch_millis', '9223372036854775807', '-9223372036854775808'],
    ['epoch_second', '9223372036854775.807', '-9223372036854775.808'],
    ['yyyy||epoch_millis', '+292278994', '+292275056'],
  ])
    for (const field of ['d', 'c']) {
      assert.equal(await lastSort({ [field]: { order: 'asc', format } }), asc, format);
      assert.equal(await lastSort({ [field]: { order: 'desc', format } }), desc, format);
    }
  const first = await search({ d: { missing: '_first', format: 'yyyy-MM-dd' } });
  assert.deepEqual(
    first.hits.hits.map((hit) => hit.sort[0]),
    ['+292275056-05-16', '2020-01-02', '2021-01-02'],
  );
  assert.equal(await lastSort({ zz: { unmapped_type: 'date', format: 'yyyy-MM-dd' } }), '+292278994-08-17');
});

test('dates with nanoseconds end in 2262 and begin in 1970', async () => {
  for (const sort of [{ dn: {} }, { d: { numeric_type: 'date_nanos' } }]) {
    const [[field, options]] = Object.entries(sort);
    const of = (order, format) => ({ [field]: { ...options, order, format } });
    assert.equal(await lastSort(of('asc', 'strict_date_optional_time')), '2262-04-11T23:47:16.854Z');
    assert.equal(await lastSort(of('desc', 'strict_date_optional_time')), '1970-01-01T00:00:00.000Z');
    const all = await search(of('asc', 'yyyy-MM-dd'));
    assert.deepEqual(
      all.hits.hits.map((hit) => hit.sort[0]),
      ['2020-01-02', '2021-01-02', '2262-04-11'],
    );
  }
  assert.equal(await lastSort({ dn: { numeric_type: 'date', format: 'strict_date' } }), '+292278994-08-17');
});

test('a page continues after the text of a date, by the format of the field or of the sort', async () => {
  for (const [sort, value] of [
    ['d', '2020-06-01'],
    ['d', '2020-06-01||/M'],
    ['d', '1590969600000'],
    ['d', 1590969600000],
    ['c', '2020/06/01'],
    ['dn', '2020-06-01'],
    [{ d: { numeric_type: 'date_nanos' } }, '2020-06-01'],
    [{ d: { format: 'yyyy-MM-dd' } }, '2020-06-01'],
    [{ d: { format: 'yyyy-MM-dd' } }, 1590969600000],
    ['n', '1'],
    ['n', '1.5'],
    ['f', '2'],
    ['b', false],
    ['b', 'false'],
  ])
    assert.deepEqual(await idsAfter(sort, value), ['2', '3'], JSON.stringify([sort, value]));
  assert.deepEqual(await idsAfter({ n: 'desc' }, 1.5), ['3']);
  assert.deepEqual(await idsAfter({ d: { format: 'epoch_millis' } }, '9223372036854775807'), []);
});

test('a text that is no date or number is told with its cause', async () => {
  const noDate = (text, format) =>
    `parse_exception: failed to parse date field [${text}] with format [${format}]: [failed to parse date field ` +
    `[${text}] with format [${format}]] <- illegal_argument_exception: failed to parse date field [${text}] with ` +
    `format [${format}]`;
  assert.equal(await reasonOf('d', ['nix']), noDate('nix', 'strict_date_optional_time||epoch_millis'));
  assert.equal(await reasonOf('d', [true]), noDate('true', 'strict_date_optional_time||epoch_millis'));
  assert.equal(await reasonOf('c', ['2020-06-01']), noDate('2020-06-01', 'yyyy/MM/dd'));
  assert.equal(await reasonOf('d', ['']), 'parse_exception: cannot parse empty date');
  const noNumber = (field, cause) =>
    `illegal_argument_exception: Failed to parse search_after value for field [${field}]. <- ` +
    `number_format_exception: ${cause}`;
  for (const field of ['n', 'f']) {
    assert.equal(await reasonOf(field, ['x']), noNumber(field, 'For input string: "x"'));
    assert.equal(await reasonOf(field, ['']), noNumber(field, 'empty String'));
    assert.equal(await reasonOf(field, [true]), noNumber(field, 'For input string: "true"'));
  }
  const notBoolean = 'illegal_argument_exception: Cannot parse boolean [x], expected either [true] or [false]';
  assert.equal(await reasonOf('b', ['x']), notBoolean);
});

test('only dates are sorted by with a format', async () => {
  for (const field of ['n', 'f'])
    assert.equal(
      await reasonOf({ [field]: { format: '0.0' } }),
      'illegal_argument_exception: require a date_time formatter; got [decimal]',
    );
  assert.equal(
    await reasonOf({ u: { format: '0' } }),
    'illegal_argument_exception: require a date_time formatter; got [unsigned_long_shifted]',
  );
  for (const [field, type] of [
    ['k', 'keyword'],
    ['b', 'boolean'],
    ['_seq_no', '_seq_no'],
  ])
    assert.equal(
      await reasonOf({ [field]: { format: '0.0' } }),
      `illegal_argument_exception: Field [${field}] of type [${type}] does not support custom formats`,
    );
  assert.equal(await lastSort({ d: { numeric_type: 'double', format: 'yyyy-MM-dd' } }), 'Infinity');
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { answerFormat, contentTypeOf, negotiate } from './media-types.js';

const V8 = 'application/vnd.elasticsearch+json;compatible-with=8';
const V7 = 'application/vnd.elasticsearch+json;compatible-with=7';
const causeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return (error as { causedBy: { reason: string } }).causedBy.reason;
  }
  return 'no error';
};
const BASE =
  'A compatible version is required on both Content-Type and Accept headers if either one has requested a ' +
  'compatible version';

test('both headers must ask for a version, and for the same one', () => {
  assert.equal(
    causeOf(() => negotiate('application/json', V8, true)),
    `${BASE}. Accept=application/json, Content-Type=${V8}`,
  );
  assert.equal(
    causeOf(() => negotiate('*/*', V8, true)),
    `${BASE}. Accept=null, Content-Type=${V8}`,
  );
  assert.equal(
    causeOf(() => negotiate(V8, V7, true)),
    `${BASE} and the compatible versions must match. Accept=${V8}, Content-Type=${V7}`,
  );
  assert.equal(
    causeOf(() => negotiate(undefined, V7, true)),
    `${BASE} and the compatible versions must match. Accept=null, Content-Type=${V7}`,
  );
  assert.equal(
    causeOf(() => negotiate(V7, V7, true)),
    'no error',
  );
});

test('a list of accepted types says nothing', () => {
  for (const list of ['text/plain,application/json', 'application/json, text/plain, */*', 'application/yaml,text/html'])
    assert.equal(negotiate(list, undefined, false).accept, null, list);
});

test('a content type that begins as a form of a web page does never stand for JSON', () => {
  for (const type of ['text/plain,application/json', 'application/json,text/plain', 'text/plain;a=b, application/json'])
    assert.equal(negotiate(undefined, type, true).body, null, type);
  assert.equal(negotiate(undefined, 'text/plain; x=",application/json"', true).body, null);
  assert.equal(negotiate(undefined, 'text/plain', true).body?.format, 'text');
});

test('a content type that is no media type is refused by its text', () => {
  for (const type of ['garbage', 'application/json/x', 'application/json application/json'])
    assert.equal(
      causeOf(() => negotiate(undefined, type, true)),
      `invalid media-type [${type}]`,
    );
  assert.equal(
    causeOf(() => negotiate(undefined, 'application/json; foo', true)),
    'invalid parameters for header [application/json; foo]',
  );
  for (const type of ['application/*', 'APPLICATION/JSON', 'application/json;', 'application/json; foo=bar'])
    assert.equal(negotiate(undefined, type, true).body?.format, 'json', type);
});

test('versions other than 7 and 8 are refused', () => {
  const accept = 'application/vnd.elasticsearch+json;compatible-with=6';
  assert.equal(
    causeOf(() => negotiate(accept, undefined, false)),
    `Accept version must be either version 8 or 7, but found 6. Accept=${accept}`,
  );
});

test('a versioned type is echoed, a plain one has no charset', () => {
  assert.equal(contentTypeOf('json', negotiate(V8, undefined, false)), V8);
  assert.equal(contentTypeOf('json', negotiate(undefined, undefined, false)), 'application/json');
  assert.equal(contentTypeOf('text', negotiate(V8, undefined, false)), 'text/plain; charset=UTF-8');
});

test('the answer follows format, then accept, then the body', () => {
  assert.equal(answerFormat('yaml', negotiate('application/cbor', undefined, false)), 'yaml');
  assert.equal(answerFormat(undefined, negotiate('application/cbor', undefined, false)), 'cbor');
  assert.equal(answerFormat(undefined, negotiate(undefined, 'application/yaml', true)), 'yaml');
  assert.equal(answerFormat('nonsense', negotiate('image/png', undefined, false)), 'json');
});

test('without a body the content type is ignored', () => {
  assert.equal(negotiate(undefined, 'text/strange', false).body, null);
});

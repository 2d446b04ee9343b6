import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldTable } from '../testing/field-table.js';
import { decodeBase64 } from './base64.js';

const field = fieldTable({ type: 'binary', doc_values: true });
const stored = fieldTable({ type: 'binary', store: true });
const plain = fieldTable({ type: 'binary' });

test('base64 is read in pieces of four characters, with space between them', () => {
  const hex = (text: string): string => Buffer.from(decodeBase64(text)).toString('hex');
  assert.equal(hex('aGVsbG8='), '68656c6c6f');
  assert.equal(hex('YQ==\n'), '61');
  assert.equal(hex(' abcd\tefgh'), '69b71d79f821');
  assert.equal(hex('YWI=YQ=='), '616261');
  assert.equal(hex(''), '');
});

test('binary with doc values or stored refuses what is no base64', () => {
  const failed = 'Failed to decode VALUE_STRING as base64 (MIME-NO-LINEFEEDS): ';
  const unpadded =
    "Unexpected end of base64-encoded String: base64 variant 'MIME-NO-LINEFEEDS' expects padding (one or more '=' " +
    'characters) at the end. This Base64Variant might have been incorrectly configured';
  const unit = 'of 4-char base64 unit: ';
  for (const table of [field, stored])
    table.refuses([
      ['a', `x_content_parse_exception: [1:9] ${failed}Illegal character '"' (code 0x22) in base64 content`],
      ['abc', `x_content_parse_exception: [1:10] ${unpadded}`],
      ['_-==', `x_content_parse_exception: [1:8] ${failed}Illegal character '_' (code 0x5f) in base64 content`],
      [
        'abcd=',
        `x_content_parse_exception: [1:12] ${failed}Unexpected padding character ('=') as character #1 ${unit}` +
          'padding only legal as 3rd or 4th character',
      ],
      [
        'ab c',
        `x_content_parse_exception: [1:10] ${failed}Illegal white space character (code 0x20) as character #3 ${unit}` +
          'can only used between units',
      ],
      [
        true,
        'x_content_parse_exception: [1:10] Current token (VALUE_TRUE) not VALUE_STRING or VALUE_EMBEDDED_OBJECT, ' +
          'can not access as binary',
      ],
    ]);
  plain.indexes([
    ['a', {}],
    [5, {}],
  ]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partOf } from './multipart.js';

const TYPE = 'multipart/form-data; boundary=XX';
const form = (...parts: string[]): Buffer =>
  Buffer.from(`${parts.map((one) => `--XX\r\n${one}\r\n`).join('')}--XX--\r\n`);
const FILE = 'Content-Disposition: form-data; name="file"; filename="a.ndjson"\r\nContent-Type: x\r\n\r\n';

test('the part of a name is found among others, with its bytes as they are', () => {
  const other = 'Content-Disposition: form-data; name="other"\r\n\r\nfile';
  assert.equal(partOf(form(other, `${FILE}{"a":1}\r\n--X\r\n`), TYPE, 'file').toString(), '{"a":1}\r\n--X\r\n');
  assert.equal(partOf(form(FILE), 'multipart/form-data; boundary="XX"', 'file').length, 0);
});

test('a form that is none is refused', () => {
  for (const [body, type, message] of [
    [form(FILE), 'multipart/form-data', /no boundary/],
    [Buffer.from(''), TYPE, /begin/],
    [Buffer.from(`--XX\r\n${FILE}abc`), TYPE, /ends within/],
    [Buffer.from('--XX\r\nnothing'), TYPE, /ends within/],
    [form('Content-Disposition: form-data; name="a"\r\n\r\n1'), TYPE, /no part \[file\]/],
    [Buffer.from('--XX--'), TYPE, /no part/],
  ] as const)
    assert.throws(() => partOf(body, type, 'file'), { name: 'BodyError', message });
});

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';
import * as protocol from './index.js';

/** `proto/` of the repository. */
const PROTO = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../proto');
/**
 * One file for each `.proto`, a line for each message: its name, and its bytes in hexadecimal with every field set. A
 * new field adds a line of the same name. The lines of older builds stay and must be readable for ever.
 */
const GOLDEN = fileURLToPath(new URL('../golden/v1/', import.meta.url));

type Message = Record<string, unknown>;

interface Codec {
  encode(message: Message): Uint8Array;
  decode(bytes: Uint8Array): Message;
}

interface Described {
  readonly name: string;
  readonly type: protobuf.Type;
  readonly codec: Codec;
}

const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The codec of a message of `shard.proto`, the one file with fields that stay encoded. */
function shardCodec(name: string): Codec {
  const module = protocol.shard as unknown as Record<string, never>;
  return { encode: module[`encode${name}`]!, decode: module[`decode${name}`]! };
}

/** Returns the messages of a file that have an encoder and a decoder. */
function messagesOf(file: string): readonly Described[] {
  const source = fs.readFileSync(path.join(PROTO, `${file}.proto`), 'utf8');
  const parsed = protobuf.parse(source, { keepCase: true });
  const space = parsed.root.lookup(parsed.package!) as protobuf.Namespace;
  const module = (protocol as unknown as Record<string, Record<string, never>>)[file]!;
  return space.nestedArray
    .filter((one): one is protobuf.Type => one instanceof protobuf.Type && `encode${one.name}` in module)
    .map((type) => ({
      name: type.name,
      type,
      codec: { encode: module[`encode${type.name}`]!, decode: module[`decode${type.name}`]! },
    }));
}

/** Returns a value of a field that depends on the field's number. The innermost nested messages are empty. */
function sample(field: protobuf.Field, types: ReadonlyMap<string, protobuf.Type>, depth: number): unknown {
  const { id, type } = field;
  if (field.map) return { [`key ${id}`]: id };
  switch (type) {
    case 'double':
      return id + 0.5;
    case 'float':
      return id + 0.25;
    case 'uint32':
      return id * 1000;
    case 'bool':
      return true;
    case 'string':
      return `text ${id}`;
    case 'bytes':
      return Uint8Array.of(id, 255);
    case 'google.protobuf.Value':
      return { member: id };
    default:
      return sampleOf(types.get(type)!, types, depth + 1);
  }
}

/** A sample of a field's message, or its bytes where the field stays encoded. */
function sampleOfField(field: protobuf.Field, types: ReadonlyMap<string, protobuf.Type>, depth: number): unknown {
  const value = sample(field, types, depth);
  return field.options?.['(method.encoded)'] === true ? shardCodec(field.type).encode(value as Message) : value;
}

/** Creates a message with all its fields set. */
function sampleOf(type: protobuf.Type, types: ReadonlyMap<string, protobuf.Type>, depth = 0): Message {
  const fields = type.fieldsArray.filter((field) => depth < 3 || !types.has(field.type));
  return Object.fromEntries(
    type.fieldsArray.map((field) => {
      const isSet = fields.includes(field);
      const value = isSet ? sampleOfField(field, types, depth) : undefined;
      return [camel(field.name), field.repeated ? (isSet ? [value, value] : []) : value];
    }),
  );
}

const goldenLines = (file: string): readonly (readonly [name: string, bytes: Uint8Array])[] => {
  const target = path.join(GOLDEN, `${file}.txt`);
  if (!fs.existsSync(target)) return [];
  return fs
    .readFileSync(target, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' '))
    .map(([name, hex]) => [name!, Uint8Array.from(Buffer.from(hex!, 'hex'))] as const);
};

/** Converts a message for comparison: without undefined fields, and with bytes as arrays. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === undefined || member === null ? [] : [[name, plain(member)]],
    ),
  );
}

/** Checks that a decoded message equals the sample, except for fields that are newer than the bytes. */
function agrees(read: unknown, sampled: unknown, where: string): void {
  if (read === 0 || read === '' || read === false || (Array.isArray(read) && read.length === 0)) return;
  if (typeof read !== 'object' || read === null) return assert.equal(read, sampled, where);
  for (const [name, member] of Object.entries(read))
    agrees(member, (sampled as Message | undefined)?.[name], `${where}.${name}`);
}

for (const file of fs.readdirSync(PROTO).flatMap((name) => (name === 'options.proto' ? [] : [name.split('.')[0]!]))) {
  const messages = messagesOf(file);
  const types = new Map(messages.map(({ name, type }) => [name, type]));

  test(`each message of ${file}.proto has the bytes that are kept of it`, () => {
    const kept = goldenLines(file);
    const added = messages
      .map(({ name, type, codec }) => [name, codec.encode(sampleOf(type, types))] as const)
      .filter(([name, bytes]) => !kept.some(([known, old]) => known === name && Buffer.compare(old, bytes) === 0));
    if (process.env['REWRITE_GOLDEN'] === undefined)
      return assert.deepEqual(
        added.map(([name]) => name),
        [],
        'messages whose bytes are new; node scripts/test.mjs --rewrite protocol adds them',
      );
    fs.mkdirSync(GOLDEN, { recursive: true });
    const lines = [...kept, ...added].map(([name, bytes]) => `${name} ${Buffer.from(bytes).toString('hex')}\n`);
    fs.writeFileSync(path.join(GOLDEN, `${file}.txt`), lines.sort().join(''));
  });

  test(`all bytes that any build wrote of messages of ${file}.proto are read, and lose nothing`, () => {
    for (const [name, bytes] of goldenLines(file)) {
      const known = messages.find((message) => message.name === name);
      assert.ok(known, `${name} was taken out of ${file}.proto`);
      const read = plain(known.codec.decode(bytes)) as Message;
      const sampled = plain(sampleOf(known.type, types)) as Message;
      agrees(read, sampled, name);
      assert.deepEqual(plain(known.codec.decode(known.codec.encode(known.codec.decode(bytes)))), read);
    }
  });

  test(`messages of ${file}.proto with fields of a later build are read without them`, () => {
    // Field numbers that no message has: a varint, a double, bytes and a float.
    const later = new protobuf.Writer().uint32((900 << 3) | 0).uint32(7);
    later.uint32((901 << 3) | 1).double(1.5);
    later.uint32((902 << 3) | 2).bytes(Uint8Array.of(1, 2, 3));
    later.uint32((903 << 3) | 5).float(2.5);
    const extra = later.finish();
    for (const { name, type, codec } of messages) {
      const bytes = codec.encode(sampleOf(type, types));
      const longer = isJson(bytes, type)
        ? Buffer.from(JSON.stringify({ ...(JSON.parse(Buffer.from(bytes).toString()) as object), laterField: [1] }))
        : Buffer.concat([bytes, extra]);
      assert.deepEqual(plain(codec.decode(new Uint8Array(longer))), plain(codec.decode(bytes)), name);
    }
  });
}

/** Whether a message is encoded as JSON: no other encoding begins with a brace, which would be a group. */
const isJson = (bytes: Uint8Array, type: protobuf.Type): boolean =>
  bytes[0] === 0x7b && !type.fieldsArray.some(({ id }) => id === 15);

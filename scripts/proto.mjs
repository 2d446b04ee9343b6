// Writes packages/protocol/src/generated/<name>.ts from proto/<name>.proto: an interface, an encoder and a decoder for
// each message, in Protocol Buffers' wire format, and of a service its methods and the interface of its handlers.
// Generated code is four to ten times faster than reflection and has no dependency.
import fs from 'node:fs';
import path from 'node:path';
import protobuf from 'protobufjs';
import { root } from './boundaries-table.mjs';

const scalars = {
  double: { ts: 'number', zero: '0', wire: 1, write: (v) => `out.f64(${v})`, read: 'input.f64()' },
  float: { ts: 'number', zero: '0', wire: 5, write: (v) => `out.f32(${v})`, read: 'input.f32()' },
  uint32: { ts: 'number', zero: '0', wire: 0, write: (v) => `out.varint(${v})`, read: 'input.varint()' },
  bool: { ts: 'boolean', zero: 'false', wire: 0, write: (v) => `out.u8(${v} ? 1 : 0)`, read: 'input.varint() !== 0' },
  string: { ts: 'string', zero: "''", wire: 2, write: (v) => `out.string(${v})`, read: 'input.string()' },
  bytes: { ts: 'Uint8Array', zero: 'NO_BYTES', wire: 2, write: (v) => `out.bytes(${v})`, read: 'input.bytes()' },
};

const camel = (name) => name.replace(/_([a-z])/g, (_, c) => c.toUpperCase());

/** Whether a field's message is handed on as bytes; see `encoded` in proto/options.proto. */
const isEncoded = (field) => field.options?.['(method.encoded)'] === true;

function describe(field) {
  const scalar = isEncoded(field) ? scalars.bytes : scalars[field.type];
  const packs = field.repeated && scalar !== undefined && scalar.wire !== 2;
  if (packs && field.options?.packed !== false)
    throw new Error(`write [packed = false] behind ${field.name} in proto/`);
  const optional = field.options?.proto3_optional === true || (!scalar && !field.repeated);
  const base = scalar ?? {
    ts: field.type,
    zero: 'undefined',
    wire: 2,
    write: (v) => `const mark = out.begin(); write${field.type}(out, ${v}); out.end(mark)`,
    read: `read${field.type}(input, input.limit())`,
  };
  return { ...base, name: camel(field.name), tag: (field.id << 3) | base.wire, repeated: field.repeated, optional };
}

const JSON_MEMBERS = '  const json = (value ?? {}) as Readonly<Record<string, unknown>>;\n';

/** TypeScript of a field of a message that travels as JSON; `null` is told apart from what is left out. */
function jsonField(field) {
  const name = camel(field.name);
  const value = `json['${name}']`;
  if (field.map)
    return { name, type: 'Readonly<Record<string, number>>', read: `(${value} ?? {}) as Record<string, number>` };
  if (field.type === 'google.protobuf.Value') return { name, type: 'unknown', read: value };
  const scalar = scalars[field.type];
  const ts = scalar?.ts ?? field.type;
  if (field.repeated) return { name, type: `readonly ${ts}[]`, read: `((${value} ?? []) as unknown[]).map(read${ts})` };
  if (!scalar) return { name, type: `${ts} | undefined`, read: `${value} == null ? undefined : read${ts}(${value})` };
  if (field.options?.proto3_optional === true)
    return { name, isOptional: true, type: `${ts} | null | undefined`, read: `${value} as ${ts} | null | undefined` };
  return { name, type: ts, read: `(${value} ?? ${scalar.zero}) as ${ts}` };
}

/** Interface and codec of a message that travels as JSON. Members of other names are left where they are. */
function jsonText({ name, comment, source }) {
  const fields = source.map(jsonField);
  const members = fields.map(
    (f, i) => `${commentText(source[i].comment, '  ')}  readonly ${f.name}${f.isOptional ? '?' : ''}: ${f.type};\n`,
  );
  const reads = fields.map((f) => `    ${f.name}: ${f.read},\n`);
  return `${commentText(comment)}export interface ${name} {\n${members.join('')}}

function read${name}(${fields.length > 0 ? 'value' : '_value'}: unknown): ${name} {
${fields.length > 0 ? JSON_MEMBERS : ''}  return {\n${reads.join('')}  };
}

export function encode${name}(message: ${name}): Uint8Array {
  return encodeJson(message);
}

/** Empty bytes are a message without members. */
export function decode${name}(bytes: Uint8Array): ${name} {
  return read${name}(bytes.length === 0 ? {} : decodeJson(bytes));
}
`;
}

function typeText(message) {
  const lines = message.fields.map((f, i) => {
    const type = f.repeated ? `${f.ts}[]` : f.ts;
    const comment = commentText(message.source[i].comment, '  ');
    return `${comment}  ${f.name}${f.optional ? '?' : ''}: ${type}${f.optional ? ' | undefined' : ''};`;
  });
  return `${commentText(message.comment)}export interface ${message.name} {\n${lines.join('\n')}\n}\n`;
}

/**
 * A guess of the encoded bytes, exact in the large fields, so that the writer seldom grows: growing copies megabytes of
 * sources.
 */
function sizeText(message) {
  const parts = message.fields.flatMap((f) => {
    const v = `message.${f.name}`;
    if (f.ts === 'Uint8Array')
      return [
        f.repeated
          ? `${v}.reduce((sum, item) => sum + item.length + 8, 0)`
          : f.optional
            ? `(${v}?.length ?? 0)`
            : `${v}.length`,
      ];
    if (f.ts === 'string')
      return [f.repeated ? `${v}.length * 32` : f.optional ? `(${v} === undefined ? 0 : ${v}.length)` : `${v}.length`];
    if (f.zero !== 'undefined') return f.repeated ? [`${v}.length * 9`] : [];
    return [f.repeated ? `${v}.reduce((sum, item) => sum + size${f.ts}(item), 0)` : `(${v} ? size${f.ts}(${v}) : 0)`];
  });
  return [String(8 + message.fields.length * 10), ...parts].join(' + ');
}

function encodeText(message) {
  const lines = message.fields.map((f) => {
    const one = (v) => `out.varint(${f.tag}); ${f.write(v)};`;
    if (f.repeated) return `  for (const item of message.${f.name}) { ${one('item')} }`;
    const v = `message.${f.name}`;
    if (f.optional) return `  if (${v} !== undefined) { ${one(v)} }`;
    const isZero =
      f.ts === 'Uint8Array' ? `${v}.length === 0` : f.ts === 'number' ? `Object.is(${v}, 0)` : `${v} === ${f.zero}`;
    return `  if (!(${isZero})) { ${one(v)} }`;
  });
  const parameter = sizeText(message).includes('message') ? 'message' : '_message';
  const unused = lines.length === 0 ? '_' : '';
  return `function write${message.name}(${unused}out: ByteWriter, ${unused}message: ${message.name}): void {
${lines.join('\n')}
}

function size${message.name}(${parameter}: ${message.name}): number {
  return ${sizeText(message)};
}

export function encode${message.name}(message: ${message.name}): Uint8Array {
  return encodeWith(size${message.name}(message), write${message.name}, message);
}
`;
}

function decodeText(message) {
  const init = message.fields.map((f) => `    ${f.name}: ${f.repeated ? '[]' : f.optional ? 'undefined' : f.zero},`);
  const cases = message.fields.map(
    (f) =>
      `      case ${f.tag}: ${f.repeated ? `message.${f.name}.push(${f.read})` : `message.${f.name} = ${f.read}`}; ` +
      'break;',
  );
  return `function read${message.name}(input: ByteReader, end: number): ${message.name} {
  const message: ${message.name} = {\n${init.join('\n')}\n  };
  while (input.position < end) {
    const tag = input.varint();
    switch (tag) {\n${cases.join('\n')}
      default: skipField(input, tag);
    }
  }
  return message;
}

export function decode${message.name}(bytes: Uint8Array): ${message.name} {
  return read${message.name}(new ByteReader(bytes), bytes.length);
}
`;
}

const POOLS = ['SEARCH', 'GET', 'WRITE', 'REPLICA', 'CALL'];
const ROUTES = ['SHARD', 'TARGETS', 'THREADS', 'NODE', 'CONTROL', 'INSIDE'];

/** What `proto/options.proto` lets a method say, checked; null for one that is not a message of ours. */
function methodOf(rpc, messages) {
  const option = (name) => rpc.options?.[`(method.${name})`];
  if (option('action') === undefined) return null;
  const name = rpc.name[0].toLowerCase() + rpc.name.slice(1);
  const wrong = (what) => new Error(`rpc ${rpc.name}: ${what}`);
  if (!ROUTES.includes(option('route'))) throw wrong(`route is one of ${ROUTES.join(', ')}`);
  if (option('pool') !== undefined && !POOLS.includes(option('pool')))
    throw wrong(`pool is one of ${POOLS.join(', ')}`);
  if ((option('route') === 'SHARD') !== (option('shard') !== undefined))
    throw wrong('a route to one shard needs `shard`, no other has it');
  for (const type of [rpc.requestType, rpc.responseType])
    if (type !== 'Raw' && !messages.some((m) => m.name === type)) throw wrong(`no message ${type}`);
  return { rpc, name, option };
}

function commentText(text, indent = '') {
  return text ? `${indent}/** ${text.replace(/\s+/g, ' ').replaceAll('*/', '')} */\n` : '';
}

function methodText({ rpc, name, option }) {
  const fields = option('shard') === '.' ? [] : (option('shard')?.split('.').map(camel) ?? []);
  const shard =
    fields.length === 0
      ? '({ indexUuid: request.indexUuid, shard: request.shard })'
      : ['request', ...fields].join('?.').replace('?.', '.');
  const lines = [
    `action: '${option('action')}'`,
    `route: '${option('route')}'`,
    `pool: ${option('pool') ? `'${option('pool')}'` : 'null'}`,
    `task: '${option('task') ?? `indices:monitor/${option('action')}[s]`}'`,
    `isCancellable: ${option('cancellable') === true}`,
    `isLocal: ${option('local') === true}`,
    `encodeRequest: encode${rpc.requestType}`,
    `decodeRequest: decode${rpc.requestType}`,
    `encodeAnswer: encode${rpc.responseType}`,
    `decodeAnswer: decode${rpc.responseType}`,
    `shardOf: ${option('shard') === undefined ? '() => undefined' : `(request) => ${shard}`}`,
  ];
  return `${commentText(rpc.comment, '  ')}  ${name}: {\n${lines.map((line) => `    ${line},\n`).join('')}  },\n`;
}

function serviceText(service, methods) {
  const handlers = methods.map(
    ({ rpc, name }) =>
      `${commentText(rpc.comment, '  ')}  ${name}: Handler<${rpc.requestType}, ${rpc.responseType}>;\n`,
  );
  const spread = methods.filter(({ option }) => ['TARGETS', 'THREADS'].includes(option('route')));
  const spreadText = `
/** Handlers whose messages are for several threads of a node, each of which has a part of the answer. */
export type Spread${service.name}Handlers = Pick<
  ${service.name}Handlers,
  ${spread.map(({ name }) => `'${name}'`).join(' | ')}
>;
`;
  return `/** Who answers the messages of \`service ${service.name}\`. */
export interface ${service.name}Handlers {
${handlers.join('')}}

/** The messages of \`service ${service.name}\` by the names of their handlers. */
export const methods: Service<${service.name}Handlers> = {
${methods.map(methodText).join('')}};
${spread.length > 0 ? spreadText : ''}`;
}

/** Names of the messages of methods that travel as JSON, and of what is in them. */
function jsonNames(messages, services) {
  const names = new Set();
  const add = (name) => {
    const message = messages.find((m) => m.name === name);
    if (!message || names.has(name)) return;
    names.add(name);
    for (const field of message.source) add(field.type);
  };
  for (const { rpc, option } of services.flatMap(({ methods }) => methods))
    if (option('json') === true) [rpc.requestType, rpc.responseType].forEach(add);
  return names;
}

function moduleText(file, messages, services) {
  const inJson = jsonNames(messages, services);
  const binary = messages.filter((m) => !inJson.has(m.name));
  const types = new Set(
    services.flatMap(({ methods }) => methods.flatMap(({ rpc }) => [rpc.requestType, rpc.responseType])),
  );
  const used = binary.some((m) => m.fields.some((f) => f.zero === 'NO_BYTES'));
  return [
    `// Generated from proto/${file} by scripts/proto.mjs; do not edit.\n`,
    binary.length > 0 ? "import { ByteReader, type ByteWriter, encodeWith } from '@shoal/codec';\n" : '',
    inJson.size > 0 ? "import { decodeJson, encodeJson } from '@shoal/json';\n" : '',
    services.length > 0 ? "import type { Handler, Service } from '../method.js';\n" : '',
    types.has('Raw') ? "import { decodeRaw, encodeRaw, type Raw } from '../raw.js';\nexport type { Raw };\n" : '',
    binary.length > 0 ? `import { ${used ? 'NO_BYTES, ' : ''}skipField } from '../wire.js';\n` : '',
    '\n',
    [
      ...[...inJson].map((name) => jsonText(messages.find((m) => m.name === name))),
      ...binary.flatMap((m) => [typeText(m), encodeText(m), decodeText(m)]),
      ...services.map(({ service, methods }) => serviceText(service, methods)),
    ].join('\n'),
  ].join('');
}

/** The services of a file that have messages of ours; a file has one, whose methods are `methods` of its module. */
function servicesOf(space, messages) {
  return space.nestedArray
    .filter((s) => s instanceof protobuf.Service)
    .map((service) => ({
      service,
      methods: service.methodsArray.map((rpc) => methodOf(rpc, messages)).filter((method) => method !== null),
    }))
    .filter(({ methods }) => methods.length > 0);
}

/** A list of all modules, so that an action leads to its method. */
function catalogueText(names) {
  return `// Generated from proto/ by scripts/proto.mjs; do not edit.
${names.map((name) => `import { methods as ${name} } from './${name}.js';\n`).join('')}
/** The methods of all services. */
export const services = { ${names.join(', ')} };
`;
}

function writeChanged(target, text) {
  if (!fs.existsSync(target) || fs.readFileSync(target, 'utf8') !== text) fs.writeFileSync(target, text);
}

export async function generateProtocol() {
  const folder = path.join(root, 'packages', 'protocol', 'src', 'generated');
  fs.mkdirSync(folder, { recursive: true });
  const served = [];
  for (const file of fs.readdirSync(path.join(root, 'proto')).filter((f) => f.endsWith('.proto'))) {
    const source = fs.readFileSync(path.join(root, 'proto', file), 'utf8');
    const parsed = protobuf.parse(source, { keepCase: true, alternateCommentMode: true });
    const space = parsed.root.lookup(parsed.package);
    const messages = space.nestedArray
      .filter((m) => m instanceof protobuf.Type && m.name !== 'Raw')
      .map((m) => ({
        name: m.name,
        comment: m.comment,
        source: m.fieldsArray,
        fields: m.fieldsArray.map(describe),
      }));
    if (messages.length === 0) continue;
    const services = servicesOf(space, messages);
    const name = file.replace(/\.proto$/, '');
    if (services.length > 0) served.push(name);
    writeChanged(path.join(folder, `${name}.ts`), moduleText(file, messages, services));
  }
  writeChanged(path.join(folder, 'services.ts'), catalogueText(served));
}

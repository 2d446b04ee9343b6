import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import test, { type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createTaskRegistry } from '@shoal/coordinator';
import { fakeClock, silentLog } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { Admit } from '@shoal/security';
import { createHttpApp } from './app.js';
import type { HttpLimits } from './http/http-limits.js';
import { DEFAULT_HTTP_SETTINGS, type HttpSettings } from './http/http-settings.js';
import { createHttpStats } from './http/http-stats.js';
import type { RestRequest, RestResponse, Route } from './routing/route.js';
import { createHttpServer } from './http/server.js';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Call {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  /** The connection is cut then. */
  readonly hangUp?: Promise<void>;
}

let handled = 0;

function handler(request: RestRequest): RestResponse {
  handled++;
  if (request.params.has('fail')) {
    const body = request.json() as { inner: object };
    throw errors.parsing('bad thing', { location: { container: body.inner, key: 'x' } });
  }
  return {
    status: 200,
    json: {
      body: request.json() ?? null,
      id: request.pathParams['id'] ?? null,
      ...(request.waitedMs > 0 ? { waited: request.waitedMs } : {}),
    },
  };
}

const routes: readonly Route<null>[] = [
  {
    methods: ['GET', 'POST'],
    path: '/echo',
    name: 'echo',
    body: 'optional',
    privilege: 'indices:data/read/x',
    parameters: ['fail'],
    handle: handler,
  },
  { methods: ['GET'], path: '/echo/{id}', name: 'echo', body: 'none', privilege: 'x', parameters: [], handle: handler },
  {
    methods: ['GET'],
    path: '/text',
    name: 'text',
    body: 'none',
    privilege: 'x',
    parameters: [],
    handle: () => ({ status: 200, text: 'a b\n' }),
  },
  {
    methods: ['GET'],
    path: '/long',
    name: 'long',
    body: 'none',
    privilege: 'x',
    parameters: [],
    handle: () => ({ status: 200, json: { a: 'x'.repeat(5000) } }),
  },
  {
    methods: ['POST'],
    path: '/change',
    name: 'change',
    body: 'optional',
    privilege: 'indices:admin/close',
    parameters: [],
    handle: handler,
  },
  {
    methods: ['POST'],
    path: '/small',
    name: 'small',
    body: 'required',
    bodyBytesMax: 20,
    privilege: 'x',
    parameters: [],
    handle: () => ({ status: 200, json: {} }),
  },
  {
    methods: ['POST'],
    path: '/documents',
    name: 'documents',
    body: 'required',
    largeBody: 'raw',
    privilege: 'x',
    parameters: [],
    handle: ({ rawBody }) => ({ status: 200, json: rawBody.length }),
  },
  {
    methods: ['POST'],
    path: '/needs',
    name: 'needs',
    body: 'required',
    privilege: 'x',
    parameters: [],
    handle: handler,
  },
];

async function serve(
  t: TestContext,
  settings: Partial<HttpSettings> = {},
  limits: HttpLimits | null = null,
  clock = fakeClock(),
  admit: Admit | null = null,
): Promise<(call: Call) => Promise<Answer>> {
  const stats = createHttpStats();
  const all = { ...DEFAULT_HTTP_SETTINGS, ...settings };
  const inFlight = { charge: () => () => undefined, hold: () => () => undefined, used: 0, limit: 0, tripped: 0 };
  const app = createHttpApp({
    routes,
    services: null,
    settings: all,
    stats,
    tasks: createTaskRegistry(clock, 'n1'),
    inFlight,
    clock,
    log: silentLog,
    admit,
    audit: null,
    limits,
  });
  const { server } = createHttpServer(app, all, stats, clock);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return (call) =>
    new Promise((resolve, reject) => {
      const options = {
        port,
        host: '127.0.0.1',
        agent: false as const,
        method: call.method ?? 'GET',
        path: call.path,
        headers: call.headers ?? {},
      };
      const request = httpRequest(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      });
      request.on('error', reject);
      request.end(call.body);
      void call.hangUp?.then(() => request.destroy());
    });
}

const JSON_TYPE = { 'content-type': 'application/json' };
const json = (answer: Answer): unknown => JSON.parse(answer.body.toString('utf8'));

test('every answer names the product, echoes the opaque id and has a length', async (t) => {
  const call = await serve(t);
  const answer = await call({ path: '/echo', headers: { 'x-opaque-id': 'abc' } });
  assert.equal(answer.headers['x-elastic-product'], 'Elasticsearch');
  assert.equal(answer.headers['x-opaque-id'], 'abc');
  assert.equal(answer.headers['content-type'], 'application/json');
  assert.equal(answer.headers['content-length'], String(answer.body.length));
  assert.equal((await call({ path: '/a/b/c/d' })).headers['x-elastic-product'], 'Elasticsearch');
});

test('unknown shapes are 400, other methods 405 with Allow, OPTIONS lists methods', async (t) => {
  const call = await serve(t);
  const unknown = await call({ path: '/nope/x/y?a=1' });
  assert.equal(unknown.status, 400);
  assert.deepEqual(json(unknown), { error: 'no handler found for uri [/nope/x/y?a=1] and method [GET]' });
  const other = await call({ method: 'DELETE', path: '/echo' });
  assert.equal(other.status, 405);
  assert.equal(other.headers['allow'], 'GET,POST');
  assert.deepEqual(json(other), {
    error: 'Incorrect HTTP method for uri [/echo] and method [DELETE], allowed: [GET, POST]',
    status: 405,
  });
  const options = await call({ method: 'OPTIONS', path: '/echo' });
  assert.deepEqual([options.status, options.headers['allow'], options.body.length], [200, 'GET,POST', 0]);
});

test('HEAD has the length of the body that GET would send', async (t) => {
  const call = await serve(t);
  const get = await call({ path: '/echo/7' });
  const head = await call({ method: 'HEAD', path: '/echo/7' });
  assert.deepEqual([head.status, head.headers['content-length'], head.body.length], [200, String(get.body.length), 0]);
});

test('an error with a place in the body is answered with line and column', async (t) => {
  const call = await serve(t);
  const answer = await call({ method: 'POST', path: '/echo?fail', headers: JSON_TYPE, body: '{"inner":\n {"x": 3}}' });
  assert.equal(answer.status, 400);
  const error = { type: 'parsing_exception', reason: 'bad thing', line: 2, col: 8 };
  assert.deepEqual(json(answer), { error: { root_cause: [error], ...error }, status: 400 });
});

test('bodies of unknown media types are refused with 406', async (t) => {
  const call = await serve(t);
  const answer = await call({ method: 'POST', path: '/echo', headers: { 'content-type': 'text/strange' }, body: '{}' });
  assert.deepEqual(
    [answer.status, json(answer)],
    [406, { error: 'Content-Type header [text/strange] is not supported', status: 406 }],
  );
});

test('a media type of another version is refused as the root cause itself', async (t) => {
  const call = await serve(t);
  const headers = { 'content-type': 'application/vnd.elasticsearch+json;compatible-with=9' };
  const { status, error } = json(await call({ method: 'POST', path: '/echo', headers, body: '{}' })) as {
    status: number;
    error: { type: string; root_cause: { type: string }[]; caused_by: { type: string } };
  };
  assert.deepEqual(
    [status, error.type, error.root_cause[0]?.type, error.caused_by.type],
    [400, 'media_type_header_exception', 'media_type_header_exception', 'status_exception'],
  );
});

test('calls without a body refuse one, calls that need one miss it', async (t) => {
  const call = await serve(t);
  const refused = await call({
    method: 'GET',
    path: '/echo/1',
    headers: { ...JSON_TYPE, 'content-length': '2' },
    body: '{}',
  });
  assert.match(refused.body.toString('utf8'), /request \[GET \/echo\/1\] does not support having a body/);
  assert.match((await call({ method: 'POST', path: '/needs' })).body.toString('utf8'), /request body is required/);
});

test('the source parameter stands for a body and needs its type', async (t) => {
  const call = await serve(t);
  assert.deepEqual(json(await call({ path: '/echo?source=%7B%22a%22:1%7D&source_content_type=application/json' })), {
    body: { a: 1 },
    id: null,
  });
  assert.equal((await call({ path: '/echo?source=%7B%7D' })).status, 400);
});

test('the source parameter is no body of a call that changes something', async (t) => {
  const call = await serve(t);
  const source = 'source=%7B%22a%22:1%7D&source_content_type=application/json';
  const before = handled;
  const change = await call({ method: 'POST', path: `/change?${source}` });
  assert.equal(change.status, 400);
  assert.match(
    change.body.toString('utf8'),
    /request \[\/change\] contains unrecognized parameters: \[source\], \[source_content_type\]/,
  );
  const needs = await call({ method: 'POST', path: `/needs?${source}` });
  assert.deepEqual([needs.status, handled], [400, before]);
  assert.match(needs.body.toString('utf8'), /request body is required/);
});

test('a web page of another origin changes nothing, and reads only what its browser hides from it', async (t) => {
  const call = await serve(t);
  const before = handled;
  for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1:1', 'http://localhost'])
    assert.equal((await call({ method: 'POST', path: '/change', headers: { origin } })).status, 403, origin);
  assert.equal(handled, before);
  const read = await call({ method: 'POST', path: '/echo', headers: { origin: 'http://evil.example' } });
  assert.deepEqual([read.status, read.headers['access-control-allow-origin']], [200, undefined]);
  const host = 'localhost:9200';
  const own = await call({ method: 'POST', path: '/change', headers: { host, origin: 'http://localhost:9200' } });
  assert.equal(own.status, 200);
});

test('an origin that http.cors allows may change things, another may not even read', async (t) => {
  const cors = {
    allowOrigin: 'http://ui.example',
    allowMethods: ['POST'],
    allowHeaders: [],
    exposeHeaders: [],
    allowCredentials: false,
    maxAgeSeconds: 1,
  };
  const call = await serve(t, { cors });
  const status = async (path: string, origin: string): Promise<number> =>
    (await call({ method: 'POST', path, headers: { origin } })).status;
  assert.equal(await status('/change', 'http://ui.example'), 200);
  assert.equal(await status('/change', 'http://evil.example'), 403);
  assert.equal(await status('/echo', 'http://evil.example'), 403);
});

test('a rebound host name reads nothing of a node that answers its own names only', async (t) => {
  const call = await serve(t, { allowedHosts: ['search.example.org'] });
  const get = (host: string): Promise<Answer> => call({ path: '/echo', headers: { host } });
  const refused = await get('evil.example:9200');
  assert.deepEqual(json(refused), {
    error: 'The host [evil.example:9200] is not one of this node; shoal.http.allowed_hosts names further ones.',
    status: 403,
  });
  for (const host of ['localhost:9200', '127.0.0.1', 'es01:9200', 'search.example.org'])
    assert.equal((await get(host)).status, 200, host);
});

test('gzip bodies are taken within the limit, others refused with 413', async (t) => {
  const call = await serve(t, { contentBytesMax: 1000 });
  const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
  assert.deepEqual(json(await call({ method: 'POST', path: '/echo', headers, body: gzipSync('{"a":2}') })), {
    body: { a: 2 },
    id: null,
  });
  assert.equal(
    (await call({ method: 'POST', path: '/echo', headers, body: gzipSync(`"${'x'.repeat(100_000)}"`) })).status,
    413,
  );
});

test('a body that announces too much is refused unread', async (t) => {
  const call = await serve(t, { contentBytesMax: 10 });
  const answer = await call({ method: 'POST', path: '/echo', headers: JSON_TYPE, body: `"${'x'.repeat(50)}"` });
  assert.equal(answer.status, 413);
});

test('a body without documents has a limit of its own, which its refusal names', async (t) => {
  const call = await serve(t, { bodyBytesMax: 10 });
  const body = JSON.stringify('x'.repeat(50));
  const refused = await call({ method: 'POST', path: '/echo', headers: JSON_TYPE, body });
  assert.deepEqual(
    [refused.status, json(refused)],
    [
      413,
      {
        error:
          'the body of the request is larger than [10] bytes, the limit [shoal.http.max_body_length] for bodies that ' +
          'are no documents',
        status: 413,
      },
    ],
  );
  const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
  assert.equal((await call({ method: 'POST', path: '/echo', headers, body: gzipSync(body) })).status, 413);
  assert.equal((await call({ method: 'POST', path: '/documents', headers: JSON_TYPE, body })).status, 200);
});

test('a call may have a limit of its own for bodies', async (t) => {
  const call = await serve(t);
  const small = (length: number) =>
    call({ method: 'POST', path: '/small', headers: JSON_TYPE, body: `"${'x'.repeat(length - 2)}"` });
  assert.equal((await small(20)).status, 200);
  const refused = await small(21);
  assert.equal(refused.status, 413);
  assert.match(JSON.stringify(json(refused)), /larger than \[20\] bytes, the limit of this call/);
});

test('a large body is parsed in turns before its handler is called', async (t) => {
  const clock = fakeClock();
  let turns = 0;
  const turning = { ...clock, yield: () => Promise.resolve(void turns++) };
  const call = await serve(t, {}, null, turning);
  const values = Array.from({ length: 40_000 }, (_, i) => i);
  const answer = await call({ method: 'POST', path: '/echo', headers: JSON_TYPE, body: JSON.stringify(values) });
  assert.deepEqual(json(answer), { body: values, id: null });
  assert.ok(turns > 10, `${turns} turns`);
});

test('long answers are compressed for clients that take gzip', async (t) => {
  const call = await serve(t);
  const answer = await call({ path: '/long', headers: { 'accept-encoding': 'gzip' } });
  assert.equal(answer.headers['content-encoding'], 'gzip');
  assert.ok(answer.body.length < 500);
  assert.equal(
    (await call({ path: '/echo', headers: { 'accept-encoding': 'gzip' } })).headers['content-encoding'],
    undefined,
  );
});

test('answers come as YAML and text when asked for', async (t) => {
  const call = await serve(t);
  const yaml = await call({ path: '/echo?format=yaml' });
  assert.deepEqual(
    [yaml.headers['content-type'], yaml.body.toString('utf8')],
    ['application/yaml', '---\nbody: null\nid: null\n'],
  );
  const text = await call({ path: '/text' });
  assert.deepEqual([text.headers['content-type'], text.body.toString('utf8')], ['text/plain; charset=UTF-8', 'a b\n']);
});

test('filter_path does not filter errors', async (t) => {
  const call = await serve(t);
  const answer = json(await call({ path: '/echo?zz=1&filter_path=status' })) as { status: number; error: object };
  assert.equal(answer.status, 400);
  assert.ok(answer.error);
});

test('answers to callers who are not admitted are not filtered', async (t) => {
  const call = await serve(t, {}, null, fakeClock(), () => Promise.reject(errors.unauthenticated('who?')));
  const answer = json(await call({ path: '/echo?filter_path=status' })) as { status: number; error: object };
  assert.equal(answer.status, 401);
  assert.ok(answer.error);
});

test('a filter that is refused stops a request before its handler', async (t) => {
  const call = await serve(t);
  const before = handled;
  const answer = await call({ path: `/echo?filter_path=${'a*.'.repeat(300)}x` });
  assert.deepEqual([answer.status, handled], [400, before]);
  assert.match(answer.body.toString(), /\[filter_path\] has \[300\] levels with wildcards/);
});

test('an unknown parameter stops a request before its handler', async (t) => {
  const call = await serve(t);
  const answer = await call({ path: '/echo?fails' });
  assert.match(
    answer.body.toString('utf8'),
    /request \[\/echo\] contains unrecognized parameter: \[fails\] -> did you mean \[fail\]\?/,
  );
});

test('error_trace adds the stack, short errors leave the details out', async (t) => {
  const call = await serve(t);
  assert.match(
    (json(await call({ path: '/echo?zz&error_trace=true' })) as { error: { stack_trace: string } }).error.stack_trace,
    /unrecognized/,
  );
  const short = await serve(t, { detailedErrors: false });
  assert.deepEqual(json(await short({ path: '/echo?zz' })), {
    error: 'IllegalArgumentException[request [/echo] contains unrecognized parameter: [zz]]',
    status: 400,
  });
});

const NO_LIMITS: HttpLimits = { admit: () => null, recheck: () => undefined, begin: () => null };

const REFUSING: Readonly<Record<string, (refusal: () => Error) => HttpLimits['admit']>> = {
  returned: (refusal) => refusal,
  thrown: (refusal) => () => {
    throw refusal();
  },
};

for (const [how, admitWith] of Object.entries(REFUSING))
  test(`an error that refuses many requests is answered to each as it wants it, ${how}`, async (t) => {
    let refusal = errors.rejectedExecution('full');
    const call = await serve(t, {}, { ...NO_LIMITS, admit: admitWith(() => refusal) });
    const first = await call({ path: '/echo' });
    assert.equal(first.status, 429);
    const cause = { type: 'es_rejected_execution_exception', reason: 'full' };
    assert.deepEqual(json(first), { error: { root_cause: [cause], ...cause }, status: 429 });
    for (let i = 0; i < 3; i++) assert.deepEqual(await call({ path: '/echo' }), first);
    assert.deepEqual(json(await call({ path: '/echo?filter_path=status' })), json(first));
    assert.match((await call({ path: '/echo?pretty' })).body.toString(), /\n {2}"error"/);
    assert.match((await call({ path: '/echo?format=yaml' })).body.toString(), /^---\nerror:/);
    assert.match((await call({ path: '/echo?error_trace' })).body.toString(), /"stack_trace"/);
    refusal = errors.rejectedExecution('fuller');
    assert.match((await call({ path: '/echo' })).body.toString(), /"reason":"fuller"/);
  });

test('a request is handled once it is its turn, and not at all when its client has gone by then', async (t) => {
  const turns: (() => void)[] = [];
  const clock = fakeClock();
  const call = await serve(t, {}, { ...NO_LIMITS, begin: () => new Promise((resolve) => turns.push(resolve)) }, clock);
  const waiting = async (count: number): Promise<void> => {
    while (turns.length < count) await new Promise(setImmediate);
  };
  handled = 0;
  const answer = call({ path: '/echo' });
  await waiting(1);
  assert.equal(handled, 0);
  clock.advance(30);
  turns[0]!();
  assert.deepEqual(json(await answer), { body: null, id: null, waited: 30 });
  assert.equal(handled, 1);
  await assert.rejects(call({ path: '/echo', hangUp: waiting(2) }), { code: 'ECONNRESET' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  turns[1]!();
  await new Promise(setImmediate);
  assert.equal(handled, 1);
});

// Asks a running Elasticsearch 8.12 the requests of runtime-field-requests.mjs and writes its answers to
// runtime-fields.json. Usage: node test/answers/record-runtime-fields.mjs http://HOST:PORT
import fs from 'node:fs';
import { compared, REQUESTS, SETUP } from './runtime-field-requests.mjs';

const [url] = process.argv.slice(2);
const call = async (method, path, body) => {
  const answer = await fetch(url + path, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return { status: answer.status, body: await answer.json() };
};
for (const request of SETUP) await call(...request);
const answers = [];
for (const request of REQUESTS) {
  const { status, body } = await call(...request);
  answers.push(JSON.stringify({ status, body: compared(body) }));
}
await call('DELETE', '/computed,found');
fs.writeFileSync(new URL('runtime-fields.json', import.meta.url), `[\n${answers.join(',\n')}\n]\n`);

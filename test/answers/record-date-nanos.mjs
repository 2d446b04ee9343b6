// Asks a running Elasticsearch 8.12 the requests of date-nanos-requests.mjs and writes its answers to date-nanos.json.
// Usage: node test/answers/record-date-nanos.mjs http://HOST:PORT
import fs from 'node:fs';
import { bodyText, compared, SEARCHES, SETUP } from './date-nanos-requests.mjs';

const [url] = process.argv.slice(2);
const call = async (method, path, body) => {
  const answer = await fetch(url + path, {
    method,
    ...(body && { body: bodyText(body), headers: { 'content-type': 'application/json' } }),
  });
  return answer.text();
};
for (const request of SETUP) await call(...request);
const answers = {};
for (const [index, bodies] of Object.entries(SEARCHES)) {
  answers[index] = [];
  for (const body of bodies)
    answers[index].push(compared(await call('POST', `${index}/_search`, { _source: false, ...body })));
}
await call('DELETE', '/nanos,millis');
fs.writeFileSync(new URL('date-nanos.json', import.meta.url), `${JSON.stringify(answers, null, 1)}\n`);

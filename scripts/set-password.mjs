// Sets the password of a reserved user to the content of a file, as the user elastic with ELASTIC_PASSWORD; makes the
// file, readable by its owner only, with a random password if it is not there. Waits two minutes for the node. For the
// one-shot `setup` of docker-compose.yml. Usage: node scripts/set-password.mjs URL USER FILE
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';

const WAIT_MS = 120_000;
const PAUSE_MS = 1_000;
const [url, user, file] = process.argv.slice(2);

if (!fs.existsSync(file)) fs.writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
const password = fs.readFileSync(file, 'utf8');
const authorization = `Basic ${Buffer.from(`elastic:${process.env.ELASTIC_PASSWORD}`).toString('base64')}`;

/** Status of the call; 0 while nobody answers. */
async function set() {
  try {
    const answer = await fetch(`${url}/_security/user/${user}/_password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify({ password }),
    });
    return answer.status;
  } catch {
    return 0;
  }
}

const end = Date.now() + WAIT_MS;
let status = await set();
// 0: not there yet; 503: no master yet. Everything else stays as it is.
while ((status === 0 || status >= 500) && Date.now() < end) {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  status = await set();
}
process.stdout.write(`the password of ${user} was ${status === 200 ? 'set' : `not set: status ${status}`}\n`);
process.exit(status === 200 ? 0 : 1);

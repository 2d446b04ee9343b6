import fs from 'node:fs';
import path from 'node:path';

const FILE = 'node.http';

/** Notes in the data folder where the node's HTTP is, so that commands on the same machine find it. */
export function noteHttpAddress(dataPath: string, bound: string, isSecure: boolean): void {
  const reached = bound.replace(/^0\.0\.0\.0:/, '127.0.0.1:').replace(/^:::/, '[::1]:');
  fs.writeFileSync(path.join(dataPath, FILE), `${isSecure ? 'https' : 'http'}://${reached}\n`);
}

/** What the node on this data folder noted last; null when none ever ran. */
export function httpAddress(dataPath: string): string | null {
  const file = path.join(path.resolve(dataPath), FILE);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : null;
}

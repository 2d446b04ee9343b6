import fs from 'node:fs';
import path from 'node:path';

const FILE = 'node.http';

/** URL at which this machine reaches a node that is bound to an address. */
export function localUrl(bound: string, isSecure: boolean): string {
  const reached = bound.replace(/^0\.0\.0\.0:/, '127.0.0.1:').replace(/^:::/, '[::1]:');
  return `${isSecure ? 'https' : 'http'}://${reached}`;
}

/** Writes the node's HTTP address to the data folder, for commands on the same machine. */
export function noteHttpAddress(dataPath: string, bound: string, isSecure: boolean): void {
  fs.writeFileSync(path.join(dataPath, FILE), `${localUrl(bound, isSecure)}\n`);
}

/** Reads the HTTP address that the node wrote last; null if no node ever ran on this data folder. */
export function httpAddress(dataPath: string): string | null {
  const file = path.join(path.resolve(dataPath), FILE);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : null;
}

import fs from 'node:fs';
import path from 'node:path';
import type { Random } from '@shoal/doors';
import { ConfigurationError } from '../settings/load-settings.js';

/** Returns the node's id. It is made at the first start and kept in `node.id` of the data folder. */
export function nodeIdentity(folder: string, random: Random): string {
  const file = path.join(folder, 'node.id');
  if (fs.existsSync(file)) {
    const id = fs.readFileSync(file, 'utf8').trim();
    if (/^[\w-]{22}$/.test(id)) return id;
    throw new ConfigurationError(
      `[${file}] does not hold a node id; restore it from a backup, or move the folder away to start an empty node`,
    );
  }
  const id = Buffer.from(random.bytes(16)).toString('base64url');
  writeDurably(file, `${id}\n`);
  return id;
}

function writeDurably(file: string, content: string): void {
  const aside = `${file}.new`;
  const descriptor = fs.openSync(aside, 'w');
  fs.writeSync(descriptor, content);
  fs.fsyncSync(descriptor);
  fs.closeSync(descriptor);
  fs.renameSync(aside, file);
  const parent = fs.openSync(path.dirname(file), 'r');
  fs.fsyncSync(parent);
  fs.closeSync(parent);
}

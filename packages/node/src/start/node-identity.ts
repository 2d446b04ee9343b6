import fs from 'node:fs';
import path from 'node:path';
import type { Random } from '@shoal/doors';
import { formatNodeId, parseNodeId } from '@shoal/store';
import { ConfigurationError } from '../settings/load-settings.js';

/** Folders and files of a data folder that a node makes after its id. */
const WRITTEN_LATER = ['state', 'state.witness', 'indices'] as const;

const WHAT_TO_DO = 'restore it from a backup, or move the folder away to start an empty node';

/**
 * Returns the node's id. It is made at the first start and kept in `node.id` of the data folder. Throws
 * ConfigurationError if the file is damaged, or missing in a folder that a node has used: under a new id the votes and
 * copies of shards in that folder would belong to nobody.
 */
export function nodeIdentity(folder: string, random: Random): string {
  const file = path.join(folder, 'node.id');
  const content = readText(file);
  if (content !== null) {
    const id = parseNodeId(content)?.nodeId;
    if (id?.length === 22) return id;
    throw new ConfigurationError(`[${file}] does not hold a node id; ${WHAT_TO_DO}`);
  }
  const used = WRITTEN_LATER.find((name) => hasContent(path.join(folder, name)));
  if (used !== undefined)
    throw new ConfigurationError(`[${file}] is missing although the folder has [${used}] of a node; ${WHAT_TO_DO}`);
  const id = Buffer.from(random.bytes(16)).toString('base64url');
  writeDurably(file, formatNodeId({ nodeId: id, hasState: false }));
  return id;
}

function readText(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new ConfigurationError(`[${file}] cannot be read: ${(error as Error).message}; ${WHAT_TO_DO}`);
  }
}

/** Whether a file is there, or a folder that is not empty. */
function hasContent(place: string): boolean {
  const found = fs.statSync(place, { throwIfNoEntry: false });
  if (!found) return false;
  return !found.isDirectory() || fs.readdirSync(place).length > 0;
}

function writeDurably(file: string, content: string): void {
  const aside = `${file}.new`;
  try {
    const descriptor = fs.openSync(aside, 'w');
    fs.writeSync(descriptor, content);
    fs.fsyncSync(descriptor);
    fs.closeSync(descriptor);
    fs.renameSync(aside, file);
  } catch (error) {
    throw new ConfigurationError(`[${file}] cannot be written: ${(error as Error).message}`);
  }
  const parent = fs.openSync(path.dirname(file), 'r');
  fs.fsyncSync(parent);
  fs.closeSync(parent);
}

import fs from 'node:fs';
import path from 'node:path';
import type { ClusterService } from '@shoal/cluster';
import type { Log, Random } from '@shoal/doors';
import type { Security } from '@shoal/security';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-_*';
const LENGTH = 20;
const FILE = 'elastic-password';

/** Makes a password of 20 letters, digits and signs: 121 random bits. */
function newPassword(random: Random): string {
  let text = '';
  // Rejects bytes beyond the last multiple of the alphabet's length: they would make its first letters likelier.
  const limit = 256 - (256 % LETTERS.length);
  while (text.length < LENGTH)
    for (const byte of random.bytes(LENGTH))
      if (byte < limit && text.length < LENGTH) text += LETTERS[byte % LETTERS.length];
  return text;
}

/** Parts of a node that making the first password needs. */
export interface FirstPasswordOptions {
  readonly cluster: ClusterService;
  readonly nodeId: string;
  readonly security: Security;
  readonly random: Random;
  /** Shows the password to the person who started the node. */
  readonly tell: (password: string) => void;
}

/** Places where the first password can be shown. */
export interface PasswordDisplayOptions {
  readonly log: Log;
  /** Folder of the file for the password if there is no terminal. */
  readonly confPath: string;
  /** Shows text on the terminal; null if there is none. */
  readonly terminal: ((text: string) => void) | null;
}

/** Shows the password once: on the terminal, else in a file that only the owner can read. Never in a log. */
export function passwordDisplay({ log, confPath, terminal }: PasswordDisplayOptions): (password: string) => void {
  return (password) => {
    if (terminal) {
      terminal(
        `\nThe password of the user elastic is ${password}\nIt is shown this one time. Set another one with POST ` +
          '/_security/user/elastic/_password.\n\n',
      );
      return;
    }
    const file = path.join(confPath, FILE);
    fs.mkdirSync(confPath, { recursive: true });
    fs.writeFileSync(file, `${password}\n`, { mode: 0o600 });
    log.write('info', 'the first password of elastic is in a file; delete it when it has been read', {
      'file.path': file,
    });
  };
}

/**
 * Makes a password for `elastic` if the cluster has none. Only the elected master does so. The hash goes to the cluster
 * state, and the password is shown only if the master accepted it as the first. Does nothing if `ELASTIC_PASSWORD` is
 * set.
 */
export async function ensureFirstPassword(options: FirstPasswordOptions): Promise<void> {
  const { cluster, nodeId, security, random } = options;
  if (security.settings.bootstrapPassword !== null || !security.settings.reservedRealmEnabled) return;
  await cluster.waitFor((state) => state.masterNodeId !== null, -1);
  if (cluster.state().masterNodeId !== nodeId) return;
  const password = await security.users.putFirstPassword('elastic', () => newPassword(random));
  if (password !== null) options.tell(password);
}

import { type Command, InvalidArgumentError } from 'commander';
import { authorityFingerprint } from '../security/make-set-up.js';
import {
  ENROLLMENT_MS,
  enrollmentAction,
  type EnrollmentScope,
  renderEnrollmentToken,
} from '../security/enrollment-token.js';
import type { CommandContext } from './command-context.js';
import { CommandError } from './command-io.js';
import { asLocalSuperuser } from './local-admin.js';
import { reasonOf } from './node-client.js';

/** Adds `shoal create-enrollment-token -s node|kibana`: prints a token with which another node or Kibana joins. */
export function addEnrollmentTokenCommand(program: Command, context: CommandContext): void {
  program
    .command('create-enrollment-token')
    .description('makes a token that lets a node or Kibana join within 30 minutes; run it where a node runs')
    .requiredOption('-s, --scope <scope>', 'node or kibana', scopeOf)
    .option('--url <url>', 'address of the node; that of the node on path.data when absent')
    .action((options: { scope: EnrollmentScope; url?: string }) => create(context, options));
}

function scopeOf(text: string): EnrollmentScope {
  if (text !== 'node' && text !== 'kibana') throw new InvalidArgumentError('node and kibana are known.');
  return text;
}

async function create(
  context: CommandContext,
  { scope, url }: { scope: EnrollmentScope; url?: string },
): Promise<void> {
  const fingerprint = fingerprintOf(context);
  const name = `enrollment_token_API_key_${Date.now().toString(36)}`;
  const body = {
    name,
    expiration: `${ENROLLMENT_MS}ms`,
    role_descriptors: { create_enrollment_token: { cluster: [enrollmentAction(scope)] } },
  };
  const token = await asLocalSuperuser(context, url, async (call) => {
    const made = await call('POST', '/_security/api_key', body);
    if (made.status !== 200) throw new CommandError(`the token was not made: ${reasonOf(made)}`);
    const { id, api_key: secret } = made.body as { id: string; api_key: string };
    const local = (await call('GET', '/_nodes/_local/http')).body as {
      nodes: Record<string, { http: { publish_address: string } }>;
    };
    const addresses = Object.values(local.nodes).map(({ http }) => http.publish_address);
    return renderEnrollmentToken({ addresses, fingerprint, key: `${id}:${secret}` });
  });
  context.io.print(token);
}

function fingerprintOf(context: CommandContext): string {
  try {
    return authorityFingerprint(context.confFolder());
  } catch {
    throw new CommandError(
      'enrolment needs the certificates that the first start of a node on a network address makes; nodes with ' +
        'certificates of their own are given settings and certificates by hand',
    );
  }
}

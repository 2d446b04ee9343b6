import { createPrivateKey, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import https from 'node:https';
import { hostname } from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { confFolderOf } from '../start/conf-folder.js';
import { bindAddresses } from '../http/listen.js';
import { parseEnrollmentToken } from '../security/enrollment-token.js';
import { writeSetUp } from '../security/make-set-up.js';
import { FIRST_START_FILE } from '../security/set-up-files.js';
import { ConfigurationError, type NodeSettings } from '../settings/load-settings.js';

const TIMEOUT_MS = 10_000;

interface NodeAnswer {
  readonly http_ca_key: string;
  readonly http_ca_cert: string;
  readonly transport_ca_cert: string;
  readonly transport_key: string;
  readonly transport_cert: string;
  readonly nodes_addresses: readonly string[];
}

/**
 * Makes a node part of the cluster of an enrolment token: asks one of its nodes for certificates and addresses, and
 * writes them into `path.conf`. Throws ConfigurationError when the node was set up before, or no node of the token
 * takes it.
 */
export async function enrollNode(settings: NodeSettings, text: string): Promise<void> {
  const confFolder = confFolderOf(settings);
  if (fs.existsSync(path.join(confFolder, FIRST_START_FILE)))
    throw new ConfigurationError(
      `this node was set up before ([${path.join(confFolder, FIRST_START_FILE)}]); an enrolment token is for the ` +
        'first start only',
    );
  const { addresses, fingerprint, key } = parsedToken(text);
  const failures: string[] = [];
  for (const address of addresses) {
    try {
      const answer = await ask(address, await authorityOf(address, fingerprint), key);
      writeSetUp(
        confFolder,
        { nodeName: settings.text('node.name') ?? hostname(), bound: bindAddresses(settings, 'http'), isAlone: false },
        secretsOf(answer),
      );
      return;
    } catch (error) {
      failures.push(`${address}: ${(error as Error).message}`);
    }
  }
  throw new ConfigurationError(`the node could not be enrolled: ${failures.join('; ')}`);
}

function parsedToken(text: string): ReturnType<typeof parseEnrollmentToken> {
  try {
    return parseEnrollmentToken(text);
  } catch (error) {
    throw new ConfigurationError((error as Error).message);
  }
}

function secretsOf(answer: NodeAnswer): Parameters<typeof writeSetUp>[2] {
  const certificate = (base64: string): string => new X509Certificate(Buffer.from(base64, 'base64')).toString();
  const key = (base64: string): string =>
    createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' })
      .export({ format: 'pem', type: 'pkcs8' })
      .toString();
  return {
    httpAuthority: { certificate: certificate(answer.http_ca_cert), key: key(answer.http_ca_key) },
    transport: { certificate: certificate(answer.transport_cert), key: key(answer.transport_key) },
    transportAuthority: certificate(answer.transport_ca_cert),
    seedHosts: answer.nodes_addresses,
  };
}

/**
 * Fetches the HTTP authority that a node presents, if its fingerprint is the token's. The API key is sent only after
 * this check.
 */
function authorityOf(address: string, fingerprint: string): Promise<string> {
  const { hostname: host, port } = new URL(`https://${address}`);
  return new Promise((resolve, reject) => {
    const socket = tls.connect(
      { host: host.replace(/^\[|\]$/g, ''), port: Number(port), rejectUnauthorized: false, timeout: TIMEOUT_MS },
      () => {
        const authority = findAuthority(socket.getPeerCertificate(true), fingerprint);
        socket.destroy();
        if (authority === null) reject(new Error('its certificate is not of the authority that the token names'));
        else resolve(authority);
      },
    );
    socket.once('error', reject);
    socket.once('timeout', () => socket.destroy(new Error('no answer in time')));
  });
}

function findAuthority(certificate: tls.DetailedPeerCertificate, fingerprint: string): string | null {
  for (let current = certificate, depth = 0; depth < 10; current = current.issuerCertificate, depth++) {
    if (current.fingerprint256.replaceAll(':', '').toLowerCase() === fingerprint)
      return new X509Certificate(current.raw).toString();
    if (!current.issuerCertificate || current.issuerCertificate === current) return null;
  }
  return null;
}

/**
 * Calls the node. Its certificate must be signed by the authority; the host name is not checked, as the token may name
 * an address that the certificate lacks.
 */
function ask(address: string, ca: string, key: string): Promise<NodeAnswer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `ApiKey ${Buffer.from(key).toString('base64')}` };
    const request = https.get(
      `https://${address}/_security/enroll/node`,
      { ca, headers, timeout: TIMEOUT_MS, agent: false, checkServerIdentity: () => undefined },
      (answer) => {
        let body = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
        answer.on('end', () =>
          answer.statusCode === 200
            ? resolve(JSON.parse(body) as NodeAnswer)
            : reject(
                new Error(
                  answer.statusCode === 401
                    ? 'the token is not valid any more'
                    : `status [${answer.statusCode}] ${body}`,
                ),
              ),
        );
      },
    );
    request.once('error', reject);
    request.once('timeout', () => request.destroy(new Error('no answer in time')));
  });
}

import path from 'node:path';
import { ConfigurationError } from '../settings/load-settings.js';

/** First bytes, in hexadecimal digits, of Java keystores (JKS and JCEKS). */
const JAVA_STORES = new Set(['feedfeed', 'cececece']);

/** Returns the hint how to convert a Java keystore to PKCS#12. */
function advice(file: string): string {
  const { dir, name } = path.parse(file);
  const beside = path.join(dir, `${name}.p12`);
  const target = beside === path.normalize(file) ? path.join(dir, `${name}-pkcs12.p12`) : beside;
  return (
    `Java keystores are not read; make a PKCS#12 file of it with \`keytool -importkeystore -srckeystore ${file} ` +
    `-destkeystore ${target} -deststoretype PKCS12\` and set`
  );
}

/**
 * Checks `<setting>.type` (null if not set) of a store file. Throws ConfigurationError with the conversion for the type
 * `jks`, and for a `.jks` file without a type, which 8.12 treats as `jks`.
 */
export function checkStoreType(setting: string, type: string | null, file: string): void {
  const given = type?.toLowerCase() ?? (/\.jks$/i.test(file) ? 'jks' : 'pkcs12');
  if (given === 'pkcs12') return;
  if (given === 'jks')
    throw new ConfigurationError(
      `setting [${type === null ? `${setting}.path` : `${setting}.type`}] does not take [${type ?? file}]: ` +
        `${advice(file)} [${setting}.path] to that file, without [${setting}.type]`,
    );
  throw new ConfigurationError(`setting [${setting}.type] does not take [${type}]: accepted is PKCS12`);
}

/** Throws an Error with the conversion when a file is a Java keystore by its first bytes, whatever its name. */
export function refuseJavaStore(content: Buffer, file: string): void {
  if (JAVA_STORES.has(content.subarray(0, 4).toString('hex'))) throw new Error(`${advice(file)} the path to that file`);
}

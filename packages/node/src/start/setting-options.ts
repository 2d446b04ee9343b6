import { ConfigurationError } from '../settings/load-settings.js';

/** Converts `--http.port 9200` to `-E http.port=9200`, which is easier to write in shells and test drivers. */
export function dottedOptions(args: readonly string[]): string[] {
  const result: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const match = /^--([a-z][\w-]*(?:\.[\w-]+)+)(?:=(.*))?$/.exec(args[i]!);
    if (match) result.push('-E', `${match[1]}=${match[2] ?? args[++i] ?? ''}`);
    else result.push(args[i]!);
  }
  return result;
}

/** Parses the text after `-E`. Throws ConfigurationError if it is not `key=value`. */
export function keyAndValue(text: string): [key: string, value: string] {
  const at = text.indexOf('=');
  if (at <= 0) throw new ConfigurationError(`-E takes key=value but was given [${text}]`);
  return [text.slice(0, at), text.slice(at + 1)];
}

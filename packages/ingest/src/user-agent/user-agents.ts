import { USER_AGENT_REGEXES } from '../generated/user-agent-regexes.js';
import { type UserAgentParser, userAgentParser } from './parser.js';

const DEFAULT_FILE = '_default_';

/** Parsers of user agents by the name of the file that their expressions come from. */
export interface UserAgents {
  /** Returns the parser of a file, `_default_` for that of uap-core; null if there is none. Throws for a bad one. */
  get(file: string): UserAgentParser | null;
}

/** Makes the parsers. `files` are those of the node's configuration, as JSON, by name. */
export function createUserAgents(files: ReadonlyMap<string, unknown>): UserAgents {
  const parsers = new Map<string, UserAgentParser>();
  return {
    get(file) {
      const known = parsers.get(file);
      if (known !== undefined) return known;
      if (file !== DEFAULT_FILE && !files.has(file)) return null;
      const parser = userAgentParser(file === DEFAULT_FILE ? JSON.parse(USER_AGENT_REGEXES) : files.get(file));
      parsers.set(file, parser);
      return parser;
    },
  };
}

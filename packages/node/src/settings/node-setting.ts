/** Type of a setting: decides how its text is parsed. */
type SettingKind = 'text' | 'list' | 'boolean' | 'integer' | 'time' | 'bytes' | 'port' | 'bytes-or-percent';

/** A setting of a node's configuration file. */
export interface NodeSetting {
  /** A name, or a prefix that ends in `.*` for groups such as `node.attr.*`. */
  readonly name: string;
  readonly kind: SettingKind;
  /** Default as text; null if there is none. */
  readonly fallback: string | null;
  readonly description: string;
  /** Accepted values; all others are refused. */
  readonly values?: readonly string[];
  /** Never shown by the API. */
  readonly isSecret?: boolean;
}

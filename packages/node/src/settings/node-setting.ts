/** How the text of a setting is read. */
type SettingKind = 'text' | 'list' | 'boolean' | 'integer' | 'time' | 'bytes' | 'port' | 'bytes-or-percent';

export interface NodeSetting {
  /** A name, or a prefix that ends in `.*` for groups such as `node.attr.*`. */
  readonly name: string;
  readonly kind: SettingKind;
  /** Null when there is none. */
  readonly fallback: string | null;
  readonly description: string;
  /** Values that are understood; all others are refused. */
  readonly values?: readonly string[];
  /** Never shown by the API. */
  readonly isSecret?: boolean;
}

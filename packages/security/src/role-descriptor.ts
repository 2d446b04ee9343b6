/** What a role grants on indices of some names. */
export interface IndexPrivileges {
  /** Names, wildcards or `/regular expressions/`. */
  readonly names: readonly string[];
  readonly privileges: readonly string[];
  readonly fieldSecurity: { readonly grant: readonly string[]; readonly except: readonly string[] } | null;
  /** Query in JSON, or a template for it, that limits the documents; null for all of them. */
  readonly query: string | null;
  readonly allowRestrictedIndices: boolean;
}

/** What a role grants on resources of an application. */
export interface ApplicationPrivileges {
  readonly application: string;
  readonly privileges: readonly string[];
  readonly resources: readonly string[];
}

/** A role as it is stored and shown. */
export interface RoleDescriptor {
  readonly name: string;
  readonly cluster: readonly string[];
  readonly indices: readonly IndexPrivileges[];
  readonly applications: readonly ApplicationPrivileges[];
  readonly runAs: readonly string[];
  readonly global: Readonly<Record<string, unknown>> | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly transientMetadata: Readonly<Record<string, unknown>>;
}

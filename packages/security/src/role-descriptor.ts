/** An entry of a role's `indices`: privileges on index names. */
export interface IndexPrivileges {
  /** Names, wildcards or `/regular expressions/`. */
  readonly names: readonly string[];
  readonly privileges: readonly string[];
  readonly fieldSecurity: { readonly grant: readonly string[]; readonly except: readonly string[] } | null;
  /** Query as JSON, or a template of one, that limits the visible documents; null for all documents. */
  readonly query: string | null;
  readonly allowRestrictedIndices: boolean;
}

/** An entry of a role's `applications`: privileges on resources of an application. */
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

/** What the server tells a page with its first byte. */
export interface Boot {
  readonly basePath: string;
  readonly version: string;
  /** Nonce of style elements. */
  readonly nonce: string;
  /** Null in a cluster without security, and before a login. */
  readonly username: string | null;
  readonly hasSecurity: boolean;
  readonly clusterName?: string | null;
}

/** Reads the boot data of the page. */
export function readBoot<T extends Boot = Boot>(): T {
  return JSON.parse(document.getElementById('boot')!.textContent!) as T;
}

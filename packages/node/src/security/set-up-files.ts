/** File in `path.conf` with the settings that the first start made. */
export const FIRST_START_FILE = 'first-start.json';

/** Certificate files of the first start in `path.conf`. */
export const SET_UP_FILES = {
  httpAuthority: 'certs/http_ca.crt',
  httpAuthorityKey: 'certs/http_ca.key',
  http: 'certs/http.crt',
  httpKey: 'certs/http.key',
  transportAuthority: 'certs/transport_ca.crt',
  transport: 'certs/transport.crt',
  transportKey: 'certs/transport.key',
} as const;

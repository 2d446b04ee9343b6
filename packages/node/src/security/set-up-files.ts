/** Settings that the first start of a node made, in `path.conf`. */
export const FIRST_START_FILE = 'first-start.json';

/** Certificates of the set-up in `path.conf`. */
export const SET_UP_FILES = {
  httpAuthority: 'certs/http_ca.crt',
  httpAuthorityKey: 'certs/http_ca.key',
  http: 'certs/http.crt',
  httpKey: 'certs/http.key',
  transportAuthority: 'certs/transport_ca.crt',
  transport: 'certs/transport.crt',
  transportKey: 'certs/transport.key',
} as const;

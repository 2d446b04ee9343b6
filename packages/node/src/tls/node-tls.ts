import type { Clock, Log } from '@shoal/doors';
import { parseTimeValue } from '@shoal/values';
import type { SecureSettings } from '../keystore/secure-settings.js';
import type { NodeSettings } from '../settings/load-settings.js';
import type { SslLayer } from '../settings/ssl-setting-rows.js';
import { filesOf, type KeyMaterial, loadKeyMaterial } from './key-material.js';
import { type SslSettings, sslSettings } from './ssl-settings.js';
import { watchFiles } from './watch-files.js';

/** TLS of one layer while the node runs. */
export interface LayerTls {
  readonly settings: SslSettings;
  /** Returns the current material: a new object after the files have changed. */
  material(): KeyMaterial;
  /** Adds a listener that is called after the files have changed and were read. */
  onChange(listener: (material: KeyMaterial) => void): void;
  /**
   * Reads the files now, with the current passwords of the keystore. If that fails, throws ConfigurationError and
   * changes nothing.
   */
  reload(): void;
  close(): void;
}

/** Settings, secrets and effects from which TLS of a layer is made. */
export interface LayerTlsOptions {
  readonly settings: NodeSettings;
  readonly secure: SecureSettings;
  readonly confFolder: string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Reads key and certificates of a layer, and again whenever their files change. Throws ConfigurationError if they
 * cannot be used.
 */
export function openLayerTls(layer: SslLayer, { settings, secure, confFolder, clock, log }: LayerTlsOptions): LayerTls {
  const read = (): KeyMaterial => loadKeyMaterial(sslSettings(settings, secure, layer, confFolder));
  const ssl = sslSettings(settings, secure, layer, confFolder);
  let material = read();
  const listeners: ((material: KeyMaterial) => void)[] = [];
  const files = filesOf(ssl);
  const reload = (): void => {
    material = read();
    log.write('info', 'TLS files were read anew', { 'shoal.tls.layer': layer, 'file.path': files });
    for (const listener of listeners) listener(material);
  };
  const changed = (): void => {
    try {
      reload();
    } catch (error) {
      // The previous material stays in force: a file may be half written.
      log.write('error', 'changed TLS files cannot be used; the certificates read before stay in force', {
        'shoal.tls.layer': layer,
        'event.reason': (error as Error).message,
      });
    }
  };
  const watch = settings.boolean('resource.reload.enabled')
    ? watchFiles(
        clock,
        files,
        parseTimeValue(settings.text('resource.reload.interval.high')!, 'resource.reload.interval.high'),
        changed,
      )
    : null;
  return {
    settings: ssl,
    material: () => material,
    onChange: (listener) => void listeners.push(listener),
    reload,
    close: () => watch?.close(),
  };
}

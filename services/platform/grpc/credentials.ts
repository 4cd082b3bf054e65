import { ChannelCredentials, experimental, ServerCredentials } from '@grpc/grpc-js';
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** The three files of mutual TLS. All of them empty means plain text, which is meant for loopback. */
export interface TlsSettings {
  GRPC_TLS_CA: string;
  GRPC_TLS_CERT: string;
  GRPC_TLS_KEY: string;
}

export function serverCredentials(settings: TlsSettings): ServerCredentials {
  const files = certificateFiles(settings);
  if (!files) return ServerCredentials.createInsecure();
  return experimental.createCertificateProviderServerCredentials(files, files, true);
}

export function channelCredentials(settings: TlsSettings): ChannelCredentials {
  const files = certificateFiles(settings);
  return files
    ? experimental.createCertificateProviderChannelCredentials(files, files)
    : ChannelCredentials.createInsecure();
}

function certificateFiles({
  GRPC_TLS_CA: ca,
  GRPC_TLS_CERT: cert,
  GRPC_TLS_KEY: key,
}: TlsSettings): CertificateFiles | undefined {
  const given = [ca, cert, key].filter((file) => file !== '').length;
  if (given === 0) return undefined;
  if (given < 3)
    throw new Error('GRPC_TLS_CA, GRPC_TLS_CERT and GRPC_TLS_KEY go together: set all three or none');
  return new CertificateFiles({ ca, cert, key });
}

type CertificateProvider = experimental.CertificateProvider;
type CaListener = Parameters<CertificateProvider['addCaCertificateListener']>[0];
type IdentityListener = Parameters<CertificateProvider['addIdentityCertificateListener']>[0];

/** A renewed certificate is used within this time. */
const POLL_PAUSE_MS = 5_000;

interface CertificatePaths {
  ca: string;
  cert: string;
  key: string;
}

interface Files {
  ca: Buffer;
  cert: Buffer;
  key: Buffer;
}

/**
 * The files of mutual TLS, read again when one of them changes. Files that do not fit together, as in the middle of a renewal,
 * are ignored until they do. Open connections keep the certificate with which they started.
 */
class CertificateFiles implements CertificateProvider {
  readonly #paths: CertificatePaths;
  readonly #caListeners = new Set<CaListener>();
  readonly #identityListeners = new Set<IdentityListener>();
  #files: Files;
  #changedAt: string;
  #timer: NodeJS.Timeout | undefined;

  /** @throws Error when a file cannot be read, or the key does not belong to the certificate */
  constructor(paths: CertificatePaths) {
    this.#paths = paths;
    this.#changedAt = changeOf(paths);
    this.#files = usableFiles(paths);
  }

  addCaCertificateListener(listener: CaListener): void {
    this.#caListeners.add(listener);
    this.#watch();
    // The interface requires that the listener is never called before this function returns.
    queueMicrotask(() => listener({ caCertificate: this.#files.ca }));
  }

  addIdentityCertificateListener(listener: IdentityListener): void {
    this.#identityListeners.add(listener);
    this.#watch();
    queueMicrotask(() => listener(this.#identity));
  }

  removeCaCertificateListener(listener: CaListener): void {
    this.#caListeners.delete(listener);
    this.#watch();
  }

  removeIdentityCertificateListener(listener: IdentityListener): void {
    this.#identityListeners.delete(listener);
    this.#watch();
  }

  get #identity() {
    return { certificate: this.#files.cert, privateKey: this.#files.key };
  }

  /** Watches the files only while there are listeners. The timer does not keep the process alive. */
  #watch(): void {
    const isHeard = this.#caListeners.size + this.#identityListeners.size > 0;
    if (isHeard) this.#timer ??= setInterval(() => this.#poll(), POLL_PAUSE_MS).unref();
    else {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  #poll(): void {
    try {
      const changedAt = changeOf(this.#paths);
      if (changedAt === this.#changedAt) return;
      this.#files = usableFiles(this.#paths);
      this.#changedAt = changedAt;
    } catch (error) {
      // In the middle of a renewal this is temporary: the next look finds files that fit.
      process.emitWarning(
        `The files of mutual TLS cannot be used; the old ones serve: ${(error as Error).message}`,
      );
      return;
    }
    for (const listener of this.#caListeners) listener({ caCertificate: this.#files.ca });
    for (const listener of this.#identityListeners) listener(this.#identity);
  }
}

function changeOf({ ca, cert, key }: CertificatePaths): string {
  return [ca, cert, key]
    .map((file) => statSync(file))
    .map(({ mtimeMs, ino, size }) => `${mtimeMs} ${ino} ${size}`)
    .join();
}

function usableFiles({ ca, cert, key }: CertificatePaths): Files {
  const files = { ca: readFileSync(ca), cert: readFileSync(cert), key: readFileSync(key) };
  createSecureContext(files);
  return files;
}

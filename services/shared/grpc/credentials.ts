import { ChannelCredentials, experimental, ServerCredentials } from '@grpc/grpc-js';
import { CertificateFiles } from './certificate-files.ts';

/** The three files of mutual TLS; all empty means plain text, meant for loopback. */
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

import { readFileSync } from 'node:fs';
import { ChannelCredentials, ServerCredentials } from '@grpc/grpc-js';

/** The three files of mutual TLS; all empty means plain text, meant for loopback. */
export interface TlsSettings {
  GRPC_TLS_CA: string;
  GRPC_TLS_CERT: string;
  GRPC_TLS_KEY: string;
}

export function serverCredentials(settings: TlsSettings): ServerCredentials {
  const files = readFiles(settings);
  if (!files) return ServerCredentials.createInsecure();
  return ServerCredentials.createSsl(files.ca, [{ cert_chain: files.cert, private_key: files.key }], true);
}

export function channelCredentials(settings: TlsSettings): ChannelCredentials {
  const files = readFiles(settings);
  return files
    ? ChannelCredentials.createSsl(files.ca, files.key, files.cert)
    : ChannelCredentials.createInsecure();
}

function readFiles({ GRPC_TLS_CA, GRPC_TLS_CERT, GRPC_TLS_KEY }: TlsSettings) {
  const given = [GRPC_TLS_CA, GRPC_TLS_CERT, GRPC_TLS_KEY].filter((file) => file !== '').length;
  if (given === 0) return undefined;
  if (given < 3)
    throw new Error('GRPC_TLS_CA, GRPC_TLS_CERT and GRPC_TLS_KEY go together: set all three or none');
  return {
    ca: readFileSync(GRPC_TLS_CA),
    cert: readFileSync(GRPC_TLS_CERT),
    key: readFileSync(GRPC_TLS_KEY),
  };
}

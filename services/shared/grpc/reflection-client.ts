import { createRequire } from 'node:module';
import { createFileRegistry, fromBinary, type DescService } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { loadSync } from '@grpc/proto-loader';
import { createGrpcClient, type CallOptions, type ClientOptions, type ServiceClient } from './client.ts';
import type { ServiceMethods } from './method-types.ts';

interface ReflectionAnswer {
  /** Without `service` when there is none. */
  list_services_response?: { service?: { name: string }[] };
  file_descriptor_response?: { file_descriptor_proto: Uint8Array[] };
  error_response?: { error_message: string };
}

const PROTO = '@grpc/reflection/build/proto/grpc/reflection/v1/reflection.proto';
const SERVICE = 'grpc.reflection.v1.ServerReflection';

/**
 * The services of a gRPC server, with their calls, messages and comments, by the standard reflection protocol and
 * without any knowledge of them beforehand.
 */
export async function reflectedServices(options: ClientOptions, call: CallOptions): Promise<DescService[]> {
  const protocol = loadSync(createRequire(import.meta.url).resolve(PROTO), { keepCase: true });
  const client = createGrpcClient(protocol[SERVICE] as ServiceMethods, options);
  try {
    const { list_services_response } = await ask(client, { list_services: '*' }, call);
    const names = list_services_response?.service?.map(({ name }) => name) ?? [];
    return await Promise.all(names.map((name) => reflectedService(client, name, call)));
  } finally {
    client.close();
  }
}

async function reflectedService(
  client: ServiceClient<ServiceMethods>,
  name: string,
  call: CallOptions,
): Promise<DescService> {
  const { file_descriptor_response } = await ask(client, { file_containing_symbol: name }, call);
  const bytes = file_descriptor_response?.file_descriptor_proto ?? [];
  const [file, ...imports] = bytes.map((proto) => fromBinary(FileDescriptorProtoSchema, proto));
  const service =
    file && createFileRegistry(file, (path) => imports.find((other) => other.name === path)).getService(name);
  if (!service) throw new Error(`the server lists ${name} and does not describe it`);
  return service;
}

/** One question a stream. */
async function ask(
  client: ServiceClient<ServiceMethods>,
  question: object,
  call: CallOptions,
): Promise<ReflectionAnswer> {
  const answers = client['ServerReflectionInfo']!(only(question), call) as unknown;
  for await (const answer of answers as AsyncIterable<ReflectionAnswer>) {
    if (answer.error_response) throw new Error(answer.error_response.error_message);
    return answer;
  }
  throw new Error('the server ended the stream without an answer');
}

async function* only<T>(item: T): AsyncGenerator<T> {
  yield item;
}

import { createRequire } from 'node:module';
import {
  create,
  createFileRegistry,
  fromBinary,
  type DescMethod,
  type DescService,
} from '@bufbuild/protobuf';
import {
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  type FileDescriptorProto,
} from '@bufbuild/protobuf/wkt';
import { loadSync } from '@grpc/proto-loader';
import {
  createGrpcClient,
  type CallOptions,
  type ClientOptions,
  type ServiceClient,
} from '#platform/grpc/client.ts';
import type { ServiceMethods } from '#platform/grpc/method-types.ts';

interface ReflectionResponse {
  /** Without `service` if there are none. */
  list_services_response?: { service?: { name: string }[] };
  file_descriptor_response?: { file_descriptor_proto: Uint8Array[] };
  error_response?: { error_message: string };
}

const PROTO = '@grpc/reflection/build/proto/grpc/reflection/v1/reflection.proto';
const SERVICE = 'grpc.reflection.v1.ServerReflection';

/**
 * The services of a gRPC server with their calls, messages and comments. Uses only the standard reflection protocol, without
 * prior knowledge of the services.
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
  const files = await filesOf(client, { file_containing_symbol: name }, call);
  const known = new Map(files.map((file) => [file.name, file]));
  // The response holds the files of the types that the service uses, but not those of the options. Files added here are visited
  // too.
  for (const { dependency } of known.values()) {
    for (const path of dependency.filter((imported) => !known.has(imported))) {
      for (const file of await filesOf(client, { file_by_filename: path }, call)) known.set(file.name, file);
    }
  }
  const set = create(FileDescriptorSetSchema, { file: importsFirst(known) });
  const service = createFileRegistry(set).getService(name);
  if (!service) throw new Error(`the server lists ${name} and does not describe it`);
  return service;
}

/** Orders the files so that each comes after its imports, as a set of descriptors requires. */
function importsFirst(known: ReadonlyMap<string, FileDescriptorProto>): FileDescriptorProto[] {
  const ordered = new Set<FileDescriptorProto>();
  const add = (file: FileDescriptorProto) => {
    for (const path of file.dependency) if (known.has(path)) add(known.get(path)!);
    ordered.add(file);
  };
  for (const file of known.values()) add(file);
  return [...ordered];
}

/** The requested file and files that it uses. */
async function filesOf(
  client: ServiceClient<ServiceMethods>,
  question: object,
  call: CallOptions,
): Promise<FileDescriptorProto[]> {
  const { file_descriptor_response } = await ask(client, question, call);
  const bytes = file_descriptor_response?.file_descriptor_proto ?? [];
  return bytes.map((proto) => fromBinary(FileDescriptorProtoSchema, proto));
}

/** Sends one question on a stream of its own. */
async function ask(
  client: ServiceClient<ServiceMethods>,
  question: object,
  call: CallOptions,
): Promise<ReflectionResponse> {
  const responses = client['ServerReflectionInfo']!(only(question), call) as unknown;
  for await (const response of responses as AsyncIterable<ReflectionResponse>) {
    if (response.error_response) throw new Error(response.error_response.error_message);
    return response;
  }
  throw new Error('the server ended the stream without an answer');
}

async function* only<T>(item: T): AsyncGenerator<T> {
  yield item;
}

/** Field numbers that appear in the path of a comment in a file's descriptor. */
const [SERVICE_FIELD, METHOD_FIELD] = [6, 2];

/** The comment above a service or a call in its proto file, in one line. */
export function reflectedComment(described: DescService | DescMethod): string {
  const service = described.kind === 'rpc' ? described.parent : described;
  const { sourceCodeInfo, service: services } = service.file.proto;
  const path = [SERVICE_FIELD, services.indexOf(service.proto)];
  if (described.kind === 'rpc') path.push(METHOD_FIELD, service.methods.indexOf(described));
  const place = sourceCodeInfo?.location.find((location) => location.path.join() === path.join());
  return (place?.leadingComments ?? '').replaceAll(/\s+/g, ' ').trim();
}

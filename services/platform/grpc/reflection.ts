import { createRequire } from 'node:module';
import type {
  MethodDefinition,
  Server,
  ServerDuplexStream,
  ServiceDefinition,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { ReflectionService } from '@grpc/reflection';
import { toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { descriptorSet } from '../wire/descriptors.ts';

const require = createRequire(import.meta.url);

/** Both packages have the same messages. */
const PACKAGES = ['grpc.reflection.v1', 'grpc.reflection.v1alpha'];
const METHOD = 'ServerReflectionInfo';

/**
 * Adds server reflection for the services with these full names. The handler is built at the first request: building it takes a
 * fifth of the processor time of a start, and most processes never need it.
 */
export function addReflection(server: Server, services: string[]): void {
  let built: Map<string, Answering> | undefined;
  for (const name of PACKAGES) {
    const path = `/${name}.ServerReflection/${METHOD}`;
    const answering = () => (built ??= build(services)).get(path)!;
    const method: MethodDefinition<unknown, unknown> = {
      path,
      requestStream: true,
      responseStream: true,
      requestSerialize: (request) => answering().method.requestSerialize(request),
      requestDeserialize: (bytes) => answering().method.requestDeserialize(bytes),
      responseSerialize: (response) => answering().method.responseSerialize(response),
      responseDeserialize: (bytes) => answering().method.responseDeserialize(bytes),
    };
    const handler: Handler = (call) => answering().handler(call);
    server.addService({ [METHOD]: method }, { [METHOD]: handler });
  }
}

type Handler = (call: ServerDuplexStream<unknown, unknown>) => void;

interface Answering {
  method: MethodDefinition<unknown, unknown>;
  handler: Handler;
}

/**
 * Builds the handler for each path, from the descriptor set of `make proto`. The files are sent unchanged: loading them with
 * proto-loader would lose comments, imports and which fields are optional.
 */
function build(services: string[]): Map<string, Answering> {
  const { file } = descriptorSet();
  const fileDescriptorProtos = file.map((proto) => Buffer.from(toBinary(FileDescriptorProtoSchema, proto)));
  // The service reads only this part of a package definition.
  const definition = { descriptorSet: { fileDescriptorProtos } } as unknown as PackageDefinition;
  const built = new Map<string, Answering>();
  const collector = {
    addService(service: ServiceDefinition, implementation: UntypedServiceImplementation) {
      const method = service[METHOD]!;
      built.set(method.path, { method, handler: implementation[METHOD] as Handler });
    },
  };
  // Not imported above, because few processes need it, and every one would load another protobuf library with it.
  const reflection = require('@grpc/reflection') as { ReflectionService: typeof ReflectionService };
  // The service uses only this method of a server.
  new reflection.ReflectionService(definition, { services }).addToServer(collector);
  return built;
}

type PackageDefinition = ConstructorParameters<typeof ReflectionService>[0];
